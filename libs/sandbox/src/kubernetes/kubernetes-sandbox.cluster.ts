import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HANDED_OVER } from '@reenact/domain';
import type { Sandbox } from '@reenact/domain';
import { Pool } from '@reenact/domain/schemas';
import { SANDBOX_CONTRACT } from '../testing/sandbox-contract.js';
import { runBenchTrial } from '../testing/trial-bench.js';
import type { BenchTrial } from '../testing/trial-bench.js';
import { createKubernetesSandbox } from './kubernetes-sandbox.js';
import { INSTALLATION } from './installation.js';
import { LABELS } from './labels.js';
import { describeWithCluster } from './testing/cluster.js';
import { LIVE_REQUESTS, openLiveCluster } from './testing/live-executions.js';
import type { LiveCluster } from './testing/live-executions.js';
import { TEST_TIMINGS } from './timings.js';

const LIMITS = { memoryBytes: 256 * 1024 ** 2, diskBytes: 64 * 1024 ** 2 };

describeWithCluster('the sandbox of a cluster', { nodes: 2 }, (cluster) => {
  let live: LiveCluster;
  let sandbox: Sandbox;
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
    sandbox = open(live);
  }, 300_000);
  afterAll(() => live.close());
  afterEach(async () => {
    expect(await live.remains()).toEqual([]);
  }, 120_000);

  const run = (trial: BenchTrial, other: Sandbox = sandbox) =>
    runBenchTrial(other, live.image.interpreter, { ...trial, limits: { ...LIMITS, ...trial.limits } });

  describe('keeps the contract', () => {
    for (const check of SANDBOX_CONTRACT) {
      it(check.name, async () => {
        expect(await check.run(withSmallLimits(sandbox), live.image.interpreter)).toEqual(check.expected);
      });
    }
  });

  it('says which isolation a pod has', async () => {
    const { of } = await run({ script: { 'main.py': 'print(1)' } });
    expect(of('begin')).toMatchObject([
      { sandbox: 'pod', isolation: expect.arrayContaining(['no-capabilities', 'read-only-root']) as unknown },
    ]);
  });

  it('lets a trial run on that only this worker leaves, and the next worker takes it up', async () => {
    const executionId = randomUUID();
    const script = { 'main.py': 'import time, uuid\nprint(uuid.uuid4(), flush=True)\ntime.sleep(8)\n' };
    const leave = new AbortController();
    const first = run({ script, executionId, signal: leave.signal });
    const pod = await runningPod(live);
    leave.abort(HANDED_OVER);
    expect((await first).outcome.outcome).toBe('cancelled');
    const next = open(live);
    const second = await run({ script, executionId }, next);
    expect(second.outcome.outcome).toBe('finished');
    expect(second.stdout()).toHaveLength(1);
    expect(await seenPods(live, pod)).toEqual([pod]);
  });

  it('takes a trial back that nobody wants any more', async () => {
    const stop = new AbortController();
    const trial = run({ script: { 'main.py': 'import time\ntime.sleep(60)\n' }, signal: stop.signal });
    await runningPod(live);
    stop.abort();
    expect((await trial).outcome.outcome).toBe('cancelled');
  });

  it('runs a trial again that the cluster spoiled, under another name', async () => {
    const trial = run({ script: { 'main.py': 'import time\ntime.sleep(6)\nprint("done")\n' } });
    const pod = await runningPod(live);
    await live.kubectl('delete', 'pod', pod, '--wait=false');
    const { outcome, stdout } = await trial;
    expect([outcome.outcome, stdout()]).toEqual(['finished', ['done']]);
  });

  it('gives up after some tries, with the reason', async () => {
    const { outcome } = await run({ script: { 'main.py': 'print(1)' } }, open(live, { 'reenact.dev/pool': 'none' }));
    expect(outcome).toMatchObject({ outcome: 'infra', reason: expect.stringMatching(/^capacity: no node takes the pod/) as unknown });
  });

  it('refuses an interpreter that no image has', async () => {
    await expect(runBenchTrial(sandbox, '/nowhere/python', {})).rejects.toMatchObject({ code: 'config-invalid' });
  });
});

function open(live: LiveCluster, nodeSelector: Record<string, string> = { 'reenact.dev/pool': 'cpu' }): Sandbox {
  return createKubernetesSandbox({
    watch: live.watch,
    make: LIVE_REQUESTS,
    namespace: INSTALLATION.runNamespace,
    serviceAccount: INSTALLATION.runAccount,
    clusterDomain: 'cluster.local',
    images: [live.image],
    canary: null,
    pools: [Pool.parse({ name: 'cpu', nodeSelector, cpuMillis: 250, mostMemoryBytes: 2 ** 36 })],
    installationKey: Buffer.alloc(32, 3),
    timings: { ...TEST_TIMINGS, schedulingSeconds: 5 },
    repeatBackoff: { first: 200, most: 1_000 },
  });
}

/** The contract's own trials ask for the ordinary limits, which no node of the test cluster has. */
function withSmallLimits(sandbox: Sandbox): Sandbox {
  const smaller: Sandbox['execute'] = (request, options) =>
    sandbox.execute({ ...request, launch: { ...request.launch, limits: { ...request.launch.limits, ...LIMITS } } }, options);
  return { kind: sandbox.kind, isolation: () => sandbox.isolation(), execute: smaller, close: () => undefined };
}

async function runningPod(live: LiveCluster): Promise<string> {
  for (;;) {
    const text = await live.kubectl('get', 'pods', '-l', LABELS.execution, '--field-selector=status.phase=Running', '-o', 'name');
    const [pod] = text.trim().split('\n');
    if (pod !== undefined && pod !== '') return pod.replace('pod/', '');
    await sleep(200);
  }
}

/** Names of the pods that were started on the way, as the events tell. */
async function seenPods(live: LiveCluster, pod: string): Promise<string[]> {
  const job = pod.replace(/-0-[a-z0-9]+$/, '');
  const text = await live.kubectl(
    'get',
    'events',
    '--field-selector=reason=Started',
    '-o',
    'jsonpath={range .items[*]}{.involvedObject.name} {end}',
  );
  return [...new Set(text.trim().split(' '))].filter((name) => name.startsWith(job));
}
