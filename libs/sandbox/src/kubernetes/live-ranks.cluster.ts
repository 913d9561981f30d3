import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { parseEvidence } from '../evidence-reader.js';
import { LABELS } from './labels.js';
import { describeWithCluster } from './testing/cluster.js';
import { openLiveCluster } from './testing/live-executions.js';
import type { LiveCluster, LiveTrial } from './testing/live-executions.js';

const JOIN = 'import os, time, torch, torch.distributed as dist\ndist.init_process_group("gloo")\nrank = dist.get_rank()\n';
const REDUCE = `${JOIN}total = torch.ones(1) * (rank + 1)\ndist.all_reduce(total)\nprint("OBS", f"rank={rank}", f"total={total.item()}", flush=True)\n`;
const LIMITS = { wallSeconds: 100, memoryBytes: 768 * 1024 ** 2, diskBytes: 64 * 1024 ** 2 };

describeWithCluster('an execution of several pods', { nodes: 2 }, (cluster) => {
  let live: LiveCluster;
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
  }, 300_000);
  afterAll(() => live.close());
  afterEach(async () => {
    expect(await live.remains()).toEqual([]);
  }, 120_000);

  const run = (script: string, [pods, processes]: [number, number], parts: Partial<LiveTrial> = {}) => {
    const steps = [{ argv: ['python', '@script/main.py'], ranks: pods * processes, continueOnError: false }];
    const env = { OMP_NUM_THREADS: '1' };
    return live.run({ script, limits: LIMITS, spec: { ranks: pods }, ...parts, launch: { steps, env, ...parts.launch } });
  };
  const ofKind = <K extends EvidenceRecord['kind']>(evidence: Uint8Array | null, kind: K): EvidenceOf<K>[] =>
    parseEvidence(evidence ?? Buffer.alloc(0)).filter((record): record is EvidenceOf<K> => record.kind === kind);

  it.each<[number, number]>([
    [2, 1],
    [2, 4],
    [4, 1],
  ])('%i with %i processes reduces over all', async (pods, processes) => {
    const { classification, evidence, nodeNames } = await run(REDUCE, [pods, processes]);
    expect(classification).toMatchObject({ class: 'script' });
    const ranks = Array.from({ length: pods * processes }, (_, rank) => rank);
    const total = ranks.reduce((sum, rank) => sum + rank + 1, 0);
    const seen = ofKind(evidence, 'obs').map(({ rank, values }) => [rank, values['total']]);
    expect(seen.sort(([one], [other]) => Number(one) - Number(other))).toEqual(ranks.map((rank) => [rank, total]));
    expect(new Set(nodeNames).size).toBe(2);
  });

  it('hangs where a rank never comes to what the other waits for, and tells who waits where', async () => {
    const script = `${JOIN}dist.barrier()\nif rank == 0:\n    dist.all_reduce(torch.ones(1))\nelse:\n    open(os.dup(os.pipe()[0])).read()\n`;
    const { classification, evidence } = await run(script, [2, 1], { launch: { silentSeconds: 20 } });
    expect(classification).toMatchObject({ class: 'script' });
    expect(ofKind(evidence, 'exit').map(({ endedBy }) => endedBy)).toEqual(['hang', 'hang']);
    expect(ofKind(evidence, 'stall')).toMatchObject([
      { blocked: expect.arrayContaining([expect.objectContaining({ rank: 0 })]) as unknown },
    ]);
  });

  describe('is the cluster’s fault where in the middle', () => {
    const waiting = `${JOIN}print("ready", flush=True)\ntime.sleep(300)\n`;
    const podOf = (name: string, rank: number) =>
      live.kubectl('get', 'pods', '-l', `${LABELS.execution}=${name},${LABELS.index}=${rank}`, '-o', 'jsonpath={.items[0].metadata.name}');

    it.each([0, 1])('the pod of rank %i is deleted', async (rank) => {
      const meddle = async ({ name }: { name: string }) =>
        live.kubectl('delete', 'pod', await podOf(name, rank), '--grace-period=0', '--force');
      const { classification, evidence } = await run(waiting, [2, 1], { meddle });
      expect([classification.outcome, evidence]).toEqual(['infra', null]);
    });

    it('the nodes are cut off from each other', async () => {
      const { classification, evidence } = await run(waiting, [2, 1], { meddle: () => cluster().bed('node', '2', 'partition') });
      await cluster().bed('node', '2', 'heal');
      await live.kubectl('wait', '--for=condition=Ready', 'node/node2', '--timeout=60s');
      expect([classification.outcome, evidence]).toEqual(['infra', null]);
    });
  });

  it('has no room for one of its pods: none is judged', async () => {
    const pool = { name: 'cpu', nodeSelector: {}, tolerations: [], runtimeClass: null, priorityClass: null, queue: null, gpus: 0 };
    const { classification } = await run(REDUCE, [4, 1], { spec: { ranks: 4, pool: { ...pool, cpuMillis: 1_500 } } });
    expect(classification.outcome).toBe('infra');
  });
});
