import { LABELS } from './labels.js';
import type { Collection } from './resource-path.js';

/** What a list tells of one object of an execution. */
export interface SweptObject {
  collection: Collection;
  name: string;
  uid: string;
  /** Name of its execution. */
  execution: string;
  /** Run of a workflow that asked for it; null where it does not say. */
  origin: WorkflowRun | null;
  /** After this moment nobody needs it, in milliseconds since 1970; null where it does not say. */
  notAfter: number | null;
  /** Since when it is being deleted, in milliseconds since 1970; for a pod when its grace is over. Null = it is not. */
  deletedAt: number | null;
}

export interface WorkflowRun {
  workflowId: string;
  runToken: string;
}

/** What became of a run of a workflow; one that a server does not know may belong to another. */
export type WorkflowFate = 'open' | 'closed' | 'unknown';

export interface SweepPlan {
  /** Each with its reason; where an execution has its root, the root alone. */
  remove: { object: SweptObject; why: 'not-after' | 'workflow-closed' }[];
  /** Executions that stay as somebody may want them. */
  kept: number;
  /** What a person should look at: pods that do not end, and objects that nobody can tell the end of. */
  findings: string[];
}

/** Objects that are being deleted for longer hang: a node that does not answer, or a finalizer that nobody takes away. */
const HANGING_MILLISECONDS = 600_000;

/**
 * Which objects of executions nobody needs any more. An execution is deleted when its time is over, or when the run of its workflow is
 * known to have closed. While that run is open, or no server at hand knows it, it stays until its time is over. Pods are never taken by
 * themselves: they go with their Job. Objects whose root is gone are taken one by one, after the same rule.
 *
 * @param nowMilliseconds since 1970.
 * @param fates by `runKey`; what is not among them is unknown.
 */
export function planSweep(objects: readonly SweptObject[], nowMilliseconds: number, fates: ReadonlyMap<string, WorkflowFate>): SweepPlan {
  const plan: SweepPlan = { remove: [], kept: 0, findings: [] };
  for (const group of Map.groupBy(objects, ({ execution }) => execution).values()) {
    for (const object of group) {
      if (object.deletedAt === null || nowMilliseconds - object.deletedAt <= HANGING_MILLISECONDS) continue;
      const minutes = Math.floor((nowMilliseconds - object.deletedAt) / 60_000);
      plan.findings.push(`${object.collection}/${object.name} is being deleted for ${minutes} min and does not go`);
    }
    const root = group.find(isRoot);
    const handles = root === undefined ? group.filter(({ collection }) => collection !== 'pods') : [root];
    const due = handles.flatMap((object) => {
      const why = object.deletedAt === null ? dueBecause(object, nowMilliseconds, fates) : null;
      return why === null ? [] : [{ object, why }];
    });
    plan.remove.push(...due);
    const staying = handles.filter((object) => object.deletedAt === null && !due.some((one) => one.object === object));
    if (staying.length > 0) plan.kept += 1;
    for (const { collection, name, notAfter } of staying)
      if (notAfter === null) plan.findings.push(`${collection}/${name} does not say until when it is needed`);
  }
  return plan;
}

/** Runs of workflows whose fate decides: those of executions whose time is not over yet. */
export function undecidedRuns(objects: readonly SweptObject[], nowMilliseconds: number): WorkflowRun[] {
  const runs = objects.flatMap(({ origin, notAfter, deletedAt, collection }) =>
    origin === null || deletedAt !== null || collection === 'pods' || (notAfter !== null && notAfter < nowMilliseconds) ? [] : [origin],
  );
  return [...new Map(runs.map((run) => [runKey(run), run])).values()];
}

/** Key of a run in `fates`. */
export function runKey({ workflowId, runToken }: WorkflowRun): string {
  return JSON.stringify([workflowId, runToken]);
}

/** The ConfigMap that owns all other objects of its execution. */
function isRoot({ collection, name, execution }: SweptObject): boolean {
  return collection === 'configmaps' && name === execution;
}

function dueBecause(
  { notAfter, origin }: SweptObject,
  nowMilliseconds: number,
  fates: ReadonlyMap<string, WorkflowFate>,
): 'not-after' | 'workflow-closed' | null {
  if (notAfter !== null && notAfter < nowMilliseconds) return 'not-after';
  return origin !== null && fates.get(runKey(origin)) === 'closed' ? 'workflow-closed' : null;
}

/** Reads an item of a list; null where it is no object of an execution. */
export function sweptObject(collection: Collection, item: unknown): SweptObject | null {
  const { metadata } = (item ?? {}) as { metadata?: Record<string, unknown> };
  const { name, uid, deletionTimestamp } = metadata ?? {};
  const labels = (metadata?.['labels'] ?? {}) as Record<string, unknown>;
  const annotations = (metadata?.['annotations'] ?? {}) as Record<string, unknown>;
  const execution = labels[LABELS.execution];
  if (typeof name !== 'string' || typeof uid !== 'string' || typeof execution !== 'string') return null;
  const workflowId = annotations[LABELS.workflowId];
  const runToken = labels[LABELS.runToken];
  const origin = typeof workflowId === 'string' && typeof runToken === 'string' ? { workflowId, runToken } : null;
  return {
    collection,
    name,
    uid,
    execution,
    origin,
    notAfter: momentOf(annotations[LABELS.notAfter]),
    deletedAt: momentOf(deletionTimestamp),
  };
}

function momentOf(text: unknown): number | null {
  const moment = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isFinite(moment) ? moment : null;
}
