import { beforeAll, expect, it } from 'vitest';
import { createOrAdopt } from './create-or-adopt.js';
import { executionObjects, ownedBy } from './execution-objects.js';
import { INSTALLATION } from './installation.js';
import type { KubeConnection } from './kube-connection.js';
import { LABELS } from './labels.js';
import { sweepExecutions } from './sweep-executions.js';
import type { WorkflowFate } from './sweep-plan.js';
import { describeWithCluster } from './testing/cluster.js';
import { connectAsAccount, installOverlay } from './testing/installed-cluster.js';
import { executionSpec } from './testing/specs.js';

const { runNamespace, systemNamespace, executorAccount } = INSTALLATION;
const PATIENCE = { timeoutMilliseconds: 20_000, backoff: { first: 200, most: 2_000 }, retries: 3 };
const HOUR_MILLISECONDS = 3_600_000;

describeWithCluster('a sweep through a cluster', { nodes: 0 }, (cluster) => {
  let executor: KubeConnection;
  beforeAll(async () => {
    await installOverlay(cluster(), 'single-node', 'registry.example/reenact/run');
    executor = await connectAsAccount(cluster(), systemNamespace, executorAccount);
  }, 300_000);

  /** Makes the objects of an execution of two pods as the executor does; gives its name. */
  const make = async (runToken: string, notAfter: Date, hasRoot = true): Promise<string> => {
    const spec = executionSpec({ ranks: 2 });
    const key = { ...spec.key, runToken, trial: `sweep-${process.pid}-${Date.now()}` };
    const { name, root, service, policy, job } = executionObjects({ ...spec, key }, notAfter);
    const options = { ...PATIENCE, signal: AbortSignal.timeout(60_000) };
    const made = hasRoot ? await createOrAdopt(executor, root, options) : null;
    const owner = made !== null && 'uid' in made ? { name, uid: made.uid } : null;
    for (const manifest of [service, policy, job])
      if (manifest !== null) await createOrAdopt(executor, owner === null ? manifest : ownedBy(manifest, owner), options);
    return name;
  };
  const objectsOf = async (name: string): Promise<string[]> => {
    const kinds = 'configmaps,services,networkpolicies,jobs,pods';
    const text = await cluster().kubectl(['-n', runNamespace, 'get', kinds, '-l', `${LABELS.execution}=${name}`, '-o', 'name']);
    return text.split('\n').filter((line) => line !== '');
  };
  const sweep = (fates: Record<string, WorkflowFate>) =>
    sweepExecutions(
      { connection: executor, namespace: runNamespace, timeoutMilliseconds: 20_000, now: () => Date.now() },
      { fateOf: ({ runToken }) => Promise.resolve(fates[runToken] ?? 'unknown'), signal: AbortSignal.timeout(60_000) },
    );
  const expectGone = (name: string) => expect.poll(() => objectsOf(name), { timeout: 90_000, interval: 500 }).toEqual([]);

  it('takes orphans with all that is theirs and leaves the living, with the rights of the executor', { timeout: 240_000 }, async () => {
    const later = new Date(Date.now() + HOUR_MILLISECONDS);
    const living = await make('run-open', later);
    const foreign = await make('run-elsewhere', later);
    const orphan = await make('run-closed', later);
    const rootless = await make('run-closed', later, false);
    const late = await make('run-open', new Date(Date.now() - 1));
    const before = await objectsOf(living);
    expect(await sweep({ 'run-open': 'open', 'run-closed': 'closed' })).toEqual({ removed: 5, kept: 2, findings: [] });
    for (const name of [orphan, rootless, late]) await expectGone(name);
    expect(before.length).toBeGreaterThanOrEqual(4);
    expect(await objectsOf(living)).toEqual(expect.arrayContaining(before));
    expect((await objectsOf(foreign)).length).toBeGreaterThanOrEqual(4);
    expect(await sweep({ 'run-open': 'closed', 'run-elsewhere': 'closed' })).toMatchObject({ removed: 2, kept: 0 });
    for (const name of [living, foreign]) await expectGone(name);
  });
});
