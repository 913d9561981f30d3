import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeRanks } from './merge-ranks.js';
import type { RankOutcome } from './merge-ranks.js';
import { classified, OUTCOME_CLASSES } from './outcome-class.js';
import type { OutcomeClass } from './outcome-class.js';

const rank = (
  number: number,
  name: OutcomeClass,
  endedAtSeconds: number | null,
  script: RankOutcome['script'] = 'unknown',
): RankOutcome => ({
  ...{ rank: number, classification: classified(name, name), endedAtSeconds, script },
});
const merged = (...ranks: RankOutcome[]) => {
  const { classification, rank: decided } = mergeRanks(ranks);
  return [classification.class, decided];
};

describe('ranks of one execution', () => {
  it('count together when all of them finished', () => {
    expect(merged(rank(0, 'script', 9, 'succeeded'), rank(1, 'script', 8, 'succeeded'))).toEqual(['script', null]);
    expect(merged(rank(0, 'script', 9, 'stuck'), rank(1, 'script', 8, 'stuck'))).toEqual(['script', null]);
  });

  it('are decided by the first script that failed', () => {
    expect(merged(rank(0, 'script', 12, 'failed'), rank(1, 'script', 10, 'failed'), rank(2, 'script', 11, 'failed'))).toEqual([
      'script',
      1,
    ]);
  });

  it('are the cluster’s fault when it had one on any rank, whenever that was', () => {
    for (const at of [3, 10, 75, 900, null])
      expect(merged(rank(0, 'script', 10, 'failed'), rank(1, 'infra-disrupted', at))).toEqual(['infra-disrupted', 1]);
    expect(merged(rank(0, 'script', 10, 'succeeded'), rank(1, 'infra-lost', 900))).toEqual(['infra-lost', 1]);
    expect(merged(rank(0, 'script', 10, 'stuck'), rank(1, 'infra-lost', 900))).toEqual(['infra-lost', 1]);
  });

  it('name the fault that says what happened, of those that came together', () => {
    expect(merged(rank(0, 'log-incomplete', 10), rank(1, 'infra-disrupted', 14), rank(2, 'infra-gpu', 40))).toEqual(['infra-disrupted', 1]);
    expect(merged(rank(0, 'log-incomplete', 10), rank(1, 'infra-disrupted', 16))).toEqual(['log-incomplete', 0]);
    expect(merged(rank(0, 'infra-net', 10), rank(1, 'script-oom-host', 10))).toEqual(['script-oom-host', 1]);
    expect(merged(rank(1, 'infra-net', 11), rank(0, 'infra-net', 10))).toEqual(['infra-net', 0]);
  });

  it('are cancelled when one was', () => {
    expect(merged(rank(0, 'script', 1, 'failed'), rank(1, 'cancelled', 900))).toEqual(['cancelled', 1]);
  });

  it('are at least one', () => {
    expect(() => mergeRanks([])).toThrow(RangeError);
  });

  it('are never judged when the cluster had a fault on any of them, in whatever order they are told', () => {
    const one = fc.record({
      name: fc.constantFrom(...(Object.keys(OUTCOME_CLASSES) as OutcomeClass[])),
      at: fc.option(fc.integer({ min: 0, max: 200 })),
      script: fc.constantFrom('succeeded', 'failed', 'stuck', 'unknown'),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), fc.nat(), (list, turn) => {
        const ranks = list.map(({ name, at, script }, index) => rank(index, name, at, script));
        const turned = [...ranks.slice(turn % ranks.length), ...ranks.slice(0, turn % ranks.length)];
        const { outcome } = mergeRanks(ranks).classification;
        expect(mergeRanks(turned).classification.outcome).toBe(outcome);
        expect(outcome === 'finished').toBe(ranks.every(({ classification }) => classification.outcome === 'finished'));
      }),
    );
  });
});
