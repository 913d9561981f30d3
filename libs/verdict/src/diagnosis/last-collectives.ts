import type { EvidenceRecord } from '@reenact/domain';
import { createEvidenceView, type EvidenceView } from '../evidence/evidence-view.js';
import { callPlace, describeCall, type CollectiveCall } from '../oracles/collective-calls.js';
import { groundedIn } from '../oracles/oracle-answer.js';
import { recordsOf, type TrialExplanation } from './trial-explanation.js';

const MOST_RANKS = 8;

/** Whether the rank's own process is known to be over, or to stand still. */
function stateOf(call: CollectiveCall, view: EvidenceView): string {
  const exit = view.exits.find(({ pid }) => pid === call.pid);
  if (exit?.endedBy === 'self') return 'ended after';
  const stall = view.stalls.at(-1);
  if (stall?.blocked.some(({ pid }) => pid === call.pid)) return 'was blocked, its last call';
  const peer = stall?.elsewhere.find(({ pid }) => pid === call.pid);
  return peer === undefined ? 'called last' : `was ${peer.state}, its last call`;
}

function describeLast(call: CollectiveCall, view: EvidenceView): string {
  const place = call.pointToPoint ? 'between two ranks' : `number ${call.number} of group ${call.group}`;
  return `rank ${call.rank} ${stateOf(call, view)} ${describeCall(call)} (${place})${callPlace(call)}`;
}

/** What each rank called last, which is what it waits for where it stands still; null where no two ranks made a call. */
export function lastCollectives(records: readonly EvidenceRecord[]): TrialExplanation | null {
  const byRank = new Map<number, CollectiveCall>();
  for (const { rank, ...call } of recordsOf(records, 'collective')) if (rank !== undefined) byRank.set(rank, { ...call, rank });
  const calls = [...byRank.values()].toSorted((left, right) => left.rank - right.rank).slice(0, MOST_RANKS);
  if (calls.length < 2) return null;
  const view = createEvidenceView(records);
  return {
    text: calls.map((call) => describeLast(call, view)).join('; '),
    grounding: calls.map((call) => groundedIn(call.seq, describeLast(call, view))),
  };
}
