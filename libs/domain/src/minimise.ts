import type { ProbeResult } from './bisection.js';
import type { ContentRef } from './schemas/index.js';

/** A smaller form of a candidate, as changes to the whole one: equal variants give equal files. */
export interface CutVariant {
  /** Numbers of the statements that are gone, ascending; what stands inside one of them goes with it. */
  removed: number[];
  /** Numbers in script or command line, by their own count, and what stands in their place. */
  numbers: [index: number, value: number][];
  /** Launch steps and their new number of ranks. */
  ranks: [step: number, ranks: number][];
}

/** Whether a variant still shows what the whole candidate shows. */
export interface CutResult {
  variant: CutVariant;
  keeps: boolean;
}

/** The next variant to try, or the smallest one that was found. */
export interface CutStep {
  done: boolean;
  variant: CutVariant;
}

/** Size of a candidate: lines of its scripts that hold anything. */
export interface CutSize {
  lines: number;
}

/** Making a bundle smaller: activities beside those that every run has. */
export interface MinimiseActivities {
  /** Adds a result to the log (content by reference, so that a long search keeps a short history) and says what comes next. */
  planCut(input: {
    candidate: ContentRef;
    log: ContentRef | null;
    result: CutResult | null;
    maxTests: number;
  }): Promise<CutStep & { log: ContentRef; tests: number }>;
  applyCut(input: { candidate: ContentRef; variant: CutVariant }): Promise<{ candidate: ContentRef; size: CutSize }>;
  /** Whether the trials so far tell that a variant keeps the fault. */
  weighCut(input: { states: ProbeResult['state'][]; rate: number }): Promise<'keeps' | 'lost' | 'more'>;
}
