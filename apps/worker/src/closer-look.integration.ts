import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceRecord, Explanation, Facet } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { createLocalSandbox } from '@reenact/sandbox';
import { runBenchTrial, type BenchTrial } from '@reenact/sandbox/testing';
import { createEvidenceView, evaluateOracle, explain, probePartsOf } from '@reenact/verdict';
import { findTorch } from './testing/torch-bed.js';

/** What the probe sees of a real torch, and what is made of it. */
const interpreter = await findTorch({ searchPath: process.env['PATH'] ?? '', install: process.env['CI'] !== undefined });
let workDirectory: string;

beforeAll(async () => {
  workDirectory = await mkdtemp(path.join(tmpdir(), 'reenact-look-'));
});
afterAll(() => rm(workDirectory, { recursive: true, force: true }));

function facetOf(oracle: object): Facet {
  return { id: 'f1', statement: 's', span: null, stance: 'observed', oracles: [Oracle.parse(oracle)], shownBy: 'measurement' };
}

async function evidenceOf(facet: Facet, arm: 'candidate' | 'diagnosis', trial: BenchTrial): Promise<EvidenceRecord[]> {
  const result = await runBenchTrial(createLocalSandbox({ workDirectory }), interpreter ?? '', {
    ...trial,
    probe: probePartsOf([facet], arm),
  });
  expect(result.outcome.outcome).toBe('finished');
  return result.records;
}

async function closerLook(oracle: object, trial: BenchTrial): Promise<Explanation[]> {
  const facet = facetOf(oracle);
  return explain([facet], [{ trial: 't', index: 0, records: await evidenceOf(facet, 'diagnosis', trial) }]);
}

const NET = `
import torch
from torch import nn

class Scale(nn.Module):
    def forward(self, x):
        return x / x.std(dim=0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(3, 3), Scale())
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.encoder(x))
`;
const TRAIN = `
import torch
from net import Net
torch.manual_seed(0)
net = Net()
for rows in (4, 4, 1):
    print("OBS loss=%r" % net(torch.randn(rows, 3)).mean().item())
`;
const STEP = `
import torch
import torch.distributed as dist

def step(rank, batches):
    for number in range(batches):
        dist.all_reduce(torch.ones(4))
`;
const RANKS = (batches: string, end = '') => `
import os
import torch.distributed as dist
from step import step
rank = int(os.environ["RANK"])
dist.init_process_group("gloo", rank=rank, world_size=2)
step(rank, ${batches})
${end}
`;
/** Where `shared` is false gradients are never averaged: `no_sync` around every step. */
const FIT = `
import contextlib
import torch
from torch.nn.parallel import DistributedDataParallel

def fit(rank, shared):
    torch.manual_seed(0)
    net = DistributedDataParallel(torch.nn.Linear(2, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for number in range(3):
        with contextlib.nullcontext() if shared else net.no_sync():
            loss = (net(torch.ones(4, 2) * (rank + 1)) - number).pow(2).sum()
            optimizer.zero_grad()
            loss.backward()
        optimizer.step()
`;
const DATA_PARALLEL = (shared: string) => `
import os
import torch.distributed as dist
from fit import fit
rank = int(os.environ["RANK"])
dist.init_process_group("gloo", rank=rank, world_size=2)
fit(rank, ${shared})
`;
const twoRanks = (script: string): BenchTrial => ({
  subject: { 'step.py': STEP },
  script: { 'main.py': script },
  steps: [{ argv: ['python', '@script/main.py'], ranks: 2 }],
  limits: { wallSeconds: 240 },
});

if (interpreter !== null) {
  describe('a closer look with torch', () => {
    it('names the module in which NaN comes up first', async () => {
      const trial = { subject: { 'net.py': NET }, script: { 'main.py': TRAIN }, limits: { wallSeconds: 240 } };
      const [told] = await closerLook({ kind: 'nonfinite', name: 'loss' }, trial);
      expect(told?.text).toMatch(/^first NaN in the output of encoder\.1 \(Scale\) at its forward call 3: float32\[1, 3\], inputs finite/);
    });

    it('shows ranks that part in their collectives, and agreeing ones as such', async () => {
      const facet = facetOf({ kind: 'desync', of: 'collectives' });
      const answerOf = async (script: string) => {
        const view = createEvidenceView(await evidenceOf(facet, 'candidate', twoRanks(script)));
        return facet.oracles.map((oracle) => evaluateOracle(oracle, view))[0];
      };
      expect((await answerOf(RANKS('2')))?.state).toBe('absent');
      // The rank with fewer batches leaves without a word: its peer waits for ever, or fails.
      const parted = await answerOf(RANKS('3 if rank == 0 else 2', 'dist.destroy_process_group()'));
      expect([parted?.state, parted?.note]).toEqual([
        'shown',
        'at call 3 of group world rank 0 calls all_reduce(SUM) float32[4] at step.py:7 in step, rank 1 never comes to it',
      ]);
    });

    it('shows ranks whose parameters drift apart, and names the first of them', async () => {
      const facet = facetOf({ kind: 'desync', of: 'parameters' });
      const answerOf = async (shared: string) => {
        const view = createEvidenceView(
          await evidenceOf(facet, 'candidate', { ...twoRanks(DATA_PARALLEL(shared)), subject: { 'fit.py': FIT } }),
        );
        return facet.oracles.map((oracle) => evaluateOracle(oracle, view))[0];
      };
      expect((await answerOf('True'))?.state).toBe('absent');
      const apart = await answerOf('False');
      expect([apart?.state, apart?.note]).toEqual([
        'shown',
        'after update 1 of optimiser 0 (SGD) ranks 0, 1 do not agree, first in module.weight, in 2 of 2 parameters',
      ]);
    });

    it('tells what the ranks of a hang wait for', async () => {
      const waits = RANKS('3 if rank == 0 else 2', 'import threading; threading.Event().wait() if rank == 1 else None');
      const told = await closerLook({ kind: 'hang', silentSeconds: 5 }, { ...twoRanks(waits), silentSeconds: 5 });
      expect(told.at(-1)?.text).toMatch(/^rank 0 was blocked, its last call all_reduce\(SUM\) float32\[4\] \(number 3 of group world\)/);
      expect(told.at(-1)?.text).toMatch(/; rank 1 was blocked, its last call all_reduce.*\(number 2 of group world\)/);
    });
  });
} else {
  it('was not tried: no interpreter on the search path has torch', () => {
    expect(process.env['CI']).toBeUndefined();
  });
}
