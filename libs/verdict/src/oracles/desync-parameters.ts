import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';

type Asked = Pick<OracleOf<'desync'>, 'ranks'>;
type State = EvidenceOf<'parameters'> & { rank: number };

const MOST_GROUNDED = 8;

function statesOf(view: EvidenceView): State[] {
  return view.records.filter((record): record is State => record.kind === 'parameters' && record.rank !== undefined);
}

/** What ranks have at one moment, after one update of one optimiser: by rank, as records come in whatever order the ranks run. */
function momentsOf(states: readonly State[]): State[][] {
  const moments = new Map<string, State[]>();
  for (const state of states) {
    const key = JSON.stringify([state.step ?? null, state.optimizer, state.update]);
    const moment = moments.get(key);
    if (moment) moment.push(state);
    else moments.set(key, [state]);
  }
  return [...moments.values()].map((moment) => moment.toSorted((left, right) => left.rank - right.rank));
}

function namesOf(state: State): string {
  return JSON.stringify([state.class, state.count, state.entries.map(({ name }) => name)]);
}

function hashesOf(state: State): string {
  return state.entries.map(({ sha256 }) => sha256).join();
}

/** States with the same bytes, the largest group first. */
function equalStates(moment: readonly State[]): State[][] {
  const groups = new Map<string, State[]>();
  for (const state of moment) groups.set(hashesOf(state), [...(groups.get(hashesOf(state)) ?? []), state]);
  return [...groups.values()].toSorted((left, right) => right.length - left.length);
}

function firstDifference(left: State, right: State): string {
  const index = left.entries.findIndex(({ sha256 }, at) => sha256 !== right.entries[at]?.sha256);
  const count = left.entries.filter(({ sha256 }, at) => sha256 !== right.entries[at]?.sha256).length;
  return `first in ${left.entries[index]?.name ?? 'none'}, in ${count} of ${left.entries.length} parameters`;
}

function rankList(states: readonly State[]): string {
  return states.map(({ rank }) => rank).join(', ');
}

function describe(state: State): string {
  return `rank ${state.rank}, ${state.class} after update ${state.update}: ${state.entries.length} hashes`;
}

/** Without a majority all ranks are named: two cannot tell which of them is wrong. */
function difference(moment: readonly State[], groups: readonly State[][]): string {
  const [largest = [], ...others] = groups;
  const outside = others.flat();
  const [left] = largest;
  const [right] = outside;
  const first = left && right ? `, ${firstDifference(left, right)}` : '';
  const place = `after update ${left?.update ?? 0} of optimiser ${left?.optimizer ?? 0} (${left?.class ?? ''})`;
  if (largest.length <= moment.length / 2) return `${place} ranks ${rankList(moment)} do not agree${first}`;
  return `${place} rank ${rankList(outside)} differs from ranks ${rankList(largest)}${first}`;
}

function judgeMoment(moment: readonly State[], ranks: number): OracleAnswer | null {
  const grounding = moment.slice(0, MOST_GROUNDED).map((state) => groundedIn(state.seq, describe(state)));
  const { update = 0 } = moment[0] ?? {};
  const seen = new Set(moment.map(({ rank }) => rank)).size;
  if (seen !== moment.length) return answer('undecided', grounding, 'a rank ran in more than one process');
  if (seen !== ranks) return answer('undecided', grounding, `update ${update} was seen of ${seen} of ${ranks} ranks`);
  if (new Set(moment.map(namesOf)).size > 1) return answer('undecided', grounding, 'ranks update other parameters, as shards are');
  if (moment.some((state) => state.entries.every(({ sha256 }) => sha256 === '')))
    return answer('undecided', grounding, 'the parameters cannot be read');
  const groups = equalStates(moment);
  return groups.length > 1 ? answer('shown', grounding, difference(moment, groups)) : null;
}

/** Shown where the parameters that one optimiser updates are not the same on all ranks after the same update, byte by byte. */
export function evaluateParameters(asked: Asked, view: EvidenceView): OracleAnswer {
  const states = statesOf(view);
  const first = states.slice(0, 2).map((state) => groundedIn(state.seq, describe(state)));
  if (states.length === 0) return withoutSignal(view, answer('undecided', [], 'no update of an optimiser was recorded'));
  const seen = new Set(states.map(({ rank }) => rank)).size;
  const ranks = asked.ranks ?? Math.max(2, seen);
  if (seen !== ranks) return withoutSignal(view, answer('undecided', first, `${seen} of ${ranks} ranks made an update`));
  const answers = momentsOf(states).flatMap((moment) => judgeMoment(moment, ranks) ?? []);
  const decided = answers.find(({ state }) => state === 'shown') ?? answers[0];
  if (decided) return decided.state === 'undecided' ? withoutSignal(view, decided) : decided;
  return wasCut(view) ? answer('undecided', first, cutNote(view)) : answer('absent', first);
}
