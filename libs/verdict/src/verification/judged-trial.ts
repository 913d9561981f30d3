import type { Arm, FacetState, Lever, Trial } from '@reenact/domain';
import type { TrialGrounding } from '../oracles/oracle-answer.js';

/** What one trial says about one facet. */
export interface JudgedFacet {
  id: string;
  state: FacetState;
  grounding: TrialGrounding[];
  note?: string;
  /** Why what was shown counts with a control only. */
  needsControl?: string;
}

/** What the judge needs to know about a trial beside its facets. */
export interface TrialFacts {
  /** Exit codes of the first-level processes of the last step; null where a signal ended one. */
  exitCodes: (number | null)[];
  /** The limit that ended the trial, or null. */
  cutBy: string | null;
  /** Signature of the first failure that was no consequence of another one: an exception, a signal, a stall. */
  failure: { signature: string; type: string; seq: number; raisedIn: string } | null;
  observationNames: string[];
  subjectFiles: string[];
  /** Ranks or processes that the trial really had. */
  ranks: number;
  /** Whether an exception of the trial has a subject frame. */
  subjectInException: boolean;
  /** Whether the probe ran in an interpreter of the trial; without it nothing is known about the code that ran. */
  probeAlive: boolean;
  python: string | null;
  sandbox: string | null;
}

/** One trial after its evidence was read: small, serialisable, and all that planner and judge see of it. */
export interface JudgedTrial {
  trial: string;
  arm: Arm;
  index: number;
  /** Condition that was set on purpose; absent = none. */
  lever?: Lever;
  seconds: number;
  outcome: Trial['outcome'];
  infraReason: string | null;
  /** Whether the sentinel appeared anywhere in the evidence; null for arms without one. */
  sentinelSeen: boolean | null;
  facets: JudgedFacet[];
  facts: TrialFacts | null;
}
