import { createHash } from 'node:crypto';
import type { SearchableChunk } from '@reenact/domain';
import { isTestFile } from '../chunk-filter.js';
import { FIELD_WEIGHTS } from '../formula.js';

/** A chunk's place in the sample from which a mean is taken: evenly spread from 0 to this, not included. */
export const SAMPLE_RANGE = 2 ** 28;

/** A chunk as a document: where it stands, by what it is filtered, its tokens with weights, its vector. */
export interface ChunkDocument {
  file: string;
  /** The file and every folder above it, for filters. */
  paths: string[];
  kind: string;
  name: string;
  startLine: number;
  endLine: number;
  isTest: boolean;
  isPending: boolean;
  sample: number;
  /** Tokens with a space between them, each as often as its field weighs: the text once, the name four times, the path once. */
  tk: string;
  vector?: string | number[];
}

/** The document of a chunk; its text stays behind. `isBase64` asks for the vector in the compact form of newer servers. */
export function toDocument(chunk: SearchableChunk, isBase64: boolean): ChunkDocument {
  const { file, kind, name, startLine, endLine, vector, tokens } = chunk;
  const weighted = (['text', 'name', 'path'] as const).flatMap((field) =>
    Array.from({ length: FIELD_WEIGHTS[field] }, () => tokens[field]).flat(),
  );
  return {
    file,
    paths: pathsAbove(file),
    kind,
    name,
    startLine,
    endLine,
    isTest: isTestFile(file),
    isPending: vector === null,
    sample: createHash('sha256').update(chunk.id).digest().readUInt32BE(0) >>> 4,
    tk: weighted.join(' '),
    ...(vector === null ? {} : { vector: isBase64 ? encodeVector(vector) : Array.from(vector) }),
  };
}

/** Big-endian floats in base64, as the server reads them. */
export function encodeVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, place) => bytes.writeFloatBE(value, place * 4));
  return bytes.toString('base64');
}

function pathsAbove(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, count) => parts.slice(0, count + 1).join('/'));
}
