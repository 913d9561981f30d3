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

/** Says of a chunk that it is not taken over. */
export const NOT_TAKEN = 0xff_ff_ff_ff;

/** The postings of an earlier generation, some of whose chunks live on. */
export interface EarlierPostings {
  postings: Postings;
  /** New number of each of its chunks, `NOT_TAKEN` for one that is gone. Those that live on keep their order. */
  numbers: Uint32Array;
}

/** The postings of chunks that are new. */
export interface FreshPostings {
  postings: Postings;
  /** The number that each term has in the earlier generation; −1 where it has none. */
  earlierTerms: Int32Array;
}

/** Both together. `terms`: of each term its number in the earlier generation, or the complement (`~`) of its number among the fresh ones. */
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

/** Merges term by term, by chunk; terms that no chunk holds any more go. */
export function mergePostings(earlier: EarlierPostings, fresh: FreshPostings): MergedPostings {
  const earlierCount = earlier.postings.postingStarts.length - 1;
  const freshCount = fresh.postings.postingStarts.length - 1;
  const most = earlier.postings.postingChunks.length + fresh.postings.postingChunks.length;
  const merging: Merging = { chunks: new Uint32Array(most), times: new Uint8Array(most), many: [], end: 0 };
  const [old, own] = [cursorOf(earlier.postings), cursorOf(fresh.postings)];
  const freshTerms = new Int32Array(earlierCount).fill(-1);
  fresh.earlierTerms.forEach((term, place) => {
    if (term >= 0) freshTerms[term] = place;
  });
  const [starts, terms]: [number[], number[]] = [[0], []];
  const close = (term: number): void => {
    if (merging.end === starts.at(-1)) return;
    starts.push(merging.end);
    terms.push(term);
  };
  for (let term = 0; term < earlierCount; term++) {
    mergeTerm(merging, { cursor: old, term, numbers: earlier.numbers }, { cursor: own, term: freshTerms[term] ?? -1 });
    close(term);
  }
  for (let term = 0; term < freshCount; term++) {
    if ((fresh.earlierTerms[term] ?? -1) >= 0) continue;
    for (let place = own.starts[term] ?? 0; place < (own.starts[term + 1] ?? 0); place++) take(merging, own, place, own.chunks[place] ?? 0);
    close(~term);
  }
  const { chunks, times, many, end } = merging;
  const postings = {
    postingStarts: Uint32Array.from(starts),
    postingChunks: chunks.slice(0, end),
    postingTimes: times.slice(0, end),
    manyTimes: Uint32Array.from(many),
  };
  return { postings, terms: Int32Array.from(terms) };
}

interface Cursor {
  starts: Uint32Array;
  chunks: Uint32Array;
  times: Uint8Array;
  many: Map<number, number>;
}

function cursorOf({ postingStarts, postingChunks, postingTimes, manyTimes }: Postings): Cursor {
  return { starts: postingStarts, chunks: postingChunks, times: postingTimes, many: mapOfMany(manyTimes) };
}

/** Pairs of a posting's place and its count as a map. */
export function mapOfMany(manyTimes: Uint32Array): Map<number, number> {
  const many = new Map<number, number>();
  for (let place = 0; place < manyTimes.length; place += 2) many.set(manyTimes[place] ?? 0, manyTimes[place + 1] ?? 0);
  return many;
}

function mergeTerm(
  merging: Merging,
  { cursor: old, term, numbers }: { cursor: Cursor; term: number; numbers: Uint32Array },
  { cursor: own, term: ownTerm }: { cursor: Cursor; term: number },
): void {
  let place = ownTerm < 0 ? 0 : (own.starts[ownTerm] ?? 0);
  const end = ownTerm < 0 ? 0 : (own.starts[ownTerm + 1] ?? 0);
  for (let from = old.starts[term] ?? 0; from < (old.starts[term + 1] ?? 0); from++) {
    const chunk = numbers[old.chunks[from] ?? 0] ?? NOT_TAKEN;
    if (chunk === NOT_TAKEN) continue;
    for (; place < end && (own.chunks[place] ?? 0) < chunk; place++) take(merging, own, place, own.chunks[place] ?? 0);
    take(merging, old, from, chunk);
  }
  for (; place < end; place++) take(merging, own, place, own.chunks[place] ?? 0);
}

function take(merging: Merging, from: Cursor, place: number, chunk: number): void {
  const times = from.times[place] ?? 0;
  merging.chunks[merging.end] = chunk;
  merging.times[merging.end] = times;
  if (times === MANY) merging.many.push(merging.end, from.many.get(place) ?? MANY);
  merging.end++;
}
