import { describe, expect, it } from 'vitest';
import type { EvidenceOf } from '@reenact/domain';
import { parseEvidence } from '../evidence-reader.js';
import { formatEvidence } from '../evidence-writer.js';
import { joinRanks } from './join-ranks.js';
import type { PodRun } from './join-ranks.js';
import { classified } from './outcome-class.js';
import type { OutcomeClass } from './outcome-class.js';

const tree = { kind: 'subject' as const, treeHash: 'sha256:t', changed: [] as string[], t: 0 };

/** Evidence of a pod with one process that ended like this. */
function evidenceOf(end: Partial<EvidenceOf<'exit'>>, python = '3.11.7'): Uint8Array {
  return formatEvidence([
    { kind: 'begin', protocol: 1, sandbox: 'pod', isolation: [], kernel: '6.1', cpus: 1 },
    { kind: 'environment', python, platform: 'Linux-6.1', distributions: [] },
    { ...tree, when: 'before' },
    { kind: 'exit', code: 0, signal: null, wallSeconds: 1, cpuSeconds: 1, peakRssBytes: 1, endedBy: 'self', pid: 7, ...end },
    { ...tree, when: 'after' },
  ]);
}

const finished = (rank: number, end: Partial<EvidenceOf<'exit'>>, endedAtSeconds = 10, python?: string): PodRun => ({
  ...{ rank, classification: classified('script', 'the supervisor finished'), evidence: evidenceOf(end, python), endedAtSeconds },
});
const spoiled = (rank: number, name: OutcomeClass, endedAtSeconds = 10): PodRun => ({
  ...{ rank, classification: classified(name, name), evidence: null, endedAtSeconds },
});
const killed: Partial<EvidenceOf<'exit'>> = { code: null, signal: 'SIGKILL', endedBy: 'peer' };

describe('what came of all pods', () => {
  it('is one stream where all of them finished, and the first that failed by itself decides', () => {
    const joined = joinRanks([finished(1, { code: 3 }, 12), finished(0, killed, 11), finished(2, { code: 1 }, 13)]);
    expect([joined.classification.class, joined.rank]).toEqual(['script', 1]);
    const exits = parseEvidence(joined.evidence ?? new Uint8Array()).filter((record) => record.kind === 'exit');
    expect(exits.map(({ pid, endedBy }) => [pid, endedBy])).toEqual([
      [7, 'peer'],
      [10_000_007, 'self'],
      [20_000_007, 'self'],
    ]);
  });

  it('is that of the pod where there is one', () => {
    const run = finished(0, { endedBy: 'hang' });
    expect(joinRanks([run])).toEqual({ classification: run.classification, rank: null, evidence: run.evidence });
    expect(joinRanks([spoiled(0, 'infra-lost')])).toMatchObject({ classification: { class: 'infra-lost' }, evidence: null });
  });

  it.each<[string, PodRun[], OutcomeClass]>([
    ['a pod was lost', [finished(0, {}), spoiled(1, 'infra-lost')], 'infra-lost'],
    ['a pod was lost long after a script failed', [finished(0, { code: 1 }, 10), spoiled(1, 'infra-lost', 900)], 'infra-lost'],
    ['the others lost one that was killed', [spoiled(0, 'infra-net'), spoiled(1, 'script-oom-host')], 'script-oom-host'],
    ['a pod ended without evidence', [finished(0, {}), { ...finished(1, {}), evidence: null }], 'log-incomplete'],
    ['pods had other environments', [finished(0, {}), finished(1, {}, 10, '3.12.0')], 'harness'],
    ['a pod is missing', [finished(0, {}), finished(2, {})], 'harness'],
    ['evidence cannot be read', [finished(0, {}), { ...finished(1, {}), evidence: Buffer.from('no evidence') }], 'harness'],
  ])('is the cluster’s fault where %s', (_, runs, expected) => {
    const { classification, evidence } = joinRanks(runs);
    expect([classification.class, classification.outcome, evidence]).toEqual([expected, 'infra', null]);
  });

  it('is never one of nothing', () => {
    expect(() => joinRanks([])).toThrow(RangeError);
  });
});
