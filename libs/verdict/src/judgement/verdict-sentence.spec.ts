import { describe, expect, it } from 'vitest';
import { checkStatement } from '../grounding/check-grounding.js';
import { createEvidence, observedFacet, relationOracle } from '../testing/index.js';
import { playResult } from '../testing/ledger-builder.js';
import { foldRun } from './fold-run.js';

const wrong = observedFacet([relationOracle('acc', '>', 1)], { shownBy: 'measurement' });
const healthy = createEvidence().modules('cell.py').obs({ acc: 0.5 }).exit(0).build();

/** Two independent attempts that both miss, at the rate that the report suggests. */
function missedTwice(expectedRate: number) {
  const { judgement, ledger } = playResult([wrong], () => healthy, { expectedRate, scope: 'run' });
  const attempts = [0, 1].map((context) => ({ candidate: `c${context}`, context, judgement }));
  const fold = foldRun(attempts, { environmentProbePassed: true });
  return { ...fold, refused: fold.clauses.flatMap((clause) => checkStatement(clause, ledger) ?? []) };
}

describe('a miss states how likely it is one', () => {
  it('by the rate that the report suggests, and all of it is grounded', () => {
    expect(missedTwice(0.3)).toMatchObject({
      verdict: 'not_reproduced',
      sentence:
        'Not reproduced: independent attempts reached the reported phase, and 0 of 9 fresh trials show a claimed symptom ' +
        '(95 % interval 0–34 %); a fault that comes at a rate of 0.3 would be missed with a probability of 0.040.',
      refused: [],
    });
  });

  it('in words where the report speaks of no chance', () => {
    const { sentence, refused } = missedTwice(1);
    expect(sentence).toMatch(/0 of 1 fresh trials .*; the report speaks of no chance, and a fault that comes every time is not missed\.$/);
    expect(refused).toEqual([]);
  });
});
