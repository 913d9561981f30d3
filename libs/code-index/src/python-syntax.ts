import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';
import type { Node, Tree } from 'web-tree-sitter';

export type PythonNode = Node;
export type PythonTree = Tree;

/** Parses Python text into syntax trees; never throws on broken text, which gives `ERROR` nodes instead. */
export interface PythonSyntax {
  /** The caller frees the tree with `tree.delete()`. Offsets are UTF-16 code units, rows begin at 0. */
  parse(text: string): PythonTree;
}

let loaded: Promise<PythonSyntax> | null = null;

/** Loads the grammar once per process. The grammar covers Python 3 and the print statement of Python 2. */
export function loadPythonSyntax(): Promise<PythonSyntax> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<PythonSyntax> {
  const resolve = createRequire(import.meta.url).resolve;
  await Parser.init();
  const grammar = await Language.load(await readFile(resolve('tree-sitter-python/tree-sitter-python.wasm')));
  const parser = new Parser();
  parser.setLanguage(grammar);
  return {
    parse(text) {
      const tree = parser.parse(text);
      if (tree === null) throw new Error('the Python parser gave no tree');
      return tree;
    },
  };
}

/** Every descendant of `node` and the node itself, parents before children, in source order. */
export function* walkPython(node: PythonNode): Generator<PythonNode> {
  const pending: PythonNode[] = [node];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    yield current;
    for (let index = current.namedChildCount - 1; index >= 0; index--) {
      const child = current.namedChild(index);
      if (child !== null) pending.push(child);
    }
  }
}
