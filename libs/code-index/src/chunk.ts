import { hash } from 'node:crypto';
import type { ChunkKind, ChunkPlace } from '@reenact/domain';

/** How well the parser understood the text: `clean`, `errors` inside, or `unparsed` (windows and text that is not Python). */
export type ParseQuality = 'clean' | 'errors' | 'unparsed';

/** One piece of a project's text that is ranked and shown as a whole. */
export interface Chunk extends Omit<ChunkPlace, 'id'> {
  /** The lines of the span; a class shows its header, attributes and method signatures, a later part repeats its header. */
  text: string;
  quality: ParseQuality;
}

/** A function or class at any depth, for looking up frames and imported names. */
export interface Definition {
  file: string;
  kind: 'function' | 'method' | 'class';
  /** Qualified name without `<locals>`: `Outer.inner`. */
  name: string;
  startLine: number;
  endLine: number;
  /** The header's text up to its colon, decorators included. */
  signature: string;
}

/** `ChunkPlace.id`: SHA-256 of path, span and text as one JSON array, in hexadecimal. */
export function chunkId({ file, startLine, endLine, text }: Pick<Chunk, 'file' | 'startLine' | 'endLine' | 'text'>): string {
  return hash('sha256', JSON.stringify([file, startLine, endLine, text]));
}

/** Runs, windows and cells have no name of their own (a module's is in its path already), so that no name tokens are indexed for them. */
export function isNameless(kind: ChunkKind): boolean {
  return kind === 'run' || kind === 'window' || kind === 'cell';
}

/** Lines `startLine` to `endLine` (from 1, inclusive) of a text already split at line ends. */
export function joinLines(lines: string[], startLine: number, endLine: number): string {
  return lines.slice(startLine - 1, endLine).join('\n');
}

/** Orders strings by code unit: the same on every machine, unlike a locale's order. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
