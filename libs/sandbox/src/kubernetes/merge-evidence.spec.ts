import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { parseEvidence } from '../evidence-reader.js';
import { formatEvidence } from '../evidence-writer.js';
import type { ScriptedRecord } from '../evidence-writer.js';
import { mergeEvidence, NODE_PIDS } from './merge-evidence.js';
import type { NodeEvidence } from './merge-evidence.js';

type Parts = {
  begin?: Partial<EvidenceOf<'begin'>>;
  environment?: Partial<EvidenceOf<'environment'>>;
  before?: Partial<EvidenceOf<'subject'>>;
  after?: Partial<EvidenceOf<'subject'>>;
  files?: Partial<EvidenceOf<'file'>>[];
  leftBehind?: number;
};

/** The stream of one node with these records between its heads and its tails. */
function streamOf(node: number, body: readonly ScriptedRecord[], parts: Parts = {}): NodeEvidence {
  const tree = { kind: 'subject' as const, treeHash: 'sha256:t', changed: [] as string[] };
  const records: ScriptedRecord[] = [
    { kind: 'begin', protocol: 1, sandbox: 'pod', isolation: ['uid=1', 'read-only-root'], kernel: '6.1', cpus: 2, t: 0, ...parts.begin },
    { kind: 'environment', python: '3.11.7', platform: 'Linux-6.1-glibc', distributions: [], t: 0, ...parts.environment },
    { ...tree, when: 'before', t: 0, ...parts.before },
    ...body,
    { ...tree, when: 'after', t: 1000, ...parts.after },
    ...(parts.files ?? []).map((file): ScriptedRecord => ({ ...FILE, t: 1000, ...file })),
  ];
  return { node, bytes: formatEvidence(records, parts.leftBehind ?? 0, 1000 + node) };
}

const FILE: EvidenceOf<'file'> = {
  ...{ seq: 0, t: 0, source: 'supervisor', kind: 'file', path: 'out.txt', state: 'regular', origin: 'new', sizeBytes: 3 },
  ...{ sha256: 'ab', format: 'text', keys: null, keysCut: false, head: 'abc', headCut: false },
};
const line = (text: string, t: number, rank = 0): ScriptedRecord => ({
  ...{ kind: 'stream', channel: 'stdout', line: text, pid: 7, rank, step: 0, t },
});
const mergedOf = (...streams: NodeEvidence[]): EvidenceRecord[] => parseEvidence(mergeEvidence(streams));
const kindOf = <K extends EvidenceRecord['kind']>(records: EvidenceRecord[], kind: K): EvidenceOf<K>[] =>
  records.filter((record): record is EvidenceOf<K> => record.kind === kind);

/** Times of records as supervisors write them: mostly rising, and a probe's earlier than those before them. */
const nodes = fc.array(
  fc.array(fc.record({ t: fc.integer({ min: 0, max: 50 }), value: fc.double({ noNaN: true, noDefaultInfinity: true }) })),
  {
    minLength: 1,
    maxLength: 5,
  },
);
const streamsOf = (times: { t: number; value: number }[][]): NodeEvidence[] =>
  times.map((own, node) =>
    streamOf(
      node,
      own.map(({ t, value }, index): ScriptedRecord => ({
        kind: 'obs',
        values: { name: `${node}/${index}`, value },
        t,
        pid: 5,
        rank: node,
      })),
    ),
  );

describe('evidence of several nodes', () => {
  it('has every record once, each node’s in its own order', () => {
    fc.assert(
      fc.property(nodes, (times) => {
        const observed = kindOf(mergedOf(...streamsOf(times)), 'obs');
        times.forEach((own, node) => {
          const mine = observed.filter(({ rank }) => rank === node);
          expect(mine.map(({ t, values }) => ({ t, ...values }))).toEqual(
            own.map(({ t, value }, index) => ({ t, name: `${node}/${index}`, value })),
          );
          expect(new Set(mine.map(({ pid }) => pid))).toEqual(new Set(own.length === 0 ? [] : [5 + node * NODE_PIDS]));
        });
        expect(observed).toHaveLength(times.flat().length);
      }),
    );
  });

  it('stands in the order of time where every node’s does', () => {
    fc.assert(
      fc.property(nodes, (times) => {
        const rising = times.map((own) => own.toSorted((one, other) => one.t - other.t));
        const observed = kindOf(mergedOf(...streamsOf(rising)), 'obs').map(({ t }) => t);
        expect(observed).toEqual(observed.toSorted((one, other) => one - other));
      }),
    );
  });

  it('does not depend on the order in which streams are given', () => {
    fc.assert(
      fc.property(
        nodes.chain((times) => fc.tuple(fc.constant(times), fc.shuffledSubarray([...times.keys()], { minLength: times.length }))),
        ([times, order]) => {
          const streams = streamsOf(times);
          const shuffled = order.flatMap((node) => streams[node] ?? []);
          expect(Buffer.from(mergeEvidence(shuffled)).equals(mergeEvidence(streams))).toBe(true);
        },
      ),
    );
  });

  it('is the stream itself where there is one', () => {
    fc.assert(
      fc.property(nodes, ([own = []]) => {
        const [stream] = streamsOf([own]);
        expect(mergeEvidence(stream === undefined ? [] : [stream])).toBe(stream?.bytes);
      }),
    );
  });

  it('has one head, of what all nodes share', () => {
    const kernel = { kernel: '6.2' };
    const records = mergedOf(
      streamOf(0, []),
      streamOf(1, [], { begin: { ...kernel, isolation: ['uid=1', 'no-capabilities'] }, environment: { platform: 'Linux-6.2-glibc' } }),
    );
    expect(records.slice(0, 3)).toMatchObject([
      { kind: 'begin', isolation: ['uid=1'], kernel: '6.1, 6.2', cpus: 4 },
      { kind: 'environment', platform: 'Linux-6.1-glibc' },
      { kind: 'subject', when: 'before' },
    ]);
    expect(records.map(({ kind }) => kind)).toEqual(['begin', 'environment', 'subject', 'subject', 'end']);
  });

  it('names what changed on any node, and sums what was left behind', () => {
    const during = (step: number, t: number, changed: string[]): ScriptedRecord => ({
      ...{ kind: 'subject', when: 'during', treeHash: changed.length === 0 ? 'sha256:t' : 'sha256:u', changed, step, t },
    });
    const records = mergedOf(
      streamOf(0, [during(0, 3, []), line('x', 4)], { leftBehind: 1, after: { changed: ['b', 'a'], treeHash: 'sha256:x' } }),
      streamOf(1, [during(0, 5, ['c']), during(1, 6, [])], { leftBehind: 2, after: { changed: ['b'], treeHash: 'sha256:y' } }),
    );
    const subjects = kindOf(records, 'subject');
    expect(subjects.map(({ when, step, changed }) => [when, step, changed])).toEqual([
      ['before', undefined, []],
      ['during', 0, ['c']],
      ['during', 1, []],
      ['after', undefined, ['a', 'b']],
    ]);
    expect(new Set(subjects.map(({ treeHash }) => treeHash)).size).toBe(3);
    expect(records.at(-1)).toMatchObject({ kind: 'end', leftBehind: 3, t: 1001 });
  });

  it('has samples that are sums over the nodes', () => {
    const sample = (t: number, rssBytes: number): ScriptedRecord => ({
      kind: 'sample',
      rssBytes,
      cpuSeconds: 0.1,
      processes: 2,
      threads: 3,
      t,
    });
    const records = mergedOf(streamOf(0, [sample(1, 100), sample(3, 50)]), streamOf(1, [sample(2, 10), sample(4, 0)]));
    const samples = kindOf(records, 'sample');
    expect(samples.map(({ rssBytes }) => rssBytes)).toEqual([100, 110, 60, 50]);
    expect(samples.at(-1)).toMatchObject({ processes: 4, threads: 6, cpuSeconds: 0.2 });
  });

  it('keeps a stall as the nodes agreed on it, and numbers stacks anew', () => {
    const stack = (pid: number, t: number): ScriptedRecord => ({ kind: 'stack', number: 0, signature: 's', threads: [], pid, t });
    const stall: ScriptedRecord = {
      ...{ kind: 'stall', silentSeconds: 5, elsewhere: [], t: 9 },
      blocked: [{ pid: NODE_PIDS + 7, rank: 1, signature: 's', at: null }],
    };
    const records = mergedOf(streamOf(0, [stack(7, 1), stall]), streamOf(1, [stack(7, 1)]));
    expect(kindOf(records, 'stack').map(({ pid, number }) => [pid, number])).toEqual([
      [7, 0],
      [NODE_PIDS + 7, 1],
    ]);
    expect(kindOf(records, 'stall')[0]?.blocked[0]?.pid).toBe(NODE_PIDS + 7);
    expect(() => mergedOf(streamOf(0, []), streamOf(1, [stall]))).toThrow('node 1 found a hang by itself');
  });

  const absent = { state: 'absent', origin: 'new', sizeBytes: 0, sha256: null, head: null, format: null } as const;
  it.each<[string, Partial<EvidenceOf<'file'>>[], Partial<EvidenceOf<'file'>>]>([
    ['nobody wrote', [absent, absent], { state: 'absent' }],
    ['one node wrote', [absent, {}], { state: 'regular', sha256: 'ab' }],
    ['all wrote alike', [{}, {}], { state: 'regular', sha256: 'ab' }],
    ['was there and one changed', [{ origin: 'same', sha256: 'old' }, { origin: 'changed' }], { origin: 'changed', sha256: 'ab' }],
    ['was there and nobody changed', [{ origin: 'same' }, { origin: 'same' }], { origin: 'same' }],
    ['nodes wrote differently', [{}, { sha256: 'cd' }], { state: 'unreadable', sha256: null, head: null }],
  ])('tells of a file that %s', (_, files, expected) => {
    const records = mergedOf(...files.map((file, node) => streamOf(node, [], { files: [file] })));
    expect(kindOf(records, 'file')).toMatchObject([expected]);
  });

  it.each<[string, NodeEvidence[], string]>([
    ['no stream', [], 'streams of nodes '],
    ['a node missing', [streamOf(0, []), streamOf(2, [])], 'streams of nodes 0, 2'],
    ['a node twice', [streamOf(0, []), streamOf(0, [])], 'streams of nodes 0, 0'],
    ['a torn stream', [streamOf(0, []), { node: 1, bytes: streamOf(1, []).bytes.subarray(0, 300) }], 'not whole'],
    ['another Python', [streamOf(0, []), streamOf(1, [], { environment: { python: '3.12.0' } })], 'the version of Python differs'],
    [
      'other packages',
      [streamOf(0, []), streamOf(1, [], { environment: { distributions: [{ name: 'torch', version: '2' }] } })],
      'what is installed differs',
    ],
    ['another platform', [streamOf(0, []), streamOf(1, [], { environment: { platform: 'Linux-6.1-musl' } })], 'the platform differs'],
    ['another tree', [streamOf(0, []), streamOf(1, [], { before: { treeHash: 'sha256:other' } })], 'the tree before the trial differs'],
    ['another sandbox', [streamOf(0, []), streamOf(1, [], { begin: { sandbox: 'none' } })], 'how the trial was run differs'],
    ['another load', [streamOf(0, []), streamOf(1, [], { begin: { load: 2 } })], 'how the trial was run differs'],
    ['a process that cannot be', [streamOf(0, []), streamOf(1, [{ ...line('x', 1), pid: NODE_PIDS }])], 'has a process 10000000'],
    ['other files', [streamOf(0, [], { files: [{}] }), streamOf(1, [], { files: [] })], 'looked at other files'],
  ])('is refused for %s', (_, streams, words) => {
    expect(() => mergeEvidence(streams)).toThrow(
      expect.objectContaining({ code: 'sandbox-failed', message: expect.stringContaining(words) as string }),
    );
  });
});
