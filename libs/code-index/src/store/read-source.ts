import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { SkipReason } from '../source-files.js';
import { LARGEST_BYTES } from '../source-files.js';
import type { Candidate } from './scan-tree.js';

/** Kernels stamp files by a clock of some milliseconds: only a file at rest for this long can't change again under the same times. */
const SETTLE_MILLISECONDS = 2_000;

/** A file's bytes with the look that it had when they were read. */
export interface ReadFile {
  look: Candidate;
  bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
  /** True when equal times will mean equal bytes. */
  isSettled: boolean;
}

/**
 * Reads a file that a scan found; the reason where it can't be read or grew too big since. A link that took the file's place is not
 * followed, and nothing waits on a pipe. @param now milliseconds since 1970.
 */
export function readSource(treeDirectory: string, candidate: Candidate, now: number): ReadFile | SkipReason {
  let descriptor: number;
  try {
    descriptor = openSync(path.join(treeDirectory, candidate.file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return 'unreadable';
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return 'unreadable';
    if (found.size > LARGEST_BYTES[candidate.kind]) return 'too-big';
    const bytes = readWhole(descriptor, found.size);
    // The look is the one from before reading: a write meanwhile changes it, so that the file is hashed again next time.
    const look = { ...candidate, bytes: found.size, modifiedAt: found.mtimeMs, changedAt: found.ctimeMs, inode: found.ino };
    const isSettled = bytes.length === found.size && Math.max(found.mtimeMs, found.ctimeMs) < now - SETTLE_MILLISECONDS;
    return { look, bytes, sha256: hash('sha256', bytes), isSettled };
  } catch {
    return 'unreadable';
  } finally {
    closeSync(descriptor);
  }
}

function readWhole(descriptor: number, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return length === size ? bytes : bytes.slice(0, length);
}
