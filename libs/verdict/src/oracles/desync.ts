import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { type ObservedLine, observedLines, ownField } from './observed-line.js';
import type { Comparable } from './observed-value.js';
import { evaluateCollectives } from './desync-collectives.js';
import { evaluateParameters } from './desync-parameters.js';
import { evaluateRows } from './desync-rows.js';
import { answer, type EvaluationOptions, groundedIn, type OracleAnswer, unboundAnswer } from './oracle-answer.js';
import { sameResult } from './same-result.js';

type DesyncOracle = OracleOf<'desync'>;

/** What the ranks report at one place, by rank: one step, and the n-th value of that step. */
interface Place {
  name: string;
  lines: ObservedLine[];
}

function placesOf(lines: readonly ObservedLine[]): Place[] {
  const places = new Map<string, Place>();
  const times = new Map<string, number>();
  for (const line of lines) {
    const step = ownField(line, 'step');
    const own = JSON.stringify([step ?? null, line.rank]);
    const seen = times.get(own) ?? 0;
    times.set(own, seen + 1);
    const key = JSON.stringify([step ?? null, seen]);
    const place = places.get(key) ?? { name: step === undefined ? `value ${seen + 1}` : `step ${JSON.stringify(step)}`, lines: [] };
    place.lines.push(line);
    places.set(key, place);
  }
  const byRank = (left: ObservedLine, right: ObservedLine): number => Number(left.rank) - Number(right.rank);
  return [...places.values()].map((place) => ({ ...place, lines: place.lines.toSorted(byRank) }));
}

/** Ranks whose values are the same, the largest group first; null where two values cannot be compared. */
function groupsOf(place: Place, oracle: DesyncOracle): ObservedLine[][] | null {
  const groups: ObservedLine[][] = [];
  for (const line of place.lines) {
    const results = groups.map((group) => sameResult(line.value, group[0]?.value ?? null, oracle));
    if (results.includes(null)) return null;
    const own = groups[results.indexOf(true)];
    if (own) own.push(line);
    else groups.push([line]);
  }
  return groups.toSorted((left, right) => right.length - left.length);
}

function rankNames(lines: readonly ObservedLine[]): string {
  return lines.map((line) => JSON.stringify(line.rank)).join(', ');
}

function valueText(value: Comparable | undefined): string {
  return JSON.stringify(value ?? null).slice(0, 60);
}

/** Where two sequences part, such as the names of collectives in the order of their calls. */
function partingPoint(left: Comparable | undefined, right: Comparable | undefined, oracle: DesyncOracle): string {
  if (!Array.isArray(left) || !Array.isArray(right)) return '';
  const at = left.findIndex((item, index) => index >= right.length || sameResult(item, right[index] ?? null, oracle) !== true);
  const index = at === -1 ? left.length : at;
  return `, first at position ${index}: ${valueText(left[index])} and ${valueText(right[index])}`;
}

/** Ranks outside the majority; without one all of them, as two ranks cannot tell which of them is wrong. */
function describeDifference(place: Place, groups: readonly ObservedLine[][], oracle: DesyncOracle): string {
  const [largest = [], next = []] = groups;
  const outside = groups.slice(1).flat();
  const parting = partingPoint(largest[0]?.value, next[0]?.value, oracle);
  if (largest.length <= place.lines.length / 2) return `at ${place.name} ranks ${rankNames(place.lines)} do not agree${parting}`;
  return `at ${place.name} rank ${rankNames(outside)} differs from ranks ${rankNames(largest)}${parting}`;
}

function isRank(rank: Comparable): boolean {
  return typeof rank === 'number' && Number.isInteger(rank) && rank >= 0;
}

/** Walks the places in order: the first one that a rank lacks ends what can be compared. */
function judgePlaces(oracle: DesyncOracle, lines: readonly ObservedLine[], ranks: number): OracleAnswer {
  const places = placesOf(lines);
  const first = lines.slice(0, 4).map((line) => groundedIn(line.seq, line.text));
  const hasSteps = lines.every((line) => ownField(line, 'step') !== undefined);
  const missing = places.find((place) => place.lines.length !== ranks);
  const gap = missing ? answer('undecided', first, `${missing.name} has values of ${missing.lines.length} of ${ranks} ranks`) : null;
  // Without steps a missing value shifts all that follow, and nobody knows from where on.
  if (gap && !hasSteps) return gap;
  for (const place of places) {
    if (gap && place === missing) return gap;
    const groups = groupsOf(place, oracle);
    const grounding = place.lines.slice(0, 8).map((line) => groundedIn(line.seq, line.text));
    if (groups === null) return answer('undecided', grounding, `the values at ${place.name} are of unlike forms`);
    if (groups.length > 1) return answer('shown', grounding, describeDifference(place, groups, oracle));
  }
  return answer('absent', first);
}

/** Shown when something that all ranks must share differs between them at the same place: a value, or what the probe recorded. */
export function evaluateDesync(oracle: DesyncOracle, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  if (oracle.of === 'collectives') return evaluateCollectives(oracle, view, options);
  if (oracle.of === 'parameters') return evaluateParameters(oracle, view);
  if (oracle.of === 'rows') return evaluateRows(oracle, view);
  if (oracle.name === undefined) return unboundAnswer(oracle);
  const lines = observedLines(view, oracle.name, oracle.where);
  if (lines.length === 0) return withoutSignal(view, answer('undecided', [], `the observation ${oracle.name} was never made`));
  const grounding = lines.slice(0, 4).map((line) => groundedIn(line.seq, line.text));
  if (!lines.every((line) => isRank(line.rank))) return answer('undecided', grounding, 'a line does not tell its rank');
  const seen = new Set(lines.map((line) => line.rank)).size;
  const ranks = oracle.ranks ?? Math.max(2, seen);
  if (seen !== ranks) return withoutSignal(view, answer('undecided', grounding, `${seen} of ${ranks} ranks reported`));
  const decided = judgePlaces(oracle, lines, ranks);
  if (decided.state === 'undecided') return withoutSignal(view, decided);
  return decided.state === 'absent' && wasCut(view) ? answer('undecided', grounding, cutNote(view)) : decided;
}
