import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const oracle = { kind: 'slow', name: 'seconds', slowArm: 'new', fastArm: 'old' };
const scatter = (index: number) => 1 + 0.02 * ((Math.sin(index * 12.9898) * 43_758.5453) % 1);
type Line = [arm: string | number, seconds: number];
const turns = (count: number, ...arms: Line[]): Line[] =>
  Array.from({ length: count }, (_unused, turn) => arms.map(([arm, seconds], at): Line => [arm, seconds * scatter(turn + 7 * at)])).flat();
const evidence = (lines: readonly Line[], field = 'arm') =>
  lines.reduce((made, [arm, seconds]) => made.obs({ seconds, [field]: arm }), createEvidence());
const state = (asked: object, lines: readonly Line[], field = 'arm') => ask(asked, evidence(lines, field).exit(0).build()).state;

describe('slow', () => {
  it('is shown by an arm that is slower beyond the scatter', () => {
    expect(state(oracle, turns(7, ['new', 2], ['old', 1]))).toBe('shown');
    expect(state({ ...oracle, atLeastRatio: 2 }, turns(7, ['new', 1.8], ['old', 1]))).toBe('shown');
    expect(state({ ...oracle, sameArm: 'old2' }, turns(7, ['new', 2], ['old', 1], ['old2', 1]))).toBe('shown');
    expect(state({ ...oracle, armField: 'version' }, turns(7, ['new', 2], ['old', 1]), 'version')).toBe('shown');
  });

  it('tells both ends of the ratio and what it was asked for', () => {
    const even = Array.from({ length: 6 }, (): Line[] => [
      ['new', 2],
      ['old', 1],
    ]).flat();
    const answer = ask(oracle, evidence(even).exit(0).build());
    expect(answer.note).toMatch(/^2\.00 times as slow \(95 %: 2\.00 to 2\.00\), asked for 1\.\d\d$/);
    expect(answer.grounding.map(({ text }) => /"seconds":(\d)/.exec(text)?.[1])).toEqual(['2', '2', '2', '1', '1', '1']);
  });

  it('is absent by arms that are alike, and by less than half of what is claimed', () => {
    expect(state(oracle, turns(7, ['new', 1], ['old', 1]))).toBe('absent');
    expect(state({ ...oracle, atLeastRatio: 3 }, turns(7, ['new', 1.5], ['old', 1]))).toBe('absent');
    expect(state(oracle, turns(7, ['new', 1], ['old', 2]))).toBe('absent');
  });

  it('compares the cost of more work with the work', () => {
    const scaling = { kind: 'slow', name: 'seconds', sizeField: 'rows', atLeastRatio: 2 };
    expect(state(scaling, turns(6, [100, 1], [200, 2], [400, 16]), 'rows')).toBe('shown');
    expect(state(scaling, turns(6, [100, 1], [400, 4]), 'rows')).toBe('absent');
    expect(state({ ...scaling, sizeCost: 'constant' }, turns(6, [100, 1], [400, 4]), 'rows')).toBe('shown');
    expect(state(scaling, turns(12, [100, 1]), 'rows')).toBe('undecided');
  });

  it('is undecided with few measurements, in blocks, on a restless machine, and near the bound', () => {
    expect(state(oracle, turns(4, ['new', 2], ['old', 1]))).toBe('undecided');
    expect(state(oracle, [...turns(7, ['new', 2]), ...turns(7, ['old', 1])])).toBe('undecided');
    expect(state({ ...oracle, sameArm: 'old2' }, turns(7, ['new', 2], ['old', 1], ['old2', 1.5]))).toBe('undecided');
    expect(state({ ...oracle, sameArm: 'old2' }, turns(7, ['new', 2], ['old', 1]))).toBe('undecided');
    const wide = [1, 1.4, 1.05, 1.3, 1.1].flatMap((seconds): Line[] => [
      ['new', seconds],
      ['old', 2.1 - seconds],
    ]);
    expect(state(oracle, wide)).toBe('undecided');
    expect(state(oracle, turns(7, ['new', 0], ['old', 1]))).toBe('undecided');
    const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };
    expect(
      ask(
        oracle,
        evidence(turns(7, ['new', 2], ['old', 1]))
          .exit(null, cut)
          .build(),
      ).state,
    ).toBe('undecided');
  });

  it('is a collision where a failure came first', () => {
    const failed = evidence(turns(2, ['new', 2], ['old', 1])).exception({ frames: [frame('subject', 'a.py', 'f')] });
    expect(ask(oracle, failed.exit(1).build()).state).toBe('collision');
  });

  it('never shows both arms to be the slower one', () => {
    const pair = fc.tuple(fc.double({ min: 0.1, max: 5, noNaN: true }), fc.double({ min: 0.1, max: 5, noNaN: true }));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 5, maxLength: 9 }), (pairs) => {
        const lines = pairs.flatMap(([one, other]): Line[] => [
          ['new', one],
          ['old', other],
        ]);
        const turned = { ...oracle, slowArm: 'old', fastArm: 'new' };
        expect([state(oracle, lines), state(turned, lines)].filter((one) => one === 'shown').length).toBeLessThan(2);
      }),
      { numRuns: 30 },
    );
  });
});
