import type { Candidate, TreeScan } from './scan-tree.js';
import type { SkippedPath, SourceKind } from '../source-files.js';

/** What will be indexed, said before it begins. */
export interface IndexPlan {
  files: number;
  bytes: number;
  kinds: Partial<Record<SourceKind, { files: number; bytes: number }>>;
  skipped: SkippedPath[];
}

/** How far the files that had to be read have come. */
export interface IndexProgress {
  filesDone: number;
  filesTotal: number;
  bytesDone: number;
  bytesTotal: number;
  /** By the speed so far; null at the very beginning. */
  secondsLeft: number | null;
}

/** What the check of a tree had to do. */
export interface IndexCounts {
  /** Files whose size and times were looked at. */
  stated: number;
  /** Files that were read and hashed, because they looked new or other. */
  hashed: number;
  /** Files whose content was not known. */
  parsed: number;
  /** Chunks of those files: none other was tokenised. */
  tokenised: number;
}

export function planOf({ candidates, skipped }: TreeScan): IndexPlan {
  const kinds: IndexPlan['kinds'] = {};
  for (const { kind, bytes } of candidates) {
    const sum = kinds[kind] ?? { files: 0, bytes: 0 };
    kinds[kind] = { files: sum.files + 1, bytes: sum.bytes + bytes };
  }
  return { files: candidates.length, bytes: bytesOf(candidates), kinds, skipped };
}

/** Counts files as they are done, and tells each time. */
export function trackProgress(
  candidates: readonly Candidate[],
  tell: ((progress: IndexProgress) => void) | undefined,
): (done: Candidate) => void {
  const bytesTotal = bytesOf(candidates);
  const begin = performance.now();
  let [filesDone, bytesDone] = [0, 0];
  return ({ bytes }) => {
    filesDone++;
    bytesDone += bytes;
    const seconds = (performance.now() - begin) / 1000;
    const secondsLeft = bytesDone === 0 || seconds < 0.5 ? null : (seconds * (bytesTotal - bytesDone)) / bytesDone;
    tell?.({ filesDone, filesTotal: candidates.length, bytesDone, bytesTotal, secondsLeft });
  };
}

/** The size of files together. */
export function bytesOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { bytes }) => sum + bytes, 0);
}
