import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderNull, weighNull } from './run-null-bench.js';
import type { NullRow } from './run-null-bench.js';
import { agree, renderReplays, weighReplays } from './run-replay-bench.js';
import type { ReplayRow } from './run-replay-bench.js';

const rows = (total: number, wrong: number): NullRow[] =>
  Array.from({ length: total }, (_unused, index) => ({
    case: `a${index}`,
    what: 'reference_repro.py (patched)',
    control: 'own',
    column: 'case',
    verdict: index < wrong ? 'reproduced' : 'not_shown',
    wrong: index < wrong,
    trials: 1,
  }));

describe('weighNull', () => {
  it.each([
    // 1 − 0.05^(1/n); 4.74 is the 95 % upper bound of a Poisson count of 1, and 1 of 300 is close to that.
    [300, 0, 0.00994],
    [200, 0, 0.01487],
    [10, 0, 0.25887],
    [300, 1, 0.01572],
  ])('bounds the share by n = %i with %i wrong', (total, wrong, bound) => {
    expect(weighNull(rows(total, wrong)).upperBound).toBeCloseTo(bound, 4);
  });

  it('holds only with enough judgements and none wrong', () => {
    expect(weighNull(rows(200, 0)).holds).toBe(true);
    expect(weighNull(rows(199, 0)).holds).toBe(false);
    expect(weighNull(rows(400, 1)).holds).toBe(false);
    const told = renderNull({ schemaVersion: 1, ...weighNull(rows(400, 1)), seconds: 1 });
    expect(told).toContain('WRONG  a0: reference_repro.py (patched), control own: reproduced');
    expect(told).toContain('falls short');
  });

  it('counts no judgement that could not have been wrong', () => {
    const undecided = rows(150, 0).map((row) => ({ ...row, verdict: 'inconclusive' }));
    const failed = rows(3, 0).map((row) => ({ ...row, verdict: 'infra_error' }));
    const result = weighNull([...rows(199, 0), ...undecided, ...failed]);
    expect(result).toMatchObject({ judgements: 199, undecided: 153, holds: false });
    expect(result.upperBound).toBe(weighNull(rows(199, 0)).upperBound);
    expect(weighNull(undecided)).toMatchObject({ judgements: 0, upperBound: 1, holds: false });
  });

  it('bounds by sets of trials: two columns that share one are one test', () => {
    const both = [...rows(300, 1), ...rows(300, 1).map((row) => ({ ...row, column: 'report' as const }))];
    expect(weighNull(both)).toMatchObject({ judgements: 600, wrongReproduced: 2, trialSets: 300 });
    expect(weighNull(both).upperBound).toBeCloseTo(0.01572, 4);
    const controls = [...rows(300, 0), ...rows(300, 0).map((row) => ({ ...row, control: 'none' as const }))];
    expect(weighNull(controls).trialSets).toBe(600);
  });

  it('never bounds below what was seen', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 200 }), (total, wrong) => {
        const seen = Math.min(total, wrong);
        expect(weighNull(rows(total, seen)).upperBound).toBeGreaterThanOrEqual(seen / total);
      }),
    );
  });
});

const said = (verdict: 'reproduced' | 'reproduced_unstable' | 'not_shown', low: number, high: number) => ({
  verdict,
  rate: { shown: 1, total: 2, low, high },
});

describe('agree', () => {
  it('takes equal states, or overlapping rates of what was reproduced', () => {
    expect(agree(said('reproduced', 0.4, 1), said('reproduced_unstable', 0.1, 0.4))).toBe(true);
    expect(agree(said('reproduced', 0.41, 1), said('reproduced', 0.1, 0.4))).toBe(false);
    expect(agree(said('not_shown', 0, 0.2), said('not_shown', 0, 0.3))).toBe(true);
    expect(agree(said('not_shown', 0, 0.5), said('reproduced', 0.3, 1))).toBe(false);
  });
});

describe('weighReplays', () => {
  const row = (flaky: boolean, agreeing: number): ReplayRow => ({ case: 'a', script: 's.py', flaky, verdicts: [], pairs: 6, agreeing });
  const flaky = Array.from({ length: 5 }, () => row(true, 3));
  const steady = Array.from({ length: 15 }, () => row(false, 6));

  it('counts flaky bundles apart, and asks the share of the others alone', () => {
    const result = weighReplays([...flaky, ...steady], 20);
    expect(result).toMatchObject({
      deterministic: { pairs: 90, agreeing: 90 },
      flaky: { bundles: 5, pairs: 30, agreeing: 15 },
      holds: true,
    });
    expect(renderReplays(result)).toContain('90 of 90 pairs agree');
  });

  it('falls short with too few bundles, too few flaky ones, or pairs that differ', () => {
    expect(weighReplays([...flaky, ...steady], 21).holds).toBe(false);
    expect(weighReplays([...flaky.slice(1), ...steady, row(false, 6)], 20).holds).toBe(false);
    expect(weighReplays([...flaky, ...steady.slice(1), row(false, 4)], 20).holds).toBe(false);
  });
});
