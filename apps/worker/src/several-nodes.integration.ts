import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceRecord, Facet } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { createLocalSandbox } from '@reenact/sandbox';
import { runBenchTrial, runPods, type BenchTrial } from '@reenact/sandbox/testing';
import { createEvidenceView, evaluateOracle, failureOf, probePartsOf } from '@reenact/verdict';
import { findTorch } from './testing/torch-bed.js';

/** Distributed bugs with a real torch: what oracles read of several pods is what they read of this machine alone. */
const interpreter = await findTorch({ searchPath: process.env['PATH'] ?? '', install: process.env['CI'] !== undefined });
let workDirectory: string;

beforeAll(async () => {
  workDirectory = await mkdtemp(path.join(tmpdir(), 'reenact-nodes-'));
});
afterAll(() => rm(workDirectory, { recursive: true, force: true }));

interface Judged {
  answer: { state: string; note: string | undefined };
  failure: { signature: string; raisedIn: string } | null;
  ends: string[];
}

function judge(oracle: Oracle, records: readonly EvidenceRecord[]): Judged {
  const view = createEvidenceView(records);
  const { state, note } = evaluateOracle(oracle, view);
  const failure = failureOf(view);
  const ends = view.exits.map(({ rank, code, signal, endedBy }) => `${rank ?? ''}: ${code ?? signal} by ${endedBy}`);
  return { answer: { state, note }, failure: failure && { signature: failure.signature, raisedIn: failure.raisedIn }, ends: ends.sort() };
}

/** What the local sandbox and pods with one and with two processes each make of a script and its oracle. */
async function everywhere(oracle: object, trial: BenchTrial & { ranks: number }): Promise<{ local: Judged; pods: Judged }> {
  const parsed = Oracle.parse(oracle);
  const facet: Facet = { id: 'f1', statement: 's', span: null, stance: 'observed', oracles: [parsed], shownBy: 'measurement' };
  const whole = {
    ...trial,
    probe: probePartsOf([facet], 'candidate'),
    steps: [{ argv: ['python', '@script/main.py'], ranks: trial.ranks }],
  };
  const local = await runBenchTrial(createLocalSandbox({ workDirectory }), interpreter ?? '', whole);
  const pods = await runPods(interpreter ?? '', { ...whole, nodes: 2 });
  expect([local.outcome.outcome, pods.statuses]).toEqual(['finished', [0, 0]]);
  return { local: judge(parsed, local.records), pods: judge(parsed, pods.merged()) };
}

const GROUP =
  'import os, sys, time\nimport torch\nimport torch.distributed as dist\ndist.init_process_group("gloo")\nrank, world = dist.get_rank(), dist.get_world_size()\n';
const MAIN = { 'main.py': 'import train\ntrain.main()\n' };
const train = (body: string): { 'train.py': string } => ({
  'train.py': `${GROUP}def main():\n${body.replaceAll(/^/gm, '    ')}\n`,
});

describe.each(interpreter === null ? [] : [2, 4])('%i ranks in two pods, and on one machine', (ranks) => {
  const judgeTrain = (oracle: object, body: string, parts: Partial<BenchTrial> = {}): Promise<{ local: Judged; pods: Judged }> =>
    everywhere(oracle, { script: MAIN, subject: train(body), ranks, ...parts });

  it('have the same root where one rank raises', async () => {
    const body = 'dist.barrier()\nif rank == world - 1:\n    raise ValueError("shard %d is empty" % rank)\ndist.all_reduce(torch.ones(2))';
    const { local, pods } = await judgeTrain({ kind: 'exception', types: ['ValueError'] }, body);
    expect(pods).toMatchObject({ answer: { state: 'shown' }, failure: { raisedIn: 'subject' } });
    expect([pods.answer, pods.failure]).toEqual([local.answer, local.failure]);
    expect(pods.ends).toContain(`${ranks - 1}: 1 by self`);
  });

  it('hang alike where one rank leaves out a collective', async () => {
    // Long, since ranks that are late to their group leave the others waiting in silence.
    const body = 'dist.barrier()\nif rank == world - 1:\n    dist.recv(torch.ones(2), src=0)\nelse:\n    dist.all_reduce(torch.ones(2))';
    const { local, pods } = await judgeTrain({ kind: 'hang', silentSeconds: 10 }, body, { silentSeconds: 10 });
    expect([pods.answer, pods.ends]).toEqual([local.answer, local.ends]);
    expect(pods.answer.state).toBe('shown');
    expect(pods.ends).toHaveLength(ranks);
  });

  it('part alike where a rank calls another collective', async () => {
    const body =
      'dist.all_reduce(torch.ones(2))\nif rank == 1:\n    dist.all_reduce(torch.ones(3))\nelse:\n    dist.all_reduce(torch.ones(2))';
    const { local, pods } = await judgeTrain({ kind: 'desync', of: 'collectives' }, body);
    expect(pods.answer).toEqual(local.answer);
    expect(pods.answer).toMatchObject({ state: 'shown', note: expect.stringContaining('rank 1 calls') as string });
  });

  it('read the same rows where the sampler does not know its rank', async () => {
    const body =
      'from torch.utils.data import DataLoader, DistributedSampler, TensorDataset\ndata = TensorDataset(torch.arange(16.0))\nfor _ in DataLoader(data, batch_size=4, sampler=DistributedSampler(data, world, 0)):\n    pass\ndist.barrier()';
    const { local, pods } = await judgeTrain({ kind: 'desync', of: 'rows', rows: 'disjoint' }, body);
    expect(pods.answer).toEqual(local.answer);
    expect(pods.answer.state).toBe('shown');
  });

  it('end by the same signal where one rank crashes', async () => {
    const body = 'dist.barrier()\nif rank == 1:\n    import ctypes\n    ctypes.string_at(0)\ndist.barrier()';
    const { local, pods } = await judgeTrain({ kind: 'exit', signal: 'SIGSEGV' }, body);
    expect([pods.answer, pods.failure]).toEqual([local.answer, local.failure]);
    expect(pods.answer.state).toBe('shown');
  });

  it('end well where one rank is merely late', async () => {
    const body =
      'if rank == 1:\n    time.sleep(2)\nvalue = torch.ones(1) * rank\ndist.all_reduce(value)\nprint("OBS sum=%d" % value.item())';
    const relation = { kind: 'relation', left: { obs: 'sum', take: 'all' }, op: '==', right: (ranks * (ranks - 1)) / 2 };
    const { local, pods } = await judgeTrain(relation, body);
    expect(pods).toEqual(local);
    expect(pods).toMatchObject({ answer: { state: 'shown' }, failure: null });
  });
});
