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
  const { classification, rank: decided, missingRanks } = mergeRanks(ranks);
  return [classification.class, decided, missingRanks];
};

describe('ranks of one execution', () => {
  it('count together when all of them finished', () => {
    expect(merged(rank(0, 'script', 9, 'succeeded'), rank(1, 'script', 8, 'succeeded'))).toEqual(['script', null, []]);
    expect(merged(rank(0, 'script', 9, 'stuck'), rank(1, 'script', 8, 'stuck'))).toEqual(['script', null, []]);
  });

  it('are decided by the first script that failed', () => {
    expect(merged(rank(0, 'script', 12, 'failed'), rank(1, 'script', 10, 'failed'), rank(2, 'script', 11, 'failed'))).toEqual([
      'script',
      1,
      [],
    ]);
  });

  it('are the cluster’s fault when it had one on any rank before or about when a script failed', () => {
    for (const at of [3, 10, 70, 75, null])
      expect(merged(rank(0, 'script', 10, 'failed'), rank(1, 'infra-disrupted', at))).toEqual(['infra-disrupted', 1, []]);
    expect(merged(rank(0, 'script', null, 'failed'), rank(1, 'infra-disrupted', 900))).toEqual(['infra-disrupted', 1, []]);
    expect(merged(rank(0, 'script', 10, 'succeeded'), rank(1, 'infra-lost', 900))).toEqual(['infra-lost', 1, []]);
  });

  it('are decided by a script that failed long before, and the ranks without evidence are named', () => {
    expect(merged(rank(2, 'infra-lost', 90), rank(0, 'script', 10, 'failed'), rank(1, 'infra-lost', 76))).toEqual(['script', 0, [1, 2]]);
  });

  it('are never taken for stuck while one of them is missing', () => {
    expect(merged(rank(0, 'script', 10, 'stuck'), rank(1, 'infra-lost', 900))).toEqual(['infra-lost', 1, []]);
  });

  it('name the fault that says what happened, of those that came together', () => {
    expect(merged(rank(0, 'log-incomplete', 10), rank(1, 'infra-disrupted', 14), rank(2, 'infra-gpu', 40))).toEqual([
      'infra-disrupted',
      1,
      [],
    ]);
    expect(merged(rank(0, 'log-incomplete', 10), rank(1, 'infra-disrupted', 16))).toEqual(['log-incomplete', 0, []]);
    expect(merged(rank(0, 'infra-net', 10), rank(1, 'script-oom-host', 10))).toEqual(['script-oom-host', 1, []]);
    expect(merged(rank(1, 'infra-net', 11), rank(0, 'infra-net', 10))).toEqual(['infra-net', 0, []]);
  });

  it('are cancelled when one was', () => {
    expect(merged(rank(0, 'script', 1, 'failed'), rank(1, 'cancelled', 900))).toEqual(['cancelled', 1, []]);
  });

  it('are at least one', () => {
    expect(() => mergeRanks([])).toThrow(RangeError);
  });

  it('are never judged when the cluster had a fault no later than 60 s after the first failure, in whatever order they are told', () => {
    const one = fc.record({
      name: fc.constantFrom(...(Object.keys(OUTCOME_CLASSES) as OutcomeClass[])),
      at: fc.option(fc.integer({ min: 0, max: 200 })),
      script: fc.constantFrom('succeeded', 'failed', 'stuck', 'unknown'),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), fc.nat(), (list, turn) => {
        const ranks = list.map(({ name, at, script }, index) => rank(index, name, at, script));
        const turned = [...ranks.slice(turn % ranks.length), ...ranks.slice(0, turn % ranks.length)];
        const result = mergeRanks(ranks);
        expect(mergeRanks(turned).classification.outcome).toBe(result.classification.outcome);
        if (result.classification.outcome !== 'finished') return;
        const faults = ranks.filter(({ classification }) => classification.outcome === 'infra');
        const failures = ranks.filter(({ classification, script }) => classification.outcome === 'finished' && script === 'failed');
        const firstFailure = Math.min(...failures.map(({ endedAtSeconds }) => endedAtSeconds ?? -Infinity));
        expect(faults.every(({ endedAtSeconds }) => (endedAtSeconds ?? -Infinity) > firstFailure + 60)).toBe(true);
        expect(result.missingRanks).toEqual(faults.map((fault) => fault.rank));
      }),
    );
  });
});
