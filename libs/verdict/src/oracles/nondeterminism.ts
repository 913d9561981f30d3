import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { MIXED_NOTE, mixesProcesses, type ObservedLine, observedLines, ownField } from './observed-line.js';
import type { Comparable } from './observed-value.js';
import { answer, groundedIn, type OracleAnswer, unboundAnswer } from './oracle-answer.js';
import { sameResult } from './same-result.js';

type NondeterminismOracle = OracleOf<'nondeterminism'>;

const SEED_FIELD = /(?:^|[._])seed\d?$/i;

function seedNames(oracle: NondeterminismOracle, lines: readonly ObservedLine[]): string[] {
  const stated = lines.flatMap((line) => Object.keys(line.record.values)).filter((name) => SEED_FIELD.test(name) && name !== oracle.name);
  return [...new Set([...(oracle.seedName === undefined ? [] : [oracle.seedName]), ...stated])];
}

/** Why the seeds do not let the repeats be compared, or null. A seed that only some lines state is as good as another one. */
function seedProblem(oracle: NondeterminismOracle, lines: readonly ObservedLine[]): string | null {
  for (const name of seedNames(oracle, lines)) {
    const values = lines.map((line) => ownField(line, name));
    if (values.some((value) => value === undefined || value === null)) return `the seed ${name} is not stated for every repeat`;
    if (new Set(values.map((value) => JSON.stringify(value))).size > 1) return `the seed ${name} differs between the repeats`;
  }
  return null;
}

/** Values by what is compared: the same step of each repeat, or where repeats are numbered all that one repeat reports, in order. */
function comparedGroups(oracle: NondeterminismOracle, lines: readonly ObservedLine[]): Map<string, ObservedLine[]> {
  const groups = new Map<string, ObservedLine[]>();
  const times = new Map<string, number>();
  for (const line of lines) {
    const step = JSON.stringify(ownField(line, 'step') ?? null);
    const repeat = oracle.repeatName === undefined ? '' : JSON.stringify(ownField(line, oracle.repeatName) ?? null);
    const seen = times.get(`${step}/${repeat}`) ?? 0;
    times.set(`${step}/${repeat}`, seen + 1);
    const key = oracle.repeatName === undefined ? step : `${step}/${seen}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return groups;
}

function differing(oracle: NondeterminismOracle, group: readonly ObservedLine[]): [ObservedLine, ObservedLine] | null | 'unlike' {
  const [first, ...rest] = group;
  const results = rest.map((line) => ({ line, same: first ? sameResult(line.value, first.value, oracle) : null }));
  const other = results.find(({ same }) => same === false);
  if (first && other) return [first, other.line];
  return results.some(({ same }) => same === null) ? 'unlike' : null;
}

function firstDifference(oracle: NondeterminismOracle, groups: readonly ObservedLine[][]): ReturnType<typeof differing> {
  const results = groups.map((group) => differing(oracle, group));
  return results.find((result) => Array.isArray(result)) ?? (results.includes('unlike') ? 'unlike' : null);
}

function describeValue(value: Comparable): string {
  return JSON.stringify(value).slice(0, 80);
}

/** Shown when repeats under one seed give different results within a trial. */
export function evaluateNondeterminism(oracle: NondeterminismOracle, view: EvidenceView): OracleAnswer {
  if (oracle.name === undefined) return unboundAnswer(oracle);
  const lines = observedLines(view, oracle.name, oracle.where);
  if (lines.length === 0) return withoutSignal(view, answer('undecided', [], `the observation ${oracle.name} was never made`));
  const grounding = lines.slice(0, 4).map((line) => groundedIn(line.seq, line.text));
  if (mixesProcesses(lines)) return answer('undecided', grounding, MIXED_NOTE);
  const repeatName = oracle.repeatName;
  if (repeatName !== undefined && lines.some((line) => ownField(line, repeatName) === undefined))
    return answer('undecided', grounding, `the field ${repeatName} does not number every repeat`);
  const seeds = seedProblem(oracle, lines);
  if (seeds !== null) return answer('undecided', grounding, seeds);
  const groups = [...comparedGroups(oracle, lines).values()].filter((group) => group.length > 1);
  if (groups.length === 0) return withoutSignal(view, answer('undecided', grounding, 'fewer than two repeats were made'));
  const difference = firstDifference(oracle, groups);
  if (Array.isArray(difference)) {
    const note = `${describeValue(difference[0].value)} in one repeat, ${describeValue(difference[1].value)} in another`;
    return answer(
      'shown',
      difference.map((line) => groundedIn(line.seq, line.text)),
      note,
    );
  }
  if (difference === 'unlike') return answer('undecided', grounding, 'the values are of unlike forms');
  return wasCut(view) ? answer('undecided', grounding, `${cutNote(view)} before all repeats were made`) : answer('absent', grounding);
}
