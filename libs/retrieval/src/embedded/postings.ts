import type { CoreSections } from './sections.js';
import { MANY } from './sections.js';

/** Which chunks hold each term, and how often. */
export type Postings = Pick<CoreSections, 'postingStarts' | 'postingChunks' | 'postingTimes' | 'manyTimes'>;

/** Which terms each chunk holds, and how often, chunk after chunk as they were taken. */
export interface ForwardTerms {
  terms: Uint32Array;
  times: Uint32Array;
  /** Where the terms of each taken chunk begin; the end is the next one's begin. */
  firstTerms: number[];
  /** Terms are numbered from 0 to this. */
  vocabulary: number;
}

/** Turns terms by chunk into chunks by term: a counting sort. @param order as the how many-th each chunk was taken, by its number. */
export function invertTerms({ terms, times, firstTerms, vocabulary }: ForwardTerms, order: readonly number[]): Postings {
  const postingStarts = new Uint32Array(vocabulary + 1);
  for (let place = 0; place < terms.length; place++) {
    const next = (terms[place] ?? 0) + 1;
    postingStarts[next] = (postingStarts[next] ?? 0) + 1;
  }
  for (let term = 0; term < vocabulary; term++) postingStarts[term + 1] = (postingStarts[term + 1] ?? 0) + (postingStarts[term] ?? 0);
  const next = postingStarts.slice();
  const postingChunks = new Uint32Array(terms.length);
  const postingTimes = new Uint8Array(terms.length);
  const many: number[] = [];
  order.forEach((taken, chunk) => {
    const end = firstTerms[taken + 1] ?? terms.length;
    for (let place = firstTerms[taken] ?? 0; place < end; place++) {
      const term = terms[place] ?? 0;
      const posting = next[term] ?? 0;
      const count = times[place] ?? 0;
      next[term] = posting + 1;
      postingChunks[posting] = chunk;
      postingTimes[posting] = Math.min(MANY, count);
      if (count >= MANY) many.push(posting, count);
    }
  });
  return { postingStarts, postingChunks, postingTimes, manyTimes: Uint32Array.from(many) };
}

/** Says of a chunk that it is not taken. */
export const NOT_TAKEN = 0xff_ff_ff_ff;

/** Postings and the new number of each of their chunks, `NOT_TAKEN` for one that goes. Those that stay keep their order. */
export interface Renumbered {
  postings: Postings;
  numbers: Uint32Array;
}

/** Two sets of postings together. `terms`: of each term its number in the first, or the complement (`~`) of that in the second. */
export interface MergedPostings {
  postings: Postings;
  terms: Int32Array;
}

interface Merging {
  chunks: Uint32Array;
  times: Uint8Array;
  many: number[];
  end: number;
}

/**
 * Merges term by term, by chunk, two sets that have no chunk in common; terms that no chunk holds any more go.
 * @param sameTerms of each term of the second set the number that it has in the first; −1 where it has none.
 */
export function mergePostings(first: Renumbered, second: Renumbered, sameTerms: Int32Array): MergedPostings {
  const firstCount = first.postings.postingStarts.length - 1;
  const most = first.postings.postingChunks.length + second.postings.postingChunks.length;
  const merging: Merging = { chunks: new Uint32Array(most), times: new Uint8Array(most), many: [], end: 0 };
  const [left, right] = [cursorOf(first), cursorOf(second)];
  const partners = new Int32Array(firstCount).fill(-1);
  sameTerms.forEach((term, place) => {
    if (term >= 0) partners[term] = place;
  });
  const [starts, terms]: [number[], number[]] = [[0], []];
  const close = (term: number): void => {
    if (merging.end === starts.at(-1)) return;
    starts.push(merging.end);
    terms.push(term);
  };
  for (let term = 0; term < firstCount; term++) {
    moveTo(left, term);
    moveTo(right, partners[term] ?? -1);
    mergeLists(merging, left, right);
    close(term);
  }
  sameTerms.forEach((same, term) => {
    if (same >= 0) return;
    moveTo(left, -1);
    moveTo(right, term);
    mergeLists(merging, left, right);
    close(~term);
  });
  const { chunks, times, many, end } = merging;
  const postings = {
    postingStarts: Uint32Array.from(starts),
    postingChunks: chunks.subarray(0, end),
    postingTimes: times.subarray(0, end),
    manyTimes: Uint32Array.from(many),
  };
  return { postings, terms: Int32Array.from(terms) };
}

/** A set of postings at one of its terms: what is still to come of it lies from `place` to `end`. */
interface Cursor {
  starts: Uint32Array;
  chunks: Uint32Array;
  times: Uint8Array;
  many: Map<number, number>;
  numbers: Uint32Array;
  place: number;
  end: number;
}

function cursorOf({ postings, numbers }: Renumbered): Cursor {
  const { postingStarts, postingChunks, postingTimes, manyTimes } = postings;
  const many = mapOfMany(manyTimes);
  return { starts: postingStarts, chunks: postingChunks, times: postingTimes, many, numbers, place: 0, end: 0 };
}

/** Moved from term to term instead of made anew: there are some 100,000. @param term −1 for none. */
function moveTo(cursor: Cursor, term: number): void {
  cursor.place = term < 0 ? 0 : (cursor.starts[term] ?? 0);
  cursor.end = term < 0 ? 0 : (cursor.starts[term + 1] ?? 0);
}

/** Nearly all postings of a tree that changed a little come from the left: its loop keeps to local variables, which is five times as fast. */
function mergeLists(merging: Merging, left: Cursor, right: Cursor): void {
  const { chunks, times } = merging;
  const { chunks: from, times: counts, numbers } = left;
  let { end } = merging;
  let other = nextChunk(right);
  for (let place = left.place; place < left.end; place++) {
    const chunk = numbers[from[place] ?? 0] ?? NOT_TAKEN;
    if (chunk === NOT_TAKEN) continue;
    if (other < chunk) {
      merging.end = end;
      for (; other < chunk; other = nextChunk(right)) take(merging, right, other);
      end = merging.end;
    }
    const count = counts[place] ?? 0;
    if (count === MANY) merging.many.push(end, left.many.get(place) ?? MANY);
    chunks[end] = chunk;
    times[end++] = count;
  }
  merging.end = end;
  for (; other !== NOT_TAKEN; other = nextChunk(right)) take(merging, right, other);
}

/** New number of the next chunk that stays, the cursor's place behind it; `NOT_TAKEN` at the end. */
function nextChunk(cursor: Cursor): number {
  while (cursor.place < cursor.end) {
    const chunk = cursor.numbers[cursor.chunks[cursor.place++] ?? 0] ?? NOT_TAKEN;
    if (chunk !== NOT_TAKEN) return chunk;
  }
  return NOT_TAKEN;
}

/** Takes the posting before a cursor's place. */
function take(merging: Merging, { times, many, place }: Cursor, chunk: number): void {
  const count = times[place - 1] ?? 0;
  merging.chunks[merging.end] = chunk;
  merging.times[merging.end] = count;
  if (count === MANY) merging.many.push(merging.end, many.get(place - 1) ?? MANY);
  merging.end++;
}

/** Pairs of a posting's place and its count as a map. */
export function mapOfMany(manyTimes: Uint32Array): Map<number, number> {
  const many = new Map<number, number>();
  for (let place = 0; place < manyTimes.length; place += 2) many.set(manyTimes[place] ?? 0, manyTimes[place + 1] ?? 0);
  return many;
}
