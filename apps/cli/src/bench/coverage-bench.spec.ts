import { describe, expect, it } from 'vitest';
import { renderCoverage, runCoverageBench, weighCoverage } from './run-coverage-bench.js';

const counts = { verdicts: 400, covered: 384, reproduced: 100, reproducedCovered: 90, candidateTrials: 4_000, exact: 0.96 };

describe('weighCoverage', () => {
  it('asks 95 % of what was simulated, and of all that can be', () => {
    expect(weighCoverage('a', 0.3, counts)).toMatchObject({ share: 0.96, exactShare: 0.96, holds: true });
    expect(weighCoverage('a', 0.3, { ...counts, covered: 380 }).holds).toBe(true);
    expect(weighCoverage('a', 0.3, { ...counts, covered: 379 }).holds).toBe(false);
    expect(weighCoverage('a', 0.3, { ...counts, exact: 0.9499 }).holds).toBe(false);
    expect(weighCoverage('a', 0.3, { ...counts, verdicts: 299, covered: 299 }).holds).toBe(false);
  });
});

describe('runCoverageBench', () => {
  it('gives the same figures for the same seed, a row for every design and rate, and falls short with too few verdicts', () => {
    const run = (seed: number) => runCoverageBench({ verdicts: 12, seed, onRow: () => undefined });
    const first = run(3);
    expect(run(3).rows).toEqual(first.rows);
    expect(run(4).rows).not.toEqual(first.rows);
    expect(first.rows).toHaveLength(16);
    expect(new Set(first.rows.map((row) => row.rate))).toEqual(new Set([0.1, 0.3, 0.5, 0.9]));
    expect(first.holds).toBe(false);
    expect(renderCoverage(first).match(/falls short$/gm)).toHaveLength(17);
  });
});
