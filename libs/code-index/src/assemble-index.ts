import type { Definition } from './chunk.js';
import { compareText } from './chunk.js';
import type { ResolvedImport } from './imports.js';
import { createImportResolver } from './imports.js';
import { loadPythonSyntax } from './python-syntax.js';
import type { SkippedPath } from './source-files.js';
import type { ForwardRecord } from './store/forward-record.js';
import type { IndexedChunk, ParsedFile } from './store/parsed-file.js';
import type { TrainingLoop } from './training-files.js';
import { findTrainingLoops } from './training-files.js';

/** Everything that is known about a tree without running it; equal trees give equal indexes. */
export interface CodeIndex {
  /** By file, then by line. */
  chunks: IndexedChunk[];
  definitions: Definition[];
  /** Imports of each Python file. */
  imports: Map<string, ResolvedImport[]>;
  /** Text of each indexed file. */
  texts: Map<string, string>;
  /** Tokens of each indexed file's chunks, row by row. */
  tokens: Map<string, ForwardRecord>;
  loops: TrainingLoop[];
  skipped: SkippedPath[];
}

/** Joins what each file gave; resolves imports between them, and looks for training loops unless they are known. */
export async function assembleIndex(parsed: ParsedFile[], skipped: SkippedPath[], loops: TrainingLoop[] | null): Promise<CodeIndex> {
  // Sorted once: every list and map of the index has this order, so that equal trees give equal bytes.
  const files = [...parsed].sort((left, right) => compareText(left.file, right.file));
  const python = files.filter((item) => item.kind === 'python');
  const resolve = createImportResolver(python.map((item) => item.file));
  const imports = new Map(python.map((item) => [item.file, item.imports.map((binding) => resolve(item.file, binding))]));
  return {
    chunks: files.flatMap((item) => item.chunks),
    definitions: files.flatMap((item) => item.definitions),
    imports,
    texts: new Map(files.map((item) => [item.file, item.text])),
    tokens: new Map(files.map((item) => [item.file, item.tokens])),
    loops: loops ?? (await findTrainingLoops(await loadPythonSyntax(), python, imports)),
    skipped,
  };
}
