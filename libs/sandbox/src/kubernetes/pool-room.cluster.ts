import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Pool } from '@reenact/domain/schemas';
import { createOrAdopt } from './create-or-adopt.js';
import { executionName } from './execution-names.js';
import { executionObjects, ownedBy } from './execution-objects.js';
import type { ExecutionSpec } from './execution-spec.js';
import { INSTALLATION } from './installation.js';
import type { KubeConnection } from './kube-connection.js';
import { LABELS } from './labels.js';
import { roomInPool } from './pool-room.js';
import { resourcePath } from './resource-path.js';
import { podDemand } from './run-job.js';
import { describeWithCluster } from './testing/cluster.js';
import { ask, connectAsAccount, installOverlay } from './testing/installed-cluster.js';
import { executionSpec } from './testing/specs.js';

const { runNamespace, systemNamespace, executorAccount } = INSTALLATION;
const GPU = 'nvidia.com/gpu';
const PATIENCE = { timeoutMilliseconds: 20_000, backoff: { first: 200, most: 2_000 }, retries: 3 };
const POOL = Pool.parse({
  name: 'gpu-4',
  nodeSelector: { [LABELS.nodePool]: 'gpu-4' },
  tolerations: [{ key: LABELS.nodePool, value: null }],
  gpus: 4,
  mostPods: 8,
  mostMemoryBytes: 2 ** 36,
});

/** Nodes are made up: the scheduler believes in them, and their pods never run. */
describeWithCluster('room in a pool', { nodes: 0 }, (cluster) => {
  let executor: KubeConnection;
  beforeAll(async () => {
    await installOverlay(cluster(), 'gpu-pools', 'registry.example/reenact/run');
    executor = await connectAsAccount(cluster(), systemNamespace, executorAccount);
    for (const node of ['room1', 'room2']) {
      await cluster().bed('fake', node);
      await cluster().bed('pool', node, POOL.name, `${GPU}=8`);
    }
  }, 300_000);
  afterAll(() => cluster().kubectl(['delete', 'node', 'room1', 'room2', '--ignore-not-found']));
  afterEach(async () => {
    for (const name of made.splice(0))
      await ask(executor, 'DELETE', resourcePath('configmaps', runNamespace, name), { propagationPolicy: 'Background' });
    // Nobody on their nodes says that they have ended.
    await cluster().kubectl(['-n', runNamespace, 'delete', 'pods', '-l', LABELS.execution, '--force', '--grace-period=0']);
  }, 120_000);

  const made: string[] = [];
  const specOf = (ranks: number): ExecutionSpec => ({
    ...executionSpec({ ranks, pool: POOL }),
    key: { ...executionSpec().key, trial: `room-${process.pid}-${Date.now()}` },
  });
  const room = (spec: ExecutionSpec) =>
    roomInPool(executor, POOL, podDemand(spec, POOL.gpus), {
      namespace: runNamespace,
      timeoutMilliseconds: 20_000,
      signal: AbortSignal.timeout(60_000),
    });

  const schedule = (spec: ExecutionSpec) => {
    made.push(executionName(spec.key));
    return countScheduled(executor, spec);
  };

  it('is what the scheduler finds: for all pods of an execution, or not for all', async () => {
    const four = specOf(4);
    expect(await room(four)).toEqual({ fits: true, roomNow: 4, roomAtMost: 4 });
    expect(await schedule(four)).toBe(4);
    const two = specOf(2);
    expect(await room(two)).toEqual({ fits: false, roomNow: 0, roomAtMost: 4 });
    expect(await schedule(two)).toBe(0);
  });

  it('is asked for all pods at once, where the scheduler would take some and leave the rest', async () => {
    const three = specOf(3);
    expect(await schedule(three)).toBe(3);
    const two = specOf(2);
    expect(await room(two)).toEqual({ fits: false, roomNow: 1, roomAtMost: 4 });
    expect(await schedule(two)).toBe(1);
    // Its other pod waits, and comes before anybody else.
    expect(await room(specOf(2))).toEqual({ fits: false, roomNow: 0, roomAtMost: 4 });
  });

  it('is less on a node that lost devices, and none on nodes that are closed', async () => {
    await cluster().bed('resource', 'room1', `${GPU}=4`);
    expect(await room(specOf(1))).toEqual({ fits: true, roomNow: 3, roomAtMost: 3 });
    await cluster().kubectl(['cordon', 'room2']);
    expect(await room(specOf(2))).toEqual({ fits: false, roomNow: 1, roomAtMost: 1 });
    await cluster().kubectl(['uncordon', 'room2']);
    await cluster().bed('resource', 'room1', `${GPU}=8`);
  });
});

/** Makes an execution as the executor does; how many of its pods get a node, once the scheduler has looked at all. */
async function countScheduled(executor: KubeConnection, spec: ExecutionSpec): Promise<number> {
  const { name, root, service, policy, job } = executionObjects(spec, new Date(Date.now() + 3_600_000));
  const options = { ...PATIENCE, signal: AbortSignal.timeout(60_000) };
  const answer = await createOrAdopt(executor, root, options);
  const owner = { name, uid: 'uid' in answer ? answer.uid : '' };
  for (const manifest of [service, policy, job]) if (manifest !== null) await createOrAdopt(executor, ownedBy(manifest, owner), options);
  const query = { labelSelector: `${LABELS.execution}=${name}` };
  const looked = async (): Promise<string[]> => {
    const { body } = await ask(executor, 'GET', resourcePath('pods', runNamespace), undefined, query);
    const { items } = body as { items: { status: { conditions?: { type: string; status: string }[] } }[] };
    return items.flatMap(({ status }) => status.conditions?.find(({ type }) => type === 'PodScheduled')?.status ?? []);
  };
  await expect.poll(async () => (await looked()).length, { timeout: 60_000 }).toBe(spec.ranks);
  return (await looked()).filter((status) => status === 'True').length;
}
