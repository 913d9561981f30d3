import type { BisectAxis, Bisection, BisectionStatus, Trial } from './schemas/index.js';

/** One place of the history. */
export interface BisectionPoint {
  /** Commit or version. */
  value: string;
  label: string;
}

export type ProbePhase = 'ends' | 'search' | 'validate';

/** What one trial at one point said. `skip`: the point could not be built or run, or another failure came. */
export interface ProbeResult {
  point: number;
  state: 'shown' | 'absent' | 'skip';
  phase: ProbePhase;
  /** Why it was skipped. */
  reason?: string;
}

/** What is known of the fault: how often a point that has it shows it, and how often one that lacks it seems to. */
export interface FaultRates {
  /** In (0, 1]. */
  shown: number;
  falselyShown: number;
}

/** All that the search knows; equal state, equal next step. */
export interface BisectionState {
  /** Number of points in order; index 0 is the good end, the last the bad end. At least 2. */
  points: number;
  rates: FaultRates;
  results: readonly ProbeResult[];
  /** Trials that may be spent. */
  maxTrials: number;
}

/** Points that trials cannot tell apart: consecutive ones of which all but the last could not be run. */
export interface CulpritGroup {
  first: number;
  last: number;
  probability: number;
}

/** What came of it. A culprit is named at a probability of at least 0.5, and marked as uncertain below 0.9 (verdict.md section 8). */
export interface BisectionConclusion {
  status: BisectionStatus;
  /** The first point with the fault; several where those between could not be run. Null below a probability of 0.5. */
  culprit: CulpritGroup | null;
  /** Points whose trials hardly fit any single change: the fault may come and go. The culprit is then never `found`. */
  contradictions: number[];
  trials: number;
}

/** The next trial, or the end. */
export type BisectionStep = { done: false; point: number; phase: ProbePhase } | { done: true; conclusion: BisectionConclusion };

/** Where a fault came in: activities beside those that every run has. */
export interface BisectionActivities {
  /** The points from the good end to the bad end, both included. @throws AppError of the group `user` where the ends do not fit. */
  listBisectionPoints(input: { axis: BisectAxis; python: string | null }): Promise<{ points: BisectionPoint[] }>;
  planProbe(state: BisectionState): Promise<BisectionStep>;
  /** The bundle's oracle over one trial. */
  readProbe(input: { bundleTree: string; trial: Trial }): Promise<Pick<ProbeResult, 'state' | 'reason'>>;
  /** Writes `bisection.json` and closes the run. */
  publishBisection(input: {
    runId: string;
    bundleId: string;
    axis: BisectAxis;
    points: BisectionPoint[];
    rates: FaultRates;
    results: ProbeResult[];
    conclusion: BisectionConclusion;
    seconds: number;
  }): Promise<Pick<Bisection, 'status' | 'sentence'>>;
}
