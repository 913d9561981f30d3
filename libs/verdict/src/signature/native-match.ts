import { nativeWords, type Frame, type OracleOf } from '@reenact/domain';
import type { NativeEnd } from '../evidence/native-end.js';
import { matchFrames } from './frame-match.js';
import { matchMessage } from './message-match.js';

/** `unknown`: the claim tells more than the evidence can show or refute. */
export type NativeMatch = 'same' | 'other' | 'unknown';

/**
 * One fault of the heap is found by whichever check comes first, so glibc's words for it differ from run to run (malloc.c).
 * Freed twice, a pointer that never was one, and a header that was written over stay three faults.
 */
const HEAP_FAULTS: readonly RegExp[] = [
  /^double free or corruption \((?:fasttop|top|!prev)\)|^free\(\): double free detected/,
  /^(?:free|realloc|munmap_chunk|mremap_chunk)\(\): invalid pointer|^double free or corruption \(out\)/,
  /^(?:free|realloc|malloc)\(\): (?:invalid (?:next |old )?size|corrupted|memory corruption|mismatching|invalid size|unsorted|unaligned|smallbin|largebin)|^malloc_consolidate\(\)|^corrupted /,
];

function heapFault(message: string): number {
  return HEAP_FAULTS.findIndex((pattern) => pattern.test(message));
}

function matchWords(claimed: string, end: NativeEnd): NativeMatch {
  const seen = nativeWords(end);
  if (seen === '') return 'unknown';
  const family = heapFault(claimed);
  if (family >= 0) return heapFault(end.message) === family ? 'same' : 'other';
  const texts = end.message === '' ? [seen] : [seen, end.message];
  const matches = texts.map((text) => matchMessage(text, { text: claimed, match: 'signature' }));
  if (matches.includes('equal')) return 'same';
  // Words that are only like the claimed ones need frames beside them.
  return matches.includes('similar') ? 'unknown' : 'other';
}

function matchStack(claimed: readonly Frame[], end: NativeEnd): NativeMatch {
  // A thread without Python code has no place that could differ.
  if (end.frames === null || end.frames.length === 0) return 'unknown';
  const match = matchFrames(claimed, end.frames);
  return match === 'none' || match === 'weak' ? 'other' : 'same';
}

/** Compares what a claim tells of an end below Python with one that came: native words and Python frames. Pure. */
export function matchNative(oracle: Pick<OracleOf<'exit'>, 'message' | 'frames'>, end: NativeEnd): NativeMatch {
  const parts: NativeMatch[] = [];
  if (oracle.message !== undefined && oracle.message !== '') parts.push(matchWords(oracle.message, end));
  if (oracle.frames !== undefined && oracle.frames.length > 0) parts.push(matchStack(oracle.frames, end));
  if (parts.includes('other')) return 'other';
  // Either of the two is enough: text is lost where standard error is closed, frames where no handler was on.
  return parts.length === 0 || parts.includes('same') ? 'same' : 'unknown';
}
