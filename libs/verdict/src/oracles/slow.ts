import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { bootstrapRatio, type RatioInterval } from '../statistics/bootstrap-ratio.js';
import { type ArmValue, ofArm, readArmValues } from './arm-values.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer, unboundAnswer } from './oracle-answer.js';

type SlowOracle = OracleOf<'slow'>;

const LEAST_VALUES = 5;
/** verdict.md section 4: 7 % is what machines differ by from one minute to the next. */
const LEAST_RATIO = 1.07;

interface Arms {
  slow: ArmValue[];
  fast: ArmValue[];
  /** What the cost may grow by: the ratio of the work in the scaling form. */
  allowed: number;
}

/** The arms that are compared: two named ones, or the largest and the smallest amount of work. Null where there is only one. */
function chooseArms(oracle: SlowOracle, values: readonly ArmValue[]): Arms | null {
  if (oracle.sizeField === undefined) return { slow: ofArm(values, oracle.slowArm), fast: ofArm(values, oracle.fastArm), allowed: 1 };
  const sizes = values.map(({ arm }) => arm).filter((size) => typeof size === 'number' && Number.isFinite(size) && size > 0) as number[];
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (sizes.length < values.length || least === most) return null;
  return { slow: ofArm(values, most), fast: ofArm(values, least), allowed: oracle.sizeCost === 'linear' ? most / least : 1 };
}

/** ABAB or ABBA: as many changes of the arm as the smaller arm has values. Blocks would take a drift for the arm. */
function isInterleaved(one: readonly ArmValue[], other: readonly ArmValue[]): boolean {
  const order = [...one.map(({ seq }) => ({ seq, first: true })), ...other.map(({ seq }) => ({ seq, first: false }))];
  order.sort((left, right) => left.seq - right.seq);
  const changes = order.filter((value, index) => index > 0 && value.first !== order[index - 1]?.first).length;
  return changes >= Math.min(one.length, other.length);
}

/** Ratio of the medians, or why there is none. */
function compare(slow: readonly ArmValue[], fast: readonly ArmValue[]): RatioInterval | string {
  if (Math.min(slow.length, fast.length) < LEAST_VALUES)
    return `${slow.length} and ${fast.length} measurements, at least ${LEAST_VALUES} of each arm are needed`;
  if (![...slow, ...fast].every(({ value }) => value > 0)) return 'a duration is not above zero';
  if (!isInterleaved(slow, fast)) return 'the arms were not measured in turns';
  return bootstrapRatio(
    slow.map(({ value }) => value),
    fast.map(({ value }) => value),
  );
}

/** Why the machine is too restless to compare anything on it, or null: one arm measured under two names must be equally fast. */
function restless(oracle: SlowOracle, values: readonly ArmValue[], fast: readonly ArmValue[]): string | null {
  if (oracle.sameArm === undefined) return null;
  const same = compare(ofArm(values, oracle.sameArm), fast);
  if (typeof same === 'string') return `the arm that is measured twice: ${same}`;
  const isLevel = (same.low <= 1 && same.high >= 1) || (same.low > 1 / LEAST_RATIO && same.high < LEAST_RATIO);
  return isLevel ? null : `one and the same arm is ${same.ratio.toFixed(2)} times as slow as itself`;
}

function judge(oracle: SlowOracle, interval: RatioInterval, allowed: number): { state: 'shown' | 'absent' | 'undecided'; note: string } {
  const bound = allowed * Math.max(LEAST_RATIO, 1 + (oracle.atLeastRatio - 1) / 2);
  const [ratio, low, high] = [interval.ratio, interval.low, interval.high].map((number) => number.toPrecision(3));
  const note = `${ratio ?? ''} times as slow (95 %: ${low ?? ''} to ${high ?? ''}), asked for ${bound.toPrecision(3)}`;
  return { state: interval.low > bound ? 'shown' : interval.high < bound ? 'absent' : 'undecided', note };
}

/** Shown when the ratio of the two arms' median durations, measured in turns, lies wholly beyond half the claimed slowdown. */
export function evaluateSlow(oracle: SlowOracle, view: EvidenceView): OracleAnswer {
  const isNamed = oracle.sizeField !== undefined || (oracle.slowArm !== undefined && oracle.fastArm !== undefined);
  if (oracle.name === undefined || !isNamed) return unboundAnswer(oracle);
  const { values, problem } = readArmValues(view, oracle.name, oracle.sizeField ?? oracle.armField, oracle.where);
  if (values.length === 0) return withoutSignal(view, answer('undecided', [], `the observation ${oracle.name} was never made`));
  const arms = chooseArms(oracle, values);
  const grounding = [...(arms?.slow.slice(0, 3) ?? []), ...(arms?.fast.slice(0, 3) ?? [])].map(({ seq, text }) => groundedIn(seq, text));
  if (problem !== null) return answer('undecided', grounding, problem);
  if (arms === null) return withoutSignal(view, answer('undecided', grounding, 'there are no two amounts of work to compare'));
  const interval = compare(arms.slow, arms.fast);
  if (typeof interval === 'string') return withoutSignal(view, answer('undecided', grounding, interval));
  const unfit = restless(oracle, values, arms.fast);
  if (unfit !== null) return answer('undecided', grounding, unfit);
  if (wasCut(view)) return answer('undecided', grounding, `${cutNote(view)} before all was measured`);
  const { state, note } = judge(oracle, interval, arms.allowed);
  return answer(state, grounding, note);
}
