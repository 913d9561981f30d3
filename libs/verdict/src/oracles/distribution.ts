import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { fisherOneSided, toNumber } from '../statistics/fisher.js';
import { mannWhitneyExact, MOST_RANKED_VALUES } from '../statistics/mann-whitney.js';
import { type ArmValue, ofArm, readArmValues } from './arm-values.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer, unboundAnswer } from './oracle-answer.js';

type DistributionOracle = OracleOf<'distribution'>;

/** 3 + 3 can never reach 0.05 (verdict.md section 4). */
const LEAST_VALUES = 5;
const ALPHA = 0.05;
/** Between the two nothing is decided, so that one answer never turns into its opposite. */
const CLEAR_ABSENCE = 0.1;

/** The arms must be long enough, and for a rate every value must be a yes or a no. */
function problemOf(oracle: DistributionOracle, greater: readonly ArmValue[], lesser: readonly ArmValue[]): string | null {
  const [one, other] = [greater.length, lesser.length];
  if (Math.min(one, other) < LEAST_VALUES) return `${one} and ${other} values, at least ${LEAST_VALUES} of each arm are needed`;
  if (one + other > MOST_RANKED_VALUES) return `${one + other} values, at most ${MOST_RANKED_VALUES} are compared`;
  const isRate = [...greater, ...lesser].every(({ value }) => value === 0 || value === 1);
  return oracle.test === 'rate' && !isRate ? 'a value of the rate is neither 0 nor 1' : null;
}

/** Chance of so great a difference in the claimed direction where the arms are alike. */
function chance(oracle: DistributionOracle, greater: readonly number[], lesser: readonly number[]): number {
  if (oracle.test === 'values') return mannWhitneyExact(greater, lesser).pGreater;
  const counts = (values: readonly number[]) => ({ shown: values.filter((value) => value === 1).length, total: values.length });
  return toNumber(fisherOneSided(counts(greater), counts(lesser)));
}

function numbers(values: readonly ArmValue[]): number[] {
  return values.map(({ value }) => value);
}

/** Shown when the values of one arm are greater than those of the other beyond chance: exact test, one-sided, α = 0.05. */
export function evaluateDistribution(oracle: DistributionOracle, view: EvidenceView): OracleAnswer {
  if (oracle.name === undefined || oracle.greaterArm === undefined || oracle.lesserArm === undefined) return unboundAnswer(oracle);
  const { values, problem } = readArmValues(view, oracle.name, oracle.armField, oracle.where);
  if (values.length === 0) return withoutSignal(view, answer('undecided', [], `the observation ${oracle.name} was never made`));
  const [greater, lesser] = [ofArm(values, oracle.greaterArm), ofArm(values, oracle.lesserArm)];
  const grounding = [...greater.slice(0, 3), ...lesser.slice(0, 3)].map(({ seq, text }) => groundedIn(seq, text));
  if (problem !== null) return answer('undecided', grounding, problem);
  const unfit = problemOf(oracle, greater, lesser);
  if (unfit !== null) return withoutSignal(view, answer('undecided', grounding, unfit));
  // More values can turn the test round, and looking until it turns is no test.
  if (wasCut(view)) return answer('undecided', grounding, `${cutNote(view)} before all values were there`);
  const p = chance(oracle, numbers(greater), numbers(lesser));
  const state = p <= ALPHA ? 'shown' : p > CLEAR_ABSENCE ? 'absent' : 'undecided';
  return answer(state, grounding, `p = ${p.toFixed(4)}, ${greater.length} against ${lesser.length} values`);
}
