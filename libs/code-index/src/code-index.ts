import type { Chunk, Definition } from './chunk.js';
import { compareText } from './chunk.js';
import type { ImportBinding, ResolvedImport } from './imports.js';
import { createImportResolver, readImports } from './imports.js';
import { nextTurn } from './next-turn.js';
import { chunkNotebook } from './notebook-chunks.js';
import { chunkPlain, chunkReadme } from './plain-chunks.js';
import { chunkPython } from './python-chunks.js';
import type { PythonSyntax } from './python-syntax.js';
import { loadPythonSyntax } from './python-syntax.js';
import type { SkippedPath, SourceFile } from './source-files.js';
import { readSourceFiles } from './source-files.js';
import type { TrainingLoop } from './training-files.js';
import { findTrainingLoops } from './training-files.js';

/** Everything that is known about a tree without running it; equal trees give equal indexes. */
export interface CodeIndex {
  /** By file, then by line. */
  chunks: Chunk[];
  definitions: Definition[];
  /** Imports of each Python file. */
  imports: Map<string, ResolvedImport[]>;
  /** Text of each indexed file. */
  texts: Map<string, string>;
  loops: TrainingLoop[];
  skipped: SkippedPath[];
}

/** Reads, parses and chunks a tree. Odd files never fail it: they are windowed or named in `skipped`. */
export async function buildCodeIndex(treeDirectory: string): Promise<CodeIndex> {
  const { files, skipped } = await readSourceFiles(treeDirectory);
  return indexSources(files, skipped);
}

/** The index of files already read; the part of `buildCodeIndex` that touches no disk but the grammar. */
export async function indexSources(sources: SourceFile[], skipped: SkippedPath[] = []): Promise<CodeIndex> {
  // Sorted once: every list and map of the index has this order, so that equal trees give equal bytes.
  const files = [...sources].sort((left, right) => compareText(left.file, right.file));
  const syntax = await loadPythonSyntax();
  const chunks: Chunk[] = [];
  const definitions: Definition[] = [];
  const bindings = new Map<string, ImportBinding[]>();
  const python: SourceFile[] = [];
  for (const source of files) {
    if (source.kind !== 'python') {
      chunks.push(...chunkOther(source));
      continue;
    }
    python.push(source);
    const parsed = parseFile(syntax, source);
    chunks.push(...parsed.chunks);
    definitions.push(...parsed.definitions);
    bindings.set(source.file, parsed.imports);
    await nextTurn();
  }
  const resolve = createImportResolver(python.map((source) => source.file));
  const imports = new Map([...bindings].map(([file, list]) => [file, list.map((binding) => resolve(file, binding))]));
  const texts = new Map(files.map((source) => [source.file, source.text]));
  return { chunks, definitions, imports, texts, loops: await findTrainingLoops(syntax, python, imports), skipped };
}

function chunkOther(source: SourceFile): Chunk[] {
  if (source.kind === 'notebook') return chunkNotebook(source.file, source.text);
  if (source.kind === 'readme') return chunkReadme(source.file, source.text);
  return chunkPlain(source.file, source.text, source.kind === 'python' ? 'window' : source.kind);
}

function parseFile(syntax: PythonSyntax, source: SourceFile): ReturnType<typeof chunkPython> & { imports: ImportBinding[] } {
  const tree = syntax.parse(source.text);
  try {
    return { ...chunkPython({ file: source.file, text: source.text, root: tree.rootNode }), imports: readImports(tree.rootNode) };
  } finally {
    tree.delete();
  }
}
