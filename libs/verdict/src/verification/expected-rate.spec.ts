import { describe, expect, it } from 'vitest';
import { exceptionOracle, observedFacet } from '../testing/index.js';
import { expectedRate } from './expected-rate.js';

const raises = observedFacet([exceptionOracle({ types: ['KeyError'] })]);
const printed = observedFacet([{ kind: 'output', pattern: 'bad', flags: '', stream: 'any', atLeast: 1 }]);

describe('expectedRate', () => {
  it('is the rate of the report where nothing was measured', () => {
    expect(expectedRate([raises], 1, null)).toBe(1);
    expect(expectedRate([raises], 0.3, null)).toBe(0.3);
    expect(expectedRate([raises], 0.3, { shown: 0, total: 9 })).toBe(0.3);
  });

  it('is the lower end of what was measured, so that a few misses end no series', () => {
    // 12 of 20: exact 95 % interval 36.05–80.88 %
    expect(expectedRate([raises], 1, { shown: 12, total: 20 })).toBeCloseTo(0.3605, 4);
    // 5 of 5: 47.82–100 %
    expect(expectedRate([printed], 1, { shown: 5, total: 5 })).toBeCloseTo(0.4782, 4);
    expect(expectedRate([raises, printed], 1, { shown: 5, total: 5 })).toBeCloseTo(0.4782, 4);
  });

  it('is never rarer than what may be called unstable', () => {
    expect(expectedRate([raises], 1, { shown: 3, total: 20 })).toBe(0.15);
  });

  it('stays as claimed for deterministic kinds that always showed', () => {
    expect(expectedRate([raises], 1, { shown: 3, total: 3 })).toBe(1);
    expect(expectedRate([raises], 0.3, { shown: 3, total: 3 })).toBe(0.3);
  });
});
