import type { Arm, EvidenceRecord, Facet } from '@reenact/domain';
import { isReproduced, seededDraws } from '@reenact/domain';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { observedFacet, relationOracle } from './claim-builder.js';
import { createEvidence, frame } from './evidence-builder.js';
import { playSeries } from './series.js';
import { finishedTrial } from './trial-builder.js';

/** One way in which a flaky fault is reported and seen. */
export interface CoverageDesign {
  name: string;
  facet: Facet;
  /** How often the report says that it shows, in (0, 1]. */
  expectedRate: number;
}

/** The symptom that the harness sees. */
export const PRINTED_FACET = observedFacet([{ kind: 'output', pattern: 'bad', flags: '', stream: 'any', atLeast: 1 }]);
const MEASURED_FACET = observedFacet([relationOracle('acc', '>', 1)], { shownBy: 'measurement' });

/** Every design under which the planner stops by another rule. */
export const COVERAGE_DESIGNS: readonly CoverageDesign[] = [
  { name: 'the report suggests chance', facet: PRINTED_FACET, expectedRate: 0.3 },
  { name: 'the report suggests a rare fault', facet: PRINTED_FACET, expectedRate: 0.1 },
  { name: 'the report speaks of no chance', facet: PRINTED_FACET, expectedRate: 1 },
  { name: 'the report speaks of no chance, and one signature needs no test', facet: MEASURED_FACET, expectedRate: 1 },
];

/** Rates at which coverage is asked for. */
export const COVERAGE_RATES: readonly number[] = [0.1, 0.3, 0.5, 0.9];

/** A trial that prints and observes the fault, or shows that all is well. */
export function signalEvidence(isBad: boolean): EvidenceRecord[] {
  return createEvidence()
    .modules('train.py')
    .stdout(isBad ? 'bad' : 'good')
    .obs({ acc: isBad ? 2 : 0.5 })
    .exit(0)
    .build();
}

/** A trial whose tripwire went off in the subject. */
export function trippedEvidence(): EvidenceRecord[] {
  const frames = [frame('script', 'repro.py', '<module>'), frame('subject', 'train.py', 'train')];
  return createEvidence().modules('train.py').exception({ message: 'sentinel-1', frames }).exit(1).build();
}

/** Makes trials of a design: the fault in the candidate arm only, and a tripwire that holds. Equal evidence is judged once. */
export function createCoverageTrials({ facet }: Pick<CoverageDesign, 'facet'>): (arm: Arm, index: number, isBad: boolean) => JudgedTrial {
  const [bad, good] = [true, false].map((isBad) => finishedTrial('candidate', 0, signalEvidence(isBad), [facet]));
  const tripwire = finishedTrial('tripwire', 0, trippedEvidence(), [facet]);
  return (arm, index, isBad) => {
    const made = arm === 'tripwire' ? tripwire : arm === 'candidate' && isBad ? bad : good;
    return { ...(made as JudgedTrial), arm, index, trial: `${arm}-${index}` };
  };
}

/** What simulated verdicts on one fault came to. */
export interface SimulatedCoverage {
  verdicts: number;
  /** Verdicts whose published interval holds the true rate. */
  covered: number;
  /** Verdicts `reproduced…`, and how many of these hold it: a choice made by the counts that the interval rests on. */
  reproduced: number;
  reproducedCovered: number;
  /** Trials of the candidate arm, all verdicts together. */
  candidateTrials: number;
}

/**
 * Plays whole series of a fault with a true rate through the real planner and judge, early stopping and extensions included.
 * @param rate how often a candidate trial shows the fault, in [0, 1].
 * @param options the same seed gives the same series.
 */
export function simulateCoverage(design: CoverageDesign, rate: number, options: { verdicts: number; seed: number }): SimulatedCoverage {
  const makeTrial = createCoverageTrials(design);
  const { facet, expectedRate } = design;
  const totals: SimulatedCoverage = { verdicts: options.verdicts, covered: 0, reproduced: 0, reproducedCovered: 0, candidateTrials: 0 };
  for (let run = 0; run < options.verdicts; run += 1) {
    const draw = seededDraws(options.seed * 1_000_003 + run * 7_919 + Math.round(rate * 1_000));
    const { judgement } = playSeries([facet], (arm, index) => makeTrial(arm, index, arm === 'candidate' && draw() < rate), {
      expectedRate,
    });
    const isCovered = judgement.rate.low <= rate && rate <= judgement.rate.high;
    if (isCovered) totals.covered += 1;
    if (isReproduced(judgement.verdict)) {
      totals.reproduced += 1;
      if (isCovered) totals.reproducedCovered += 1;
    }
    totals.candidateTrials += judgement.rate.total;
  }
  return totals;
}
