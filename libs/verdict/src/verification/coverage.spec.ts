import { isReproduced } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { negativeBinomialInterval } from '../statistics/negative-binomial.js';
import { COVERAGE_DESIGNS, COVERAGE_RATES, PRINTED_FACET, coverageEnds, exactCoverage, simulateCoverage } from '../testing/index.js';
import type { CoverageDesign } from '../testing/index.js';

// Trials of a flaky fault with a true rate, planned and judged by the real planner and judge: how often the published interval
// holds that rate, although the number of trials depends on what they show. `bench coverage` prints the same with more of them.

const SERIES = 400;

const GRID = Array.from({ length: 199 }, (_unused, step) => (step + 1) / 200);

describe.each(COVERAGE_DESIGNS)('the interval of a flaky fault where $name', (design) => {
  const ends = coverageEnds(design);

  it.each(COVERAGE_RATES)(
    'at a rate of %f covers it in at least 95 % of the verdicts, simulated and by the exact count of all series',
    (rate) => {
      const simulated = simulateCoverage(design, rate, { verdicts: SERIES, seed: 0 }).covered / SERIES;
      const exact = exactCoverage(ends, rate);
      expect(simulated).toBeGreaterThanOrEqual(0.95);
      expect(exact).toBeGreaterThanOrEqual(0.95);
      // Four standard errors of the simulation.
      expect(Math.abs(simulated - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / SERIES));
    },
  );

  it('reaches at least 93.9 % at every other rate: stopping early costs Clopper–Pearson up to 1.1 points', () => {
    for (const rate of GRID) expect(exactCoverage(ends, rate)).toBeGreaterThan(0.939);
  });
});

describe('what the interval does not hold', () => {
  const chance = coverageEnds({ facet: PRINTED_FACET, expectedRate: 0.3 });
  const reproduced = (design: Pick<CoverageDesign, 'facet' | 'expectedRate'>) =>
    coverageEnds(design).filter((end) => isReproduced(end.verdict));

  it('at a rate of 0.44 it covers 94 %, as 0 of 9 and 5 of 5 end a series that others go on with', () => {
    expect(exactCoverage(chance, 0.437)).toBeCloseTo(0.9396, 4);
  });

  it('the negative-binomial interval would cover less: no series ends at a success', () => {
    const inverse = chance.map((end) => (end.shown > 0 ? { ...end, ...negativeBinomialInterval(end.shown, end.total) } : end));
    expect(exactCoverage(inverse, 0.4)).toBeCloseTo(0.9246, 4);
    expect(exactCoverage(chance, 0.4)).toBeCloseTo(0.9572, 4);
  });

  // Fisher's test lets 5 of 20 pass as the least, so of a fault at 0.1 only the lucky series are called reproduced: no interval
  // that looks at the counts alone can mend a choice that was made by those very counts.
  it.each([
    [0.3, 0.1, 0.7232],
    [0.1, 0.1, 0.8573],
    [1, 0.1, 0.6714],
    [0.3, 0.3, 0.9808],
    [0.3, 0.5, 0.9809],
    [0.3, 0.9, 0.9875],
  ])('with a claimed rate of %f, of the series at %f that are called reproduced it covers a share of %f', (...row) => {
    const [expectedRate, rate, share] = row;
    expect(exactCoverage(reproduced({ facet: PRINTED_FACET, expectedRate }), rate)).toBeCloseTo(share, 4);
  });
});
