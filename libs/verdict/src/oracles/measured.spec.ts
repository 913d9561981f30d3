import type { EvidenceRecord, Oracle } from '@reenact/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { createEvidence, frame, relationOracle } from '../testing/index.js';
import { evaluateOracle } from './evaluate-oracle.js';

const state = (oracle: Oracle, records: EvidenceRecord[]) => evaluateOracle(oracle, createEvidenceView(records)).state;
const note = (oracle: Oracle, records: EvidenceRecord[]) => evaluateOracle(oracle, createEvidenceView(records)).note ?? '';
const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };

describe('relation', () => {
  const above = relationOracle('acc', '>', 1);

  it('compares numbers, booleans, None and lists as they are meant', () => {
    const records = createEvidence()
      .obs({ acc: 2.45, stalled: 'True', first: 'None', sizes: [20, 18], loss: '1e-3', big: 0.1 + 0.2 })
      .exit(0)
      .build();
    expect(state(above, records)).toBe('shown');
    expect(state(relationOracle('stalled', '==', true), records)).toBe('shown');
    expect(state(relationOracle('stalled', '==', 'True'), records)).toBe('shown');
    expect(state(relationOracle('first', '==', null), records)).toBe('shown');
    expect(state(relationOracle('first', '==', 'None'), records)).toBe('shown');
    expect(state(relationOracle('loss', '<=', 0.001), records)).toBe('shown');
    expect(state(relationOracle('big', '==', 0.3), records)).toBe('absent');
    expect(state({ kind: 'relation', left: { obs: 'sizes', take: 'last' }, op: '==', right: [20, 18] }, records)).toBe('shown');
    expect(state({ kind: 'relation', left: { obs: 'big', take: 'last' }, op: 'approx', right: 0.3, absolute: 1e-9 }, records)).toBe(
      'shown',
    );
  });

  it('holds against one or all of the values on the right, as they are taken', () => {
    const records = createEvidence().obs({ acc: 2 }).obs({ best: 1 }).obs({ best: 3 }).exit(0).build();
    const against = (op: '>' | '==' | '<', take: 'any' | 'all', right = 'best'): string =>
      state({ kind: 'relation', left: { obs: 'acc', take: 'last' }, op, right: { obs: right, take } }, records);
    expect([against('>', 'any'), against('<', 'any'), against('==', 'any')]).toEqual(['shown', 'shown', 'absent']);
    expect([against('>', 'all'), against('<', 'all'), against('==', 'all', 'acc')]).toEqual(['absent', 'absent', 'shown']);
  });

  it('compares two observations', () => {
    const records = createEvidence().obs({ kept: 0.5 }).obs({ last: 0.5 }).obs({ best: 0.1 }).exit(0).build();
    const equal = (right: string): Oracle => ({
      kind: 'relation',
      left: { obs: 'kept', take: 'last' },
      op: '==',
      right: { obs: right, take: 'last' },
    });
    expect(state(equal('last'), records)).toBe('shown');
    expect(state(equal('best'), records)).toBe('absent');
  });

  it('takes what it is told to take', () => {
    const records = createEvidence().obs({ loss: 3 }).obs({ loss: 1 }).obs({ loss: 2 }).obs({ loss: 2 }).exit(0).build();
    const taken = (take: 'first' | 'max' | 'min' | 'mean' | 'distinct' | 'last', right: number): Oracle => ({
      kind: 'relation',
      left: { obs: 'loss', take },
      op: '==',
      right,
    });
    expect(state(taken('first', 3), records)).toBe('shown');
    expect(state(taken('last', 2), records)).toBe('shown');
    expect(state(taken('max', 3), records)).toBe('shown');
    expect(state(taken('min', 1), records)).toBe('shown');
    expect(state(taken('mean', 2), records)).toBe('shown');
    expect(state(taken('distinct', 3), records)).toBe('shown');
    expect(state({ kind: 'relation', left: { obs: 'loss', take: 'all' }, op: '>', right: 1 }, records)).toBe('absent');
    expect(state({ kind: 'relation', left: { obs: 'loss', take: 'any' }, op: '==', right: 3 }, records)).toBe('shown');
  });

  it('looks only at lines that carry the other values', () => {
    const records = createEvidence().obs({ acc: 0.9, alpha: 0.1 }).obs({ acc: 0.2, alpha: 0.2, rank: 1 }).exit(0).build();
    const where = (conditions: Record<string, number>): Oracle => ({
      kind: 'relation',
      left: { obs: 'acc', take: 'last', where: conditions },
      op: '<',
      right: 0.5,
    });
    expect(state(where({ alpha: 0.2 }), records)).toBe('shown');
    expect(state(where({ alpha: 0.1 }), records)).toBe('absent');
    expect(state(where({ rank: 1 }), records)).toBe('shown');
    expect(state(where({ alpha: 0.3 }), records)).toBe('undecided');
  });

  it('is false with nan, and never absent without the observation', () => {
    const records = createEvidence().obs({ acc: 'nan' }).exit(0).build();
    for (const op of ['==', '!=', '<', '>'] as const) expect(state(relationOracle('acc', op, 1), records)).toBe('absent');
    const silent = createEvidence().stdout('done').exit(0).build();
    expect(state(above, silent)).toBe('undecided');
    expect(note(above, silent)).toContain('acc');
    expect(state(above, createEvidence().exit(null, cut).build())).toBe('undecided');
    expect(
      state(
        above,
        createEvidence()
          .exception({ frames: [frame('subject', 'a.py', 'f')] })
          .exit(1)
          .build(),
      ),
    ).toBe('collision');
  });

  it('waits for the whole series where a limit cut it', () => {
    const records = createEvidence().obs({ acc: 2 }).exit(null, cut).build();
    expect(state(above, records)).toBe('undecided');
    expect(state({ kind: 'relation', left: { obs: 'acc', take: 'max' }, op: '>', right: 1 }, records)).toBe('shown');
    expect(state({ kind: 'relation', left: { obs: 'acc', take: 'all' }, op: '>', right: 1 }, records)).toBe('undecided');
  });

  it('holds for a comparison or for its opposite, never for both', () => {
    const opposites = { '<': '>=', '>': '<=', '==': '!=' } as const;
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.constantFrom('<', '>', '==' as const), (value, right, op) => {
        const records = createEvidence()
          .obs({ acc: Number.isNaN(value) ? 'nan' : value })
          .exit(0)
          .build();
        const one = state(relationOracle('acc', op, right), records);
        const other = state(relationOracle('acc', opposites[op], right), records);
        const hasNaN = Number.isNaN(value) || Number.isNaN(right);
        expect([one, other].filter((answer) => answer === 'shown')).toHaveLength(hasNaN ? 0 : 1);
      }),
    );
  });
});

describe('printed', () => {
  const oracle: Oracle = { kind: 'printed', pattern: 'acc[:= ]+(\\d+\\.\\d+|nan)', flags: 'i', take: 'any', op: '>', right: 1 };
  const printing = (...lines: string[]) => lines.reduce((evidence, line) => evidence.stdout(line), createEvidence());

  it('is shown by a number of the subject', () => {
    expect(state(oracle, printing('epoch 1 acc 2.45').exit(0).build())).toBe('shown');
    expect(state(oracle, printing('acc 0.5', 'Acc: 1.5').exit(0).build())).toBe('shown');
    expect(state({ ...oracle, take: 'max' }, printing('acc 0.5', 'acc=3.5', 'acc 0.1').exit(0).build())).toBe('shown');
  });

  it('is absent by a healthy number, whatever stands beside it', () => {
    expect(state(oracle, printing('acc above 1: acc 0.95').exit(0).build())).toBe('absent');
    expect(state(oracle, printing('acc nan').exit(0).build())).toBe('absent');
    expect(state({ ...oracle, take: 'all' }, printing('acc 2.5', 'acc 0.5').exit(0).build())).toBe('absent');
  });

  it('does not take observation lines, and is open without any number', () => {
    expect(state(oracle, printing('OBS acc=2.45').exit(0).build())).toBe('undecided');
    expect(state(oracle, printing('nothing').exit(null, cut).build())).toBe('undecided');
    expect(state({ ...oracle, take: 'last' }, printing('acc 2.5').exit(null, cut).build())).toBe('undecided');
  });
});

describe('nonfinite', () => {
  const any: Oracle = { kind: 'nonfinite', which: 'any' };
  const loss: Oracle = { kind: 'nonfinite', name: 'loss', which: 'nan' };

  it('is shown by an observation or a printed metric', () => {
    expect(state(any, createEvidence().obs({ loss: 'nan' }).exit(0).build())).toBe('shown');
    for (const line of ['step 7 loss nan', 'loss: nan', 'train/loss=nan acc 0.5', 'Loss: NaN'])
      expect(state(loss, createEvidence().stdout(line).exit(0).build()), line).toBe('shown');
    expect(state({ ...loss, which: 'any' }, createEvidence().stdout('loss -inf').exit(0).build())).toBe('shown');
    expect(
      state(
        any,
        createEvidence()
          .obs({ grads: [1, 'nan'] })
          .exit(0)
          .build(),
      ),
    ).toBe('shown');
  });

  it('is absent by finite numbers of that name', () => {
    expect(state(loss, createEvidence().stdout('loss 0.5 acc nan').exit(0).build())).toBe('absent');
    expect(state(loss, createEvidence().obs({ loss: 0.5 }).exit(0).build())).toBe('absent');
    expect(state(loss, createEvidence().stdout('loss inf').exit(0).build())).toBe('absent');
    expect(state(any, createEvidence().stdout('found nan, no inf; loss 0.5').exit(0).build())).toBe('absent');
  });

  it('heeds the step, and is open where nothing tells it', () => {
    const early: Oracle = { ...loss, atMostStep: 10 };
    expect(state(early, createEvidence().stdout('step 7 loss nan').exit(0).build())).toBe('shown');
    expect(state(early, createEvidence().obs({ loss: 'nan', step: 9 }).exit(0).build())).toBe('shown');
    expect(state(early, createEvidence().stdout('step 70 loss nan').exit(0).build())).toBe('absent');
    expect(state(early, createEvidence().stdout('loss nan').exit(0).build())).toBe('undecided');
    expect(state(loss, createEvidence().stdout('done').exit(0).build())).toBe('undecided');
  });
});

describe('shape', () => {
  const oracle: Oracle = { kind: 'shape', obs: 'out', shape: [4, 1] };

  it('reads lists, sizes and tuples', () => {
    expect(
      state(
        oracle,
        createEvidence()
          .obs({ out: [4, 1] })
          .exit(0)
          .build(),
      ),
    ).toBe('shown');
    expect(state(oracle, createEvidence().obs({ out: 'torch.Size([4, 1])' }).exit(0).build())).toBe('shown');
    expect(state(oracle, createEvidence().obs({ out: '(4, 1)' }).exit(0).build())).toBe('shown');
    expect(
      state(
        { kind: 'shape', obs: 'out', notShape: [4, 1] },
        createEvidence()
          .obs({ out: [4] })
          .exit(0)
          .build(),
      ),
    ).toBe('shown');
    expect(
      state(
        { kind: 'shape', obs: 'out', dtype: 'float16' },
        createEvidence()
          .obs({ out: [4], out_dtype: 'torch.float16' })
          .exit(0)
          .build(),
      ),
    ).toBe('shown');
  });

  it('is absent by another shape, and open without one', () => {
    expect(
      state(
        oracle,
        createEvidence()
          .obs({ out: [4] })
          .exit(0)
          .build(),
      ),
    ).toBe('absent');
    expect(
      state(
        oracle,
        createEvidence()
          .obs({ out: [1, 4] })
          .exit(0)
          .build(),
      ),
    ).toBe('absent');
    expect(
      state(
        { kind: 'shape', obs: 'out', dtype: 'float16' },
        createEvidence()
          .obs({ out: [4], dtype: 'float32' })
          .exit(0)
          .build(),
      ),
    ).toBe('absent');
    expect(state(oracle, createEvidence().obs({ out: 'tensor' }).exit(0).build())).toBe('undecided');
    expect(state(oracle, createEvidence().exit(0).build())).toBe('undecided');
  });
});
