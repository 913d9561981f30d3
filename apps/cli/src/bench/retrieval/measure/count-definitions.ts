import { chunkPython, surveyPython } from '@reenact/code-index';
import type { PythonSyntax } from '@reenact/code-index';

type Root = ReturnType<PythonSyntax['parse']>['rootNode'];

/** Parses a text and counts its definitions by the walk that the index makes. */
export function countDefinitions(syntax: PythonSyntax, text: string): number {
  return withTree(syntax, text, (root) => surveyPython(root).found.length);
}

/** The same with all chunks of the file made on the way. */
export function countInRecords(syntax: PythonSyntax, text: string, file: string): number {
  return withTree(syntax, text, (root) => chunkPython({ file, text, root }).definitions.length);
}

function withTree(syntax: PythonSyntax, text: string, count: (root: Root) => number): number {
  const tree = syntax.parse(text);
  try {
    return count(tree.rootNode);
  } finally {
    tree.delete();
  }
}
