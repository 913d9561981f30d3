import { describe, expect, it } from 'vitest';
import { seededDraws } from '@reenact/domain';
import { binomialBound } from '../statistics/binomial.js';
import { ask, createEvidence, type EvidenceBuilder } from '../testing/index.js';

const RUNS = 200;
const VALUES = 20;

/** How many of 200 trials without any effect are taken for one; draws are independent, as the tests assume. */
function countShown(oracle: object, observe: (evidence: EvidenceBuilder, value: number, index: number) => EvidenceBuilder): number {
  let shown = 0;
  for (let run = 1; run <= RUNS; run += 1) {
    const draw = seededDraws(run);
    const evidence = Array.from({ length: VALUES }, () => 1 + 0.1 * draw()).reduce(observe, createEvidence());
    if (ask(oracle, evidence.exit(0).build()).state === 'shown') shown += 1;
  }
  return shown;
}

const inTurns = (evidence: EvidenceBuilder, value: number, index: number) => evidence.obs({ value, arm: index % 2 });
const inSteps = (evidence: EvidenceBuilder, value: number, index: number) => evidence.obs({ value, step: index });

/** The stated rate of false positives of one trial on the null; a verdict asks for five trials and five of the control. */
describe('trials without an effect', () => {
  it.each(['rises', 'falls'])('%s in at most 2.5 % of them', (direction) => {
    expect(countShown({ kind: 'trend', name: 'value', direction }, inSteps)).toBeLessThanOrEqual(binomialBound(RUNS, 0.025, 0.01));
  });

  it('leak in at most 2.5 % of them', () => {
    const leak = { kind: 'trend', name: 'value', memory: true };
    expect(countShown(leak, inSteps)).toBeLessThanOrEqual(binomialBound(RUNS, 0.025, 0.01));
  });

  it('are slower by 7 % in hardly any of them', () => {
    const slow = { kind: 'slow', name: 'value', slowArm: 1, fastArm: 0 };
    expect(countShown(slow, inTurns)).toBeLessThanOrEqual(binomialBound(RUNS, 0.01, 0.01));
  });

  it('have one arm greater than the other in at most 5 % of them', () => {
    const greater = { kind: 'distribution', name: 'value', greaterArm: 1, lesserArm: 0 };
    expect(countShown(greater, inTurns)).toBeLessThanOrEqual(binomialBound(RUNS, 0.05, 0.01));
  });
});
