import { describe, expect, it } from 'vitest';
import type { EvidenceOf, Facet, FacetResult } from '@reenact/domain';
import { EvidenceRecord, Oracle } from '@reenact/domain/schemas';
import { createEvidence } from '../testing/index.js';
import { diagnosisTrials } from './diagnosis-trials.js';
import { explain } from './explain.js';
import { probePartsOf } from './probe-parts.js';

function facet(...oracles: object[]): Facet {
  const parsed = oracles.map((oracle) => Oracle.parse(oracle));
  return { id: 'f1', statement: 's', span: null, stance: 'observed', oracles: parsed, shownBy: 'harness' };
}

function result(state: FacetResult['state'], shown: number): FacetResult {
  return {
    id: 'f1',
    statement: 's',
    live: true,
    state,
    shownBy: 'harness',
    rate: { shown, total: 3, low: 0, high: 1 },
    grounding: [],
  };
}

const candidate = { arm: 'candidate', index: 0, outcome: 'finished', seconds: 5 } as const;
const NONFINITE = facet({ kind: 'nonfinite', name: 'loss' });

function numeric(seq: number, extra: Partial<EvidenceOf<'numeric'>> = {}): EvidenceRecord {
  return EvidenceRecord.parse({
    seq,
    t: seq,
    source: 'probe',
    kind: 'numeric',
    module: 'encoder.norm',
    class: 'torch.nn.modules.normalization.LayerNorm',
    place: 'dependency',
    call: 3,
    direction: 'forward',
    what: 'nan',
    shape: [2, 3],
    dtype: 'torch.float32',
    inputsFinite: true,
    ...extra,
  });
}

function activation(seq: number, module: string, sha256: string, extra: object = {}): EvidenceRecord {
  const about = { module, class: 'torch.nn.modules.linear.Linear', call: 1, shape: [2], dtype: 'torch.float32', sha256, norm: seq };
  return EvidenceRecord.parse({ seq, t: seq, source: 'probe', pid: 10, kind: 'activation', ...about, ...extra });
}

describe('parts of the probe', () => {
  it('are none in ordinary trials, unless an oracle reads them', () => {
    expect(probePartsOf([NONFINITE, facet({ kind: 'hang' })], 'candidate')).toEqual([]);
    expect(probePartsOf([facet({ kind: 'desync', name: 'hash' })], 'fixed')).toEqual([]);
    for (const arm of ['candidate', 'fixed', 'tripwire'] as const)
      expect(probePartsOf([facet({ kind: 'desync', of: 'collectives' })], arm)).toEqual(['collectives']);
  });

  it('are all that may explain in a diagnosis', () => {
    expect(probePartsOf([NONFINITE, facet({ kind: 'hang' }), facet({ kind: 'desync', name: 'h' })], 'diagnosis')).toEqual([
      'collectives',
      'numeric',
      'outputs',
      'parameters',
    ]);
    expect(probePartsOf([facet({ kind: 'slow' })], 'diagnosis')).toEqual([]);
  });
});

describe('diagnosisTrials', () => {
  const TORCH = EvidenceRecord.parse({
    seq: 1,
    t: 0,
    source: 'supervisor',
    kind: 'environment',
    python: '3.11.2',
    platform: 'linux',
    distributions: [{ name: 'torch', version: '2.6.0' }],
  });
  const ran = (trial: object = {}, ...records: EvidenceRecord[]) => ({ trial: { ...candidate, ...trial }, records: [TORCH, ...records] });
  const input = { facets: [NONFINITE], results: [result('shown', 3)], hasAccelerator: false, trials: [ran()] };

  it('asks for one trial where a symptom was seen that a part explains', () => {
    expect(diagnosisTrials(input)).toEqual([{ arm: 'diagnosis', index: 0 }]);
    expect(diagnosisTrials({ ...input, results: [result('undecided', 1)] })).toHaveLength(1);
    expect(diagnosisTrials({ ...input, results: [result('collision', 0)] })).toHaveLength(1);
  });

  it('asks for none where nothing was seen, nothing explains, it was run, or trials take long', () => {
    expect(diagnosisTrials({ ...input, results: [result('absent', 0)] })).toEqual([]);
    expect(diagnosisTrials({ ...input, facets: [facet({ kind: 'slow' })] })).toEqual([]);
    expect(diagnosisTrials({ ...input, trials: [ran(), ran({ arm: 'diagnosis', outcome: 'infra' })] })).toEqual([]);
    expect(diagnosisTrials({ ...input, trials: [ran({ seconds: 601 })] })).toEqual([]);
    expect(diagnosisTrials({ ...input, trials: [ran({ outcome: 'infra' })] })).toEqual([]);
  });

  it('asks for none where the parts that would explain need torch or a GPU', () => {
    expect(diagnosisTrials({ ...input, trials: [{ trial: candidate, records: [] }] })).toEqual([]);
    expect(diagnosisTrials({ ...input, facets: [facet({ kind: 'memory_peak' })] })).toEqual([]);
    expect(diagnosisTrials({ ...input, facets: [facet({ kind: 'memory_peak' })], hasAccelerator: true })).toHaveLength(1);
    expect(diagnosisTrials({ ...input, facets: [facet({ kind: 'exception' })], trials: [{ trial: candidate, records: [] }] })).toHaveLength(
      1,
    );
  });

  it('sets the control beside a candidate whose modules were seen, once', () => {
    const first = ran({ arm: 'diagnosis' }, activation(3, 'fc', 'a'));
    const fixed = ran({ arm: 'fixed' });
    const asked = [
      { arm: 'diagnosis', index: 1 },
      { arm: 'diagnosis', index: 2, of: 'fixed' },
    ];
    expect(diagnosisTrials({ ...input, trials: [ran(), fixed, first] })).toEqual(asked);
    expect(diagnosisTrials({ ...input, trials: [ran(), first] })).toEqual([]);
    expect(diagnosisTrials({ ...input, trials: [ran(), fixed, ran({ arm: 'diagnosis' })] })).toEqual([]);
    expect(diagnosisTrials({ ...input, trials: [ran(), fixed, first, ran({ arm: 'diagnosis', index: 1 })] })).toEqual([]);
  });
});

describe('explain', () => {
  const about = (asked: Facet, records: readonly EvidenceRecord[]) => explain([asked], [{ trial: 't-1', index: 0, records }]);

  it('names the module in which the first NaN comes up, with its record', () => {
    expect(about(NONFINITE, [numeric(4), numeric(5, { module: 'head', direction: 'backward' })])).toEqual([
      {
        facet: 'f1',
        text: 'first NaN in the output of encoder.norm (LayerNorm) at its forward call 3: float32[2, 3], inputs finite',
        grounding: [{ trial: 't-1', seq: 4, text: expect.stringContaining('encoder.norm') }],
      },
    ]);
  });

  it('names an infinity before it, a gradient, and the outermost module', () => {
    const [told] = about(NONFINITE, [
      numeric(4, { what: 'inf', module: '' }),
      numeric(7, { direction: 'backward', parametersFinite: false }),
    ]);
    expect(told?.text).toMatch(/^first infinity in the output of the outermost module, LayerNorm at/);
    expect(told?.text).toMatch(/; first NaN in the gradient of the output of encoder.norm .*own parameters not finite$/);
    expect(told?.grounding.map(({ seq }) => seq)).toEqual([4, 7]);
  });

  it('tells what each rank of a hang called last', () => {
    const records = createEvidence()
      .collective(0, 'all_reduce', { shape: [4], dtype: 'torch.float32' })
      .collective(1, 'all_reduce', { shape: [4], dtype: 'torch.float32' })
      .collective(0, 'barrier', { number: 2 })
      .stall({ blocked: [{ pid: 20, rank: 0, signature: 's', at: null }] })
      .exit(0, { pid: 21, rank: 1 })
      .exit(null, { pid: 20, rank: 0, endedBy: 'hang' })
      .build();
    const told = about(facet({ kind: 'hang' }), records).map(({ text }) => text);
    expect(told).toEqual([
      'at call 2 of group world rank 0 calls barrier at train.py:7 in step, rank 1 never comes to it',
      'rank 0 was blocked, its last call barrier (number 2 of group world) at train.py:7 in step; ' +
        'rank 1 ended after all_reduce float32[4] (number 1 of group world) at train.py:7 in step',
    ]);
  });

  it('tells after which update ranks differ, and in which parameter', () => {
    const records = createEvidence().parameters(0, 2, { w: 'a' }).parameters(1, 2, { w: 'b' }).exit(0).build();
    expect(about(facet({ kind: 'desync', name: 'hash' }), records).map(({ text }) => text)).toEqual([
      'after update 2 of optimiser 0 (SGD) ranks 0, 1 do not agree, first in w, in 1 of 1 parameters',
    ]);
  });

  it('tells what the CUDA allocator held from first to last look, process by process', () => {
    const look = (seq: number, mebibytes: number, extra: object = {}) => {
      const bytes = mebibytes * 1024 ** 2;
      const whole = { device: 0, allocatedBytes: bytes, reservedBytes: 2 * bytes, peakBytes: bytes };
      return EvidenceRecord.parse({ seq, t: seq, source: 'probe', pid: 10, kind: 'allocator', ...whole, ...extra });
    };
    const [told] = about(facet({ kind: 'oom' }), [look(3, 1), look(4, 7, { pid: 11, rank: 1 }), look(5, 2), look(6, 4)]);
    expect(told?.text).toBe(
      'cuda:0: allocated 1.0 MiB to 4.0 MiB over 3 looks, peak 4.0 MiB, reserved 8.0 MiB; ' +
        'cuda:0 of rank 1: allocated 7.0 MiB to 7.0 MiB over 1 look, peak 7.0 MiB, reserved 14.0 MiB',
    );
    expect(told?.grounding.map(({ seq }) => seq)).toEqual([3, 6, 4]);
  });

  describe('of the first module that differs', () => {
    const relation = facet({ kind: 'relation', left: { obs: 'a' }, op: '==', right: 1 });
    const told = (...arms: EvidenceRecord[][]) =>
      explain(
        [relation],
        arms.map((records, index) => ({ trial: `t-${index}`, index, records })),
      );
    const candidateArm = [activation(3, 'fc', 'a'), activation(4, 'norm', 'b'), activation(5, 'head', 'c')];
    const fixedArm = [activation(13, 'fc', 'a'), activation(14, 'norm', 'x'), activation(15, 'head', 'y')];

    it('names it with both arms, and their records', () => {
      expect(told(candidateArm, candidateArm, fixedArm)).toEqual([
        {
          facet: 'f1',
          text:
            'first 1 module output is the same; then candidate: norm (Linear) at its call 1, float32[2], norm 4.00000; ' +
            'control: norm (Linear) at its call 1, float32[2], norm 14.0000',
          grounding: [
            { trial: 't-0', seq: 4, text: expect.any(String) },
            { trial: 't-2', seq: 14, text: expect.any(String) },
          ],
        },
      ]);
      expect(told(candidateArm, candidateArm, fixedArm.slice(0, 1))[0]?.text).toMatch(/control: no further output$/);
    });

    it('says so where all outputs are the same, and nothing where the candidate differs from itself by then', () => {
      expect(told(candidateArm, candidateArm, candidateArm)[0]?.text).toMatch(/^all 3 module outputs are the same in the control/);
      expect(told(candidateArm, [activation(3, 'fc', 'z')], fixedArm)).toEqual([]);
      expect(told(candidateArm, [...candidateArm.slice(0, 1), activation(4, 'norm', 'z')], fixedArm)).toEqual([]);
      expect(told(candidateArm, [...candidateArm.slice(0, 2), activation(5, 'head', 'z')], fixedArm)).toHaveLength(1);
    });

    it('compares the process of rank 0 alone, and nothing that was not recorded', () => {
      const other = activation(2, 'fc', 'other', { pid: 11, rank: 1 });
      const ranked = (records: EvidenceRecord[]) => [other, ...records.map((record) => ({ ...record, rank: 0 }))];
      expect(told(ranked(candidateArm), ranked(candidateArm), ranked(fixedArm))[0]?.text).toMatch(/^first 1 module output/);
      expect(told(candidateArm, candidateArm, [])).toEqual([]);
      expect(told(candidateArm)).toEqual([]);
    });
  });

  it('tells sizes and kinds of the values in the own frames of the failure, innermost first', () => {
    const found = createEvidence().exception({ message: 'shapes' }).exit(1).build();
    const values = [
      { name: 'self', type: 'Net' },
      { name: 'rows', type: 'list', length: 2 },
      { name: 'x', type: 'Tensor', shape: [2, 3], dtype: 'torch.float32', device: 'cpu' },
      { name: 'w', type: 'Tensor', shape: [4], dtype: 'torch.float16', device: 'cuda:0' },
    ];
    const frameOf = (file: string, place: string, own: object[]) => ({ file, line: 3, function: 'f', place, values: own });
    const frames = [
      frameOf('main.py', 'script', values.slice(1, 2)),
      frameOf('net.py', 'subject', values),
      frameOf('/t.py', 'dependency', values),
    ];
    const locals = EvidenceRecord.parse({ seq: 9, t: 1, source: 'probe', pid: 10, kind: 'locals', type: 'builtins.ValueError', frames });
    const exception = facet({ kind: 'exception', types: ['ValueError'] });
    expect(about(exception, [...found, locals])).toEqual([
      {
        facet: 'f1',
        text: 'values at the failure: in f (net.py:3) x float32[2, 3], w float16[4] on cuda:0, rows list of 2; in f (main.py:3) rows list of 2',
        grounding: [{ trial: 't-1', seq: 9, text: expect.stringContaining('net.py:3') }],
      },
    ]);
    expect(about(exception, [...found, { ...locals, pid: 11 }])).toEqual([]);
    expect(about(exception, found)).toEqual([]);
  });

  it('tells nothing where nothing was recorded, or of kinds that nothing explains', () => {
    expect(about(NONFINITE, createEvidence().exit(0).build())).toEqual([]);
    expect(about(facet({ kind: 'hang' }), createEvidence().collective(0, 'barrier').exit(0).build())).toEqual([]);
    expect(about(facet({ kind: 'slow' }), [numeric(1)])).toEqual([]);
    expect(explain([NONFINITE], [])).toEqual([]);
  });
});
