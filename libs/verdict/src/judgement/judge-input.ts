import type { Clause, Environment, Facet, Finding, Verdict } from '@reenact/domain';
import type { JudgedTrial } from '../verification/judged-trial.js';
import type { ControlArm } from '../verification/trial-plan.js';

/** Everything that a verdict on one bundle rests on. */
export interface JudgeInput {
  facets: Facet[];
  /** Ids of facets that the caller takes out of the claim, with the reason in the facet's note. */
  notLive: string[];
  /** Rate in (0, 1] to reckon with: as an earlier series measured it, else as the report suggests; 1 = no chance involved. */
  expectedRate: number;
  /** `script`: the answer about one script (`not_shown`); `run`: about a report, to be folded by `foldRun`. */
  scope: 'script' | 'run';
  trials: JudgedTrial[];
  /** Control arms that exist, with a label for people: `fix.patch`, `torch 2.6.0`. */
  controls: { arm: ControlArm; label: string }[];
  /** Whether a tripwire tree could be built, and why not or what it wires. */
  tripwire: { built: boolean; note: string };
  /** Candidates verified in the run so far, this one included: α = 0.05 divided by it. */
  candidatesVerified: number;
  /** Findings of static and dynamic integrity rules, after they were confirmed or refuted. */
  findings: Finding[];
  /** What was asked of the environment and not met; null where nothing is known about it. */
  environmentDistance: Environment['distance'] | null;
  /** Where the data came from, where that is known; synthetic and stub lower the grade to C. */
  data: 'real' | 'synthetic' | 'stub' | null;
  /** Ranks that the report speaks of. */
  ranksAsked: number | null;
}

/** The part of a verdict that follows from evidence; `rate` counts trials in which every live facet was shown. */
export type Judgement = Pick<
  Verdict,
  | 'verdict'
  | 'sentence'
  | 'rate'
  | 'grade'
  | 'gradeReason'
  | 'depth'
  | 'facets'
  | 'controls'
  | 'levers'
  | 'seriesLever'
  | 'findings'
  | 'explanations'
  | 'reason'
> & {
  trials: number;
  /** The sentence in parts, each with what it rests on. */
  clauses: Clause[];
  /** Ids of the finished trials of the candidate arm. */
  candidates: string[];
  expectedRate: number;
};
