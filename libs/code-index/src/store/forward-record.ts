import type { Chunk } from '../chunk.js';
import { isNameless } from '../chunk.js';
import { identifiersOf, identifierTokens } from '../tokenise.js';
import type { Numbers } from './packed-blocks.js';
import { packBlocks, unpackBlocks } from './packed-blocks.js';

/** How often the rows of a field hold each term: those of row `i` lie at `starts[i]` to `starts[i + 1]`, each term once. */
export interface TermCounts {
  starts: Numbers;
  /** Places in `ForwardRecord.terms`, in order of first appearance in the row. */
  terms: Numbers;
  counts: Numbers;
}

/** The tokens of one file's chunks, counted: an engine reads this instead of tokenising again. */
export interface ForwardRecord {
  /** Every distinct token of the file, once. */
  terms: string[];
  /** A row a chunk. */
  text: TermCounts;
  /** A row a chunk; empty for runs, windows and cells, which have no name of their own. */
  name: TermCounts;
  /** One row, the same for every chunk of the file. */
  path: TermCounts;
}

/** Identifiers remembered with their tokens; code repeats them, so most are split once. */
const MOST_REMEMBERED = 100_000;
const remembered = new Map<string, string[]>();

/** Counts the tokens of a file's chunks. */
export function countTokens(file: string, chunks: readonly Chunk[]): ForwardRecord {
  const vocabulary = new Map<string, number>();
  // The terms of each identifier of this file: one look-up an identifier instead of one a token.
  const known = new Map<string, number[]>();
  const count = (texts: string[]): TermCounts => countRows(texts, (identifier) => termsOf(identifier, vocabulary, known));
  const text = count(chunks.map((chunk) => chunk.text));
  const name = count(chunks.map((chunk) => (isNameless(chunk.kind) ? '' : chunk.name)));
  const path = count([file]);
  return { terms: [...vocabulary.keys()], text, name, path };
}

/** The tokens of a row with repetition, equal ones together. */
export function tokensOfRow(record: ForwardRecord, { starts, terms, counts }: TermCounts, row: number): string[] {
  const tokens: string[] = [];
  for (let place = starts[row] ?? 0; place < (starts[row + 1] ?? 0); place++) {
    const term = record.terms[terms[place] ?? 0] ?? '';
    for (let times = counts[place] ?? 0; times > 0; times--) tokens.push(term);
  }
  return tokens;
}

function termsOf(identifier: string, vocabulary: Map<string, number>, known: Map<string, number[]>): number[] {
  const before = known.get(identifier);
  if (before !== undefined) return before;
  const terms = splitRemembered(identifier).map((token) => {
    const term = vocabulary.get(token) ?? vocabulary.size;
    if (term === vocabulary.size) vocabulary.set(token, term);
    return term;
  });
  known.set(identifier, terms);
  return terms;
}

function splitRemembered(identifier: string): string[] {
  const before = remembered.get(identifier);
  if (before !== undefined) return before;
  const tokens = identifierTokens(identifier);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(identifier, tokens);
  return tokens;
}

function countRows(texts: string[], termsOfIdentifier: (identifier: string) => number[]): TermCounts {
  const starts = [0];
  const terms: number[] = [];
  const counts: number[] = [];
  /** Where each term was counted last, plus one; a place before the row's start is of an earlier row. */
  const places: number[] = [];
  const count = (term: number, start: number): void => {
    const place = (places[term] ?? 0) - 1;
    if (place >= start) {
      counts[place] = (counts[place] ?? 0) + 1;
    } else {
      places[term] = terms.push(term);
      counts.push(1);
    }
  };
  for (const text of texts) {
    const start = terms.length;
    for (const identifier of identifiersOf(text)) for (const term of termsOfIdentifier(identifier)) count(term, start);
    starts.push(terms.length);
  }
  return { starts: Uint32Array.from(starts), terms: Uint32Array.from(terms), counts: Uint32Array.from(counts) };
}

/** A forward record as bytes. */
export function encodeForward({ terms, text, name, path }: ForwardRecord): Uint8Array<ArrayBuffer> {
  const words = new TextEncoder().encode(terms.join('\n'));
  const fields = [text, name, path].flatMap((field) => [field.starts, field.terms, field.counts]);
  return packBlocks([words, ...fields]);
}

/** @throws RangeError where the bytes are no forward record. */
export function decodeForward(bytes: Uint8Array): ForwardRecord {
  const [words, ...blocks] = unpackBlocks(bytes);
  if (!(words instanceof Uint8Array) || blocks.length !== 9) throw new RangeError('not a forward record');
  const field = (index: number): TermCounts => {
    const [starts = NO_NUMBERS, terms = NO_NUMBERS, counts = NO_NUMBERS] = blocks.slice(3 * index);
    return { starts, terms, counts };
  };
  const terms = words.length === 0 ? [] : new TextDecoder().decode(words).split('\n');
  return { terms, text: field(0), name: field(1), path: field(2) };
}

const NO_NUMBERS = new Uint8Array(0);
