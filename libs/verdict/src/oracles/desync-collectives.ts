import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import {
  callPlace,
  collectiveCalls,
  collectiveGroups,
  describeCall,
  type CollectiveCall,
  type CollectiveGroup,
} from './collective-calls.js';
import { wasCut, cutNote, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

type Asked = Pick<OracleOf<'desync'>, 'ranks'>;

/** Collectives whose tensors may be of other sizes on other ranks: NCCL gathers uneven ones. */
const UNEVEN: ReadonlySet<string> = new Set(['all_gather']);
const MOST_GROUNDED = 8;

/** What all ranks have to agree on in one call; a part that a call does not have is not compared. */
function isSameCall(left: CollectiveCall, right: CollectiveCall): boolean {
  const agrees = <T>(one: T | undefined, other: T | undefined): boolean => one === undefined || other === undefined || one === other;
  if (left.op !== right.op || !agrees(left.reduction, right.reduction) || !agrees(left.root, right.root)) return false;
  return agrees(left.dtype, right.dtype) && (UNEVEN.has(left.op) || agrees(left.shape?.join(), right.shape?.join()));
}

/** Calls that agree, the largest group first. */
function agreeing(calls: readonly CollectiveCall[]): CollectiveCall[][] {
  const groups: CollectiveCall[][] = [];
  for (const call of calls) {
    const own = groups.find(([first]) => first !== undefined && isSameCall(first, call));
    if (own) own.push(call);
    else groups.push([call]);
  }
  return groups.toSorted((left, right) => right.length - left.length);
}

function rankList(ranks: readonly number[]): string {
  return `rank${ranks.length === 1 ? '' : 's'} ${ranks.join(', ')}`;
}

function describeCalls(calls: readonly CollectiveCall[]): string {
  const [first] = calls;
  if (first === undefined) return '';
  const { length } = calls;
  return `${rankList(calls.map((call) => call.rank))} call${length === 1 ? 's' : ''} ${describeCall(first)}${callPlace(first)}`;
}

function grounded(calls: readonly CollectiveCall[]): OracleAnswer['grounding'] {
  return calls.slice(0, MOST_GROUNDED).map((call) => groundedIn(call.seq, `rank ${call.rank}: ${describeCall(call)}${callPlace(call)}`));
}

/** Calls that the script makes by itself, outside of the subject, are its own imitation of ranks. */
function fromSubject(calls: readonly CollectiveCall[], options: EvaluationOptions): boolean {
  return options.subjectIsLibrary === true || calls.some((call) => call.at?.place === 'subject');
}

/** Whether the process stood in torch.distributed when the trial was ended as hung. */
function standsInCall(pid: number | undefined, view: EvidenceView): boolean {
  const places = view.stalls.at(-1)?.blocked ?? [];
  return places.some((blocked) => blocked.pid === pid && blocked.at?.file.includes('torch/distributed/') === true);
}

/** Whether a rank surely makes no further call in this group: it ended well, or stands in a later call of another group. */
function isDone(rank: number, group: CollectiveGroup, seen: { view: EvidenceView; all: readonly CollectiveCall[] }): boolean {
  const { view, all } = seen;
  const last = all.findLast((call) => call.rank === rank);
  const exit = view.exits.find((one) => (last === undefined ? one.rank === rank : one.pid === last.pid));
  if (exit !== undefined && exit.endedBy === 'self') return exit.code === 0;
  if (view.cutBy === 'hang') return last !== undefined && group.byRank.get(rank)?.at(-1)?.seq !== last.seq && standsInCall(last.pid, view);
  return view.cutBy === null && view.exits.length > 0 && view.exits.every((one) => one.code === 0);
}

function missingAnswer(group: CollectiveGroup, number: number, seen: Seen): OracleAnswer {
  const present = seen.ranks.flatMap((rank) => group.byRank.get(rank)?.[number] ?? []);
  const lacking = seen.ranks.filter((rank) => group.byRank.get(rank)?.[number] === undefined);
  const grounding = grounded(present);
  const place = `call ${number + 1} of group ${group.name}`;
  if (!lacking.every((rank) => isDone(rank, group, seen)))
    return answer('undecided', grounding, `${place} was seen of ${present.length} of ${seen.ranks.length} ranks`);
  if (!fromSubject(present, seen.options)) return answer('undecided', grounding, `${place} is the script's own`);
  const without = `${rankList(lacking)} never come${lacking.length === 1 ? 's' : ''} to it`;
  return answer('shown', grounding, `at ${place} ${describeCalls(present)}, ${without}`);
}

interface Seen {
  view: EvidenceView;
  all: readonly CollectiveCall[];
  ranks: number[];
  options: EvaluationOptions;
}

/** Walks the calls of one group in their order; null where all ranks made the same. */
function judgeGroup(group: CollectiveGroup, seen: Seen): OracleAnswer | null {
  const longest = Math.max(...[...group.byRank.values()].map((calls) => calls.length));
  for (let number = 0; number < longest; number++) {
    const calls = seen.ranks.flatMap((rank) => group.byRank.get(rank)?.[number] ?? []);
    const groups = agreeing(calls);
    if (groups.length > 1) {
      const place = `call ${number + 1} of group ${group.name}`;
      if (!fromSubject(calls, seen.options)) return answer('undecided', grounded(calls), `${place} is the script's own`);
      return answer('shown', grounded(calls), `at ${place} ${groups.toReversed().map(describeCalls).join(', but ')}`);
    }
    if (calls.length < seen.ranks.length) return missingAnswer(group, number, seen);
  }
  return null;
}

/** A rank that restarted counts anew, so that nothing can be set beside the calls of the others. */
function hasRestart(calls: readonly CollectiveCall[]): boolean {
  const pids = new Map<string, number | undefined>();
  return calls.some((call) => {
    const key = `${call.step ?? ''}/${call.rank}`;
    const known = pids.has(key) ? pids.get(key) : call.pid;
    pids.set(key, known);
    return known !== call.pid;
  });
}

/**
 * Shown where ranks call other collectives, or the same with other tensors, at the same place of their group's order, or
 * where one ends while the others go on. Only the calls that Python makes are seen.
 */
export function evaluateCollectives(asked: Asked, view: EvidenceView, options: EvaluationOptions): OracleAnswer {
  const all = collectiveCalls(view);
  const first = grounded(all.slice(0, 2));
  if (all.length === 0) return withoutSignal(view, answer('undecided', [], 'no collective was recorded'));
  const ranks = [...new Set(all.map((call) => call.rank))].toSorted((left, right) => left - right);
  const world = asked.ranks ?? Math.max(2, ...all.filter((call) => call.group === 'world').map((call) => call.size));
  if (ranks.length !== world) return withoutSignal(view, answer('undecided', first, `${ranks.length} of ${world} ranks made a call`));
  if (hasRestart(all)) return withoutSignal(view, answer('undecided', first, 'a rank ran in more than one process'));
  const answers = collectiveGroups(all).flatMap((group) => {
    if (group.members.length === 0 && group.name !== 'world') return [answer('undecided', first, `group ${group.name} is too large`)];
    const members = group.name === 'world' ? ranks : group.members;
    return judgeGroup(group, { view, all, ranks: members, options }) ?? [];
  });
  const decided = answers.find(({ state }) => state === 'shown') ?? answers[0];
  if (decided) return decided.state === 'undecided' ? withoutSignal(view, decided) : decided;
  if (view.notices.some((notice) => notice.code === 'collectives-cut'))
    return answer('undecided', first, 'more calls were made than are recorded');
  return wasCut(view) ? answer('undecided', first, cutNote(view)) : answer('absent', first);
}
