import type { Chunk, Definition } from '../chunk.js';
import { chunkId, joinLines } from '../chunk.js';
import type { ImportBinding } from '../imports.js';
import type { SourceKind } from '../source-files.js';
import type { ForwardRecord } from './forward-record.js';
import { decodeForward, encodeForward } from './forward-record.js';

/** A chunk with its identity (`ChunkPlace.id`). */
export interface IndexedChunk extends Chunk {
  id: string;
}

/** What parsing one file gives. */
export interface ParsedFile {
  file: string;
  kind: SourceKind;
  /** The decoded text. */
  text: string;
  chunks: IndexedChunk[];
  definitions: Definition[];
  /** As written; what they lead to depends on the other files of the tree. */
  imports: ImportBinding[];
  tokens: ForwardRecord;
}

/** A parsed file as it is stored and handed between threads: three byte arrays that are read each by need. */
export interface EncodedFile {
  chunkCount: number;
  text: Uint8Array<ArrayBuffer>;
  structure: Uint8Array<ArrayBuffer>;
  forward: Uint8Array<ArrayBuffer>;
}

type ChunkRow = [
  kind: Chunk['kind'],
  name: string,
  startLine: number,
  endLine: number,
  quality: Chunk['quality'],
  id: string,
  text?: string,
];
type DefinitionRow = [kind: Definition['kind'], name: string, startLine: number, endLine: number, signatureLines: number];
type ImportRow = [local: string, module: string, level: number, imported: string | null, line: number];

interface Structure {
  chunks: ChunkRow[];
  definitions: DefinitionRow[];
  imports: ImportRow[];
}

/** The bytes of a parsed file. A chunk that is its lines and no more is stored by its span alone. */
export function encodeParsed(parsed: Omit<ParsedFile, 'chunks'> & { chunks: Chunk[] }): EncodedFile {
  const lines = parsed.text.split('\n');
  const structure: Structure = {
    chunks: parsed.chunks.map((chunk) => chunkRow(chunk, lines)),
    definitions: parsed.definitions.map((item) => [item.kind, item.name, item.startLine, item.endLine, item.signature.split('\n').length]),
    imports: parsed.imports.map((item) => [item.local, item.module, item.level, item.imported, item.line]),
  };
  const encoder = new TextEncoder();
  return {
    chunkCount: parsed.chunks.length,
    text: encoder.encode(parsed.text),
    structure: encoder.encode(JSON.stringify(structure)),
    forward: encodeForward(parsed.tokens),
  };
}

function chunkRow(chunk: Chunk, lines: string[]): ChunkRow {
  const { kind, name, startLine, endLine, quality, text } = chunk;
  const row: ChunkRow = [kind, name, startLine, endLine, quality, chunkId(chunk)];
  if (text !== joinLines(lines, startLine, endLine)) row.push(text);
  return row;
}

/**
 * Reads what {@link encodeParsed} wrote.
 * @throws SyntaxError, TypeError or RangeError where the bytes are damaged.
 */
export function decodeParsed(file: string, kind: SourceKind, encoded: Omit<EncodedFile, 'chunkCount'>): ParsedFile {
  const text = decodeText(encoded.text);
  const lines = text.split('\n');
  const structure = JSON.parse(decodeText(encoded.structure)) as Structure;
  return {
    file,
    kind,
    text,
    chunks: structure.chunks.map(([chunkKind, name, startLine, endLine, quality, id, own]) => {
      return { file, kind: chunkKind, name, startLine, endLine, text: own ?? joinLines(lines, startLine, endLine), quality, id };
    }),
    definitions: structure.definitions.map(([of, name, startLine, endLine, signatureLines]) => {
      const signature = joinLines(lines, startLine, startLine + signatureLines - 1);
      return { file, kind: of, name, startLine, endLine, signature };
    }),
    imports: structure.imports.map(([local, module, level, imported, line]) => ({ local, module, level, imported, line })),
    tokens: decodeForward(encoded.forward),
  };
}

/** Text of stored bytes; a byte-order mark that belongs to the text stays. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
