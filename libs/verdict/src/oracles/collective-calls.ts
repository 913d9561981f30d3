import type { EvidenceOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';

export type CollectiveCall = EvidenceOf<'collective'> & { rank: number };

/** The calls of one group in one step of the launch, each rank's in its own order. */
export interface CollectiveGroup {
  name: string;
  /** Ranks that have to take part; empty where the probe could not list them all. */
  members: number[];
  size: number;
  byRank: Map<number, CollectiveCall[]>;
}

function hasRank(record: EvidenceOf<'collective'>): record is CollectiveCall {
  return record.rank !== undefined;
}

/** Collectives that the probe recorded, calls between two ranks left out; those of a process without a rank as well. */
export function collectiveCalls(view: EvidenceView): CollectiveCall[] {
  return view.records
    .filter((record): record is EvidenceOf<'collective'> => record.kind === 'collective' && !record.pointToPoint)
    .filter(hasRank);
}

/** Groups in the order in which they are used first. */
export function collectiveGroups(calls: readonly CollectiveCall[]): CollectiveGroup[] {
  const groups = new Map<string, CollectiveGroup>();
  for (const call of calls) {
    const key = JSON.stringify([call.step ?? null, call.group]);
    const group = groups.get(key) ?? {
      name: call.group,
      members: call.members.length === call.size ? call.members : [],
      size: call.size,
      byRank: new Map<number, CollectiveCall[]>(),
    };
    groups.set(key, group);
    const own = group.byRank.get(call.rank);
    if (own) own.push(call);
    else group.byRank.set(call.rank, [call]);
  }
  return [...groups.values()];
}

function dtypeName(dtype: string): string {
  return dtype.replace(/^torch\./, '');
}

/** Such as `all_reduce(SUM) float32[2, 3]`. */
export function describeCall({ op, reduction, root, dtype, shape }: CollectiveCall): string {
  const details = [...(reduction === undefined ? [] : [reduction]), ...(root === undefined ? [] : [`root ${root}`])];
  const tensor = dtype === undefined ? '' : ` ${dtypeName(dtype)}[${(shape ?? []).join(', ')}]`;
  return `${op}${details.length === 0 ? '' : `(${details.join(', ')})`}${tensor}`;
}

/** Where the call stands in subject or script; empty where nothing tells. */
export function callPlace({ at }: CollectiveCall): string {
  if (at === undefined) return '';
  return ` at ${at.file}${at.line === undefined ? '' : `:${at.line}`}${at.function === undefined ? '' : ` in ${at.function}`}`;
}
