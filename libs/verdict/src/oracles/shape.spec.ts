import type { EvidenceOf } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence } from '../testing/index.js';

type Values = EvidenceOf<'obs'>['values'];
const asked = (wanted: object, values: Values) =>
  ask({ kind: 'shape', obs: 'out', ...wanted }, createEvidence().obs(values).exit(0).build());
const state = (wanted: object, values: Values) => asked(wanted, values).state;

describe('shape', () => {
  it.each([
    [[2, 3]],
    ['(2, 3)'],
    ['[2, 3]'],
    ['2x3'],
    ['2, 3'],
    ['(2, 3,)'],
    [' ( 2 , 3 ) '],
    ['torch.Size([2, 3])'],
    ['TensorShape([2, 3])'],
    [{ shape: [2, 3] }],
    [{ shape: '(2, 3)' }],
  ])('reads %j as two by three', (out) => {
    expect(state({ shape: [2, 3] }, { out })).toBe('shown');
    expect(state({ notShape: [2, 3] }, { out })).toBe('absent');
    expect(state({ shape: [2, 4] }, { out })).toBe('absent');
    expect(state({ shape: [3, 2] }, { out })).toBe('absent');
    expect(state({ shape: [2] }, { out })).toBe('absent');
    expect(state({ shape: [2, 3, 1] }, { out })).toBe('absent');
    expect(state({ notShape: [2, 4] }, { out })).toBe('shown');
    expect(state({ notShape: [2, 3, 1] }, { out })).toBe('shown');
  });

  it('reads empty brackets as the shape of a scalar', () => {
    for (const out of [[], '()', '[]', 'torch.Size([])']) {
      expect(state({ shape: [] }, { out })).toBe('shown');
      expect(state({ notShape: [1] }, { out })).toBe('shown');
    }
  });

  it.each([[''], ['  '], ['torch.Size'], ['2 3'], ['2 by 3'], ['two'], ['(2, 3) and more'], [[2.5, 3]], [['2', '3']], [7], [null], [{}]])(
    'reads no shape in %j',
    (out) => {
      expect(state({ shape: [2, 3] }, { out })).toBe('undecided');
      expect(state({ notShape: [2, 3] }, { out })).toBe('undecided');
    },
  );

  it('gives up at once on a long text that is nearly a shape', () => {
    expect(state({ notShape: [1] }, { out: `${'1'.repeat(200)}!` })).toBe('undecided');
    expect(state({ notShape: [1] }, { out: `${'1,'.repeat(200)}!` })).toBe('undecided');
  });

  it('finds the dtype in the value, beside it under its name, or on the line', () => {
    const places: Values[] = [
      { out: { shape: [1], dtype: 'torch.float32' } },
      { out: 1, out_dtype: 'float32' },
      { out: 1, 'out.dtype': 'np.float32' },
      { out: [1], dtype: "<dtype: 'float32'>" },
      { out: 1, dtype: 'Float32' },
    ];
    for (const values of places) {
      expect(state({ dtype: 'torch.float32' }, values)).toBe('shown');
      expect(state({ dtype: 'float64' }, values)).toBe('absent');
    }
    expect(state({ dtype: 'float32' }, { out: { dtype: 'float32' }, dtype: 'float64' })).toBe('shown');
    expect(state({ dtype: 'float32' }, { out: null, dtype: 'float32' })).toBe('shown');
    expect(state({ dtype: 'float32' }, { out: { dtype: 32 } })).toBe('undecided');
    expect(state({ dtype: 'float32' }, { out: 1, dtype: 32 })).toBe('undecided');
  });

  it('takes a device of any index for the device, and no other device', () => {
    expect(state({ device: 'cuda' }, { out: 1, device: 'cuda' })).toBe('shown');
    expect(state({ device: 'cuda' }, { out: 1, device: 'cuda:1' })).toBe('shown');
    expect(state({ device: 'cuda:0' }, { out: 1, device: 'cuda:1' })).toBe('absent');
    expect(state({ device: 'cuda' }, { out: 1, device: 'cuda2' })).toBe('absent');
    expect(state({ device: 'cpu' }, { out: 1, device: 'cuda:0' })).toBe('absent');
    expect(state({ device: 'cuda' }, { out: 1 })).toBe('undecided');
  });

  it('asks for every part that the claim names', () => {
    const values = { out: [2, 3], dtype: 'float16', device: 'cpu' };
    const claim = { shape: [2, 3], dtype: 'float16', device: 'cpu' };
    expect(state(claim, values)).toBe('shown');
    expect(state({ ...claim, shape: [2] }, values)).toBe('absent');
    expect(state({ ...claim, dtype: 'float32' }, values)).toBe('absent');
    expect(state({ ...claim, device: 'cuda' }, values)).toBe('absent');
    expect(state({ shape: [2, 3], notShape: [2, 3] }, values)).toBe('absent');
    for (const lost of ['dtype', 'device'] as const) expect(state(claim, { ...values, [lost]: 1 })).toBe('undecided');
  });

  it('goes by the last observation of the name', () => {
    const records = createEvidence()
      .obs({ out: [1] })
      .obs({ out: [2] })
      .obs({ other: [1] })
      .exit(0)
      .build();
    expect(ask({ kind: 'shape', obs: 'out', shape: [2] }, records)).toMatchObject({ state: 'shown', grounding: [{ seq: 3 }] });
    expect(ask({ kind: 'shape', obs: 'out', shape: [1] }, records).state).toBe('absent');
  });

  it('says why it is open', () => {
    expect(asked({ shape: [1] }, { other: [1] })).toMatchObject({ state: 'undecided', note: 'the observation out was never made' });
    expect(asked({ shape: [1] }, { out: 'x' }).note).toBe('the observation out lacks what the claim asks for');
    expect(asked({}, { out: [1] })).toMatchObject({ state: 'undecided', grounding: [], note: 'the claim names no shape, dtype or device' });
  });
});
