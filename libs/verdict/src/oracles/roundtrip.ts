import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { MIXED_NOTE, mixesProcesses, type ObservedLine, observedLines, ownField } from './observed-line.js';
import { answer, groundedIn, type OracleAnswer, unboundAnswer } from './oracle-answer.js';
import { sameResult } from './same-result.js';

type RoundtripOracle = OracleOf<'roundtrip'>;

interface Pair {
  left: ObservedLine;
  right: ObservedLine;
  same: boolean | null;
}

/** Pairs of values in their order, or null where one side has more values than the other. */
function pairsOf(left: readonly ObservedLine[], right: readonly ObservedLine[], oracle: RoundtripOracle): Pair[] | null {
  if (left.length !== right.length) return null;
  return left.flatMap((line, index) => {
    const other = right[index];
    return other ? [{ left: line, right: other, same: sameResult(other.value, line.value, oracle) }] : [];
  });
}

function groundingOf(pairs: readonly Pair[]): OracleAnswer['grounding'] {
  return pairs.slice(0, 3).flatMap(({ left, right }) => [groundedIn(left.seq, left.text), groundedIn(right.seq, right.text)]);
}

/**
 * Whether the two lines of every pair speak of one thing: texts that both carry, such as the name of a parameter, and steps
 * must agree, as values that come in another order afterwards would all seem changed. A single pair needs no telling apart.
 */
function matchLines(pairs: readonly Pair[], oracle: RoundtripOracle): boolean {
  const own = [oracle.before, oracle.after, oracle.beforeAgain];
  return pairs.every(({ left, right }) => {
    const shared = Object.keys(left.record.values).filter((name) => !own.includes(name) && Object.hasOwn(right.record.values, name));
    const telling = shared.filter((name) => name === 'step' || typeof ownField(left, name) === 'string');
    return pairs.length < 2 || telling.every((name) => sameResult(ownField(left, name) ?? null, ownField(right, name) ?? null) === true);
  });
}

/** Why what was there before is no fixed thing to compare with, or null. */
function unsteady(before: readonly ObservedLine[], oracle: RoundtripOracle, view: EvidenceView): string | null {
  if (oracle.beforeAgain === undefined) return null;
  const again = pairsOf(before, observedLines(view, oracle.beforeAgain, oracle.where), oracle);
  if (again === null) return `${oracle.beforeAgain} was not observed as often as ${oracle.before ?? ''}`;
  return again.every(({ same }) => same === true) ? null : 'the value differs by itself, without saving and loading';
}

/** Shown when a value that must survive saving and loading, or another round trip, is not the same afterwards. */
export function evaluateRoundtrip(oracle: RoundtripOracle, view: EvidenceView): OracleAnswer {
  if (oracle.before === undefined || oracle.after === undefined) return unboundAnswer(oracle);
  const before = observedLines(view, oracle.before, oracle.where);
  const after = observedLines(view, oracle.after, oracle.where);
  const missing = before.length === 0 ? oracle.before : after.length === 0 ? oracle.after : null;
  if (missing !== null) return withoutSignal(view, answer('undecided', [], `the observation ${missing} was never made`));
  const lines = [...before.slice(0, 2), ...after.slice(0, 2)].map((line) => groundedIn(line.seq, line.text));
  // Saving and loading may be two processes, one after the other, but not two ranks.
  const ranks = new Set([...before, ...after].map(({ rank }) => JSON.stringify(rank)));
  if (mixesProcesses(before) || mixesProcesses(after) || ranks.size > 1) return answer('undecided', lines, MIXED_NOTE);
  const pairs = pairsOf(before, after, oracle);
  if (pairs === null) return withoutSignal(view, answer('undecided', lines, `${before.length} values before, ${after.length} after`));
  if (!matchLines(pairs, oracle)) return answer('undecided', lines, 'the values before and after are not told in one order');
  const restless = unsteady(before, oracle, view);
  if (restless !== null) return answer('undecided', lines, restless);
  const changed = pairs.filter(({ same }) => same === false);
  if (changed.length > 0) return answer('shown', groundingOf(changed), `${changed.length} of ${pairs.length} values are not the same`);
  if (pairs.some(({ same }) => same === null)) return answer('undecided', groundingOf(pairs), 'the values are of unlike forms');
  return wasCut(view)
    ? answer('undecided', groundingOf(pairs), `${cutNote(view)} before all values were compared`)
    : answer('absent', groundingOf(pairs));
}
