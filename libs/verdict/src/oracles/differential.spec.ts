import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const oracle = { kind: 'differential', candidate: 'gpu', reference: 'cpu', referee: 'double' };
type Values = Parameters<ReturnType<typeof createEvidence>['obs']>[0];
const state = (asked: object, ...lines: Values[]) =>
  ask(
    asked,
    lines
      .reduce((evidence, values) => evidence.obs(values), createEvidence())
      .exit(0)
      .build(),
  ).state;
const many = (length: number, value: (index: number) => number) => Array.from({ length }, (_unused, index) => value(index));
const exact = many(1_000, (index) => Math.sin(index));
const cpu = exact.map((value, index) => value + (index % 2 === 0 ? 1e-3 : -1e-3));
const off = (times: number) => exact.map((value, index) => value + (index % 2 === 0 ? -times : times) * 1e-3);

describe('differential', () => {
  it('is shown by an error beyond what the reference itself has', () => {
    expect(state(oracle, { gpu: off(3), cpu, double: exact }, { cpu })).toBe('shown');
    expect(state({ ...oracle, referenceAgain: 'cpu2' }, { gpu: 1.2, cpu: 1.001, cpu2: 1.001, double: 1 })).toBe('shown');
    expect(state(oracle, { gpu: [[1, 'nan']], cpu: [[1, 2]], double: [[1, 2]] }, { cpu: [[1, 2]] })).toBe('shown');
  });

  it('is absent within the error of the reference, or the tolerance', () => {
    expect(state(oracle, { gpu: off(1.9), cpu, double: exact }, { cpu })).toBe('absent');
    expect(state(oracle, { gpu: 1.000_001, cpu: 1, double: 1 }, { cpu: 1 })).toBe('absent');
    expect(state({ ...oracle, tolerance: 5 }, { gpu: 1.2, cpu: 1, double: 1 }, { cpu: 1 })).toBe('absent');
  });

  it('asks for more where few elements or a low precision scatter', () => {
    const first = (values: number[]) => values.slice(0, 500);
    const few = { gpu: first(off(2.5)), cpu: first(cpu), double: first(exact) };
    expect(state(oracle, few, { cpu: first(cpu) })).toBe('absent');
    expect(state(oracle, { ...few, gpu: first(off(3.5)) }, { cpu: first(cpu) })).toBe('shown');
    expect(state({ ...oracle, lowPrecision: true }, { gpu: off(9), cpu, double: exact }, { cpu })).toBe('absent');
    expect(state({ ...oracle, multiple: 5 }, { gpu: off(4), cpu, double: exact }, { cpu })).toBe('absent');
    expect(state(oracle, { gpu: 1.05, cpu: 1.01, double: 1 }, { cpu: 1.01 })).toBe('absent');
  });

  it('is void where the reference differs from itself or was measured once', () => {
    expect(state(oracle, { gpu: 9, cpu: 1, double: 1 }, { cpu: 1.1 })).toBe('undecided');
    expect(state(oracle, { gpu: 9, cpu: 1, double: 1 })).toBe('undecided');
    expect(state({ ...oracle, referenceAgain: 'cpu2' }, { gpu: 9, cpu: 1, double: 1 }, { cpu: 1 })).toBe('undecided');
  });

  it('is undecided by other sizes, texts, or a reference that is not finite', () => {
    expect(state(oracle, { gpu: [1, 2], cpu: [1], double: [1] }, { cpu: [1] })).toBe('undecided');
    expect(state(oracle, { gpu: 'tensor', cpu: 1, double: 1 }, { cpu: 1 })).toBe('undecided');
    expect(state(oracle, { gpu: 1, cpu: 'inf', double: 1 }, { cpu: 'inf' })).toBe('undecided');
    expect(state(oracle, { gpu: 5, cpu: 1 }, { cpu: 1 })).toBe('undecided');
    expect(state(oracle, { gpu: 1, cpu: 1, double: 1 }, { gpu: 9, cpu: 1, double: 9 })).toBe('undecided');
    expect(state({ ...oracle, referee: 'cpu' }, { gpu: 5, cpu: 1 }, { cpu: 1 })).toBe('undecided');
  });

  it('is a collision where an arm failed', () => {
    const failed = createEvidence()
      .obs({ cpu: 1 })
      .exception({ frames: [frame('subject', 'a.py', 'f')] });
    expect(ask(oracle, failed.exit(1).build()).state).toBe('collision');
  });

  it('never shows a candidate that is as near to the referee as the reference', () => {
    const noise = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(noise, (errors) => {
        const double = errors.map((_error, index) => index);
        const reference = errors.map((error, index) => index + error);
        const mirrored = errors.map((error, index) => index - error);
        expect(state(oracle, { gpu: mirrored, cpu: reference, double }, { cpu: reference })).toBe('absent');
      }),
    );
  });
});
