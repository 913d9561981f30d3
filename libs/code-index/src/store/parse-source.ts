import type { Chunk } from '../chunk.js';
import { decodeSource, looksBinary } from '../decode-source.js';
import { chunkNotebook } from '../notebook-chunks.js';
import { chunkPlain, chunkReadme } from '../plain-chunks.js';
import type { PythonChunks } from '../python-chunks.js';
import { chunkPython } from '../python-chunks.js';
import type { PythonSyntax } from '../python-syntax.js';
import type { SkipReason, SourceKind } from '../source-files.js';
import { textReason } from '../source-files.js';
import { countTokens } from './forward-record.js';
import type { EncodedFile } from './parsed-file.js';
import { encodeParsed } from './parsed-file.js';

/** A file to parse. */
export interface ParseJob {
  /** Relative to the tree, with `/`. */
  file: string;
  kind: SourceKind;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file's record, or why its content keeps it out of the index. */
export type ParseOutcome = { status: 'parsed'; encoded: EncodedFile } | { status: 'skipped'; reason: SkipReason };

/** Decodes, parses, chunks and tokenises one file; depends on nothing but the job. Odd text never throws. */
export function parseSource(syntax: PythonSyntax, { file, kind, bytes }: ParseJob): ParseOutcome {
  if (kind !== 'python' && looksBinary(bytes)) return { status: 'skipped', reason: 'binary' };
  const text = decodeSource(bytes);
  const reason = textReason(file, kind, text);
  if (reason !== null) return { status: 'skipped', reason };
  const found =
    kind === 'python' ? parsePython(syntax, file, text) : { chunks: otherChunks(file, kind, text), definitions: [], imports: [] };
  return { status: 'parsed', encoded: encodeParsed({ file, kind, text, ...found, tokens: countTokens(file, found.chunks) }) };
}

function parsePython(syntax: PythonSyntax, file: string, text: string): PythonChunks {
  const tree = syntax.parse(text);
  try {
    return chunkPython({ file, text, root: tree.rootNode });
  } finally {
    tree.delete();
  }
}

function otherChunks(file: string, kind: Exclude<SourceKind, 'python'>, text: string): Chunk[] {
  if (kind === 'notebook') return chunkNotebook(file, text);
  return kind === 'readme' ? chunkReadme(file, text) : chunkPlain(file, text, kind);
}
