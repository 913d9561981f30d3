import { isAppError } from '@reenact/domain';
import type { SweepReport } from '@reenact/domain';
import { deleteObject } from './delete-object.js';
import type { KubeConnection } from './kube-connection.js';
import { LABELS, OURS } from './labels.js';
import { listObjects } from './list-objects.js';
import { resourcePath } from './resource-path.js';
import type { Collection } from './resource-path.js';
import { planSweep, runKey, sweptObject, undecidedRuns } from './sweep-plan.js';
import type { SweptObject, WorkflowFate, WorkflowRun } from './sweep-plan.js';

export interface SweepDeps {
  connection: KubeConnection;
  namespace: string;
  timeoutMilliseconds: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface SweepOptions {
  /** What became of a run; throws where nobody can be asked, and then nothing is deleted. */
  fateOf: (run: WorkflowRun) => Promise<WorkflowFate>;
  signal: AbortSignal;
}

/** The root is made first, so it is read last: whatever was seen of an execution, its root was there by then, or is gone. */
const IN_ORDER: readonly Collection[] = ['pods', 'jobs', 'services', 'networkpolicies', 'configmaps'];
/** So that the report stays small enough for a workflow's history. */
const MOST_FINDINGS = 20;

/**
 * Deletes the executions of a namespace that nobody needs any more (`planSweep`), each by its root and only the very object that was seen.
 *
 * @throws AppError `cluster-unreachable` where the objects cannot be listed; what `fateOf` throws.
 */
export async function sweepExecutions(deps: SweepDeps, { fateOf, signal }: SweepOptions): Promise<SweepReport> {
  const objects = await listExecutions(deps, signal);
  const now = deps.now();
  const fates = new Map<string, WorkflowFate>();
  for (const run of undecidedRuns(objects, now)) {
    signal.throwIfAborted();
    fates.set(runKey(run), await fateOf(run));
  }
  const { remove, kept, findings } = planSweep(objects, now, fates);
  const report: SweepReport = { removed: 0, kept, findings: [] };
  for (const { object } of remove) {
    signal.throwIfAborted();
    const failure = await removeOne(deps, object);
    if (failure === null) report.removed += 1;
    else findings.push(failure);
  }
  report.findings = findings.slice(0, MOST_FINDINGS);
  if (findings.length > MOST_FINDINGS) report.findings.push(`and ${findings.length - MOST_FINDINGS} more`);
  return report;
}

async function listExecutions({ connection, namespace, timeoutMilliseconds }: SweepDeps, signal: AbortSignal): Promise<SweptObject[]> {
  const query = { labelSelector: `${LABELS.managedBy}=${OURS.managedBy},${LABELS.execution}` };
  const found: SweptObject[] = [];
  for (const collection of IN_ORDER) {
    const options = { query, timeoutMilliseconds, signal, metadataOnly: true };
    for (const item of await listObjects(connection, resourcePath(collection, namespace), options)) {
      const object = sweptObject(collection, item);
      if (object !== null) found.push(object);
    }
  }
  return found;
}

/** One that cannot be deleted keeps nobody else; the next sweep tries again. */
async function removeOne({ connection, namespace, timeoutMilliseconds }: SweepDeps, object: SweptObject): Promise<string | null> {
  const { collection, name, uid } = object;
  try {
    await deleteObject(connection, { collection, namespace, name, uid }, timeoutMilliseconds);
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.message.slice(0, 300);
  }
}
