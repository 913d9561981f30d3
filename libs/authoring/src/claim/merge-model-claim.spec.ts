import type { Facet } from '@reenact/domain';
import { Claim as ClaimSchema } from '@reenact/domain/schemas';
import fc from 'fast-check';
import { readReport } from '@reenact/report';
import { describe, expect, it } from 'vitest';
import { claimFromReport } from './claim-from-report.js';
import { mergeModelClaim } from './merge-model-claim.js';

const TEXT = `# Batches come in the same order in every epoch

torch 2.1.0, gloo, 2 processes.

On both workers the rows are identical in epoch 0 and epoch 3. The loss stops with "lazy   rows
are gone" after 40 steps.

Expected: a ValueError for an empty shard.
`;
const report = readReport(new TextEncoder().encode(TEXT));
const rules = claimFromReport(report);

function facet(change: Partial<Facet>): Facet {
  return {
    id: 'order',
    statement: 'On both workers the rows are identical in epoch 0 and epoch 3.',
    span: null,
    stance: 'observed',
    shownBy: 'measurement',
    oracles: [],
    ...change,
  };
}

const relation = (right: unknown): Facet =>
  facet({ oracles: [{ kind: 'relation', left: { obs: 'distinct_orders', take: 'last' }, op: '==', right: right as number }] });

/** A report with one symptom that no rule binds. */
const open = readReport(
  new TextEncoder().encode(
    '# Weights of mixed samples are too strong\n\ntorch 2.1.0. The variance is 0.01, far too small.\n\nExpected: a variance near 0.18.',
  ),
);
const openRules = claimFromReport(open);

describe('mergeModelClaim', () => {
  it('binds a facet that the rules left open', () => {
    expect(openRules.facets).toMatchObject([{ oracles: [] }]);
    const merged = mergeModelClaim(open, openRules, {
      facets: [
        facet({
          statement: 'The variance is 0.01, far too small.',
          oracles: [{ kind: 'relation', left: { obs: 'variance', take: 'last' }, op: '<', right: 0.18 }],
        }),
      ],
    });
    expect(merged.rejected).toEqual([]);
    expect(merged.claim).toMatchObject({
      madeBy: 'model',
      facets: [{ id: openRules.facets[0]?.id, shownBy: 'measurement', oracles: [{ kind: 'relation', right: 0.18 }] }],
    });
    expect(ClaimSchema.safeParse(merged.claim).success).toBe(true);
  });

  it.each([
    ['a number that is not in the report', 0.37],
    ['a made-up list', [1, 2, 3]],
  ])('rejects %s', (_what, right) => {
    const merged = mergeModelClaim(open, openRules, [relation(right)]);
    expect(merged.rejected).toHaveLength(1);
    expect(merged.claim).toEqual(openRules);
  });

  it.each([0, 1])('takes the logical bound %j', (right) => {
    expect(mergeModelClaim(open, openRules, [relation(right)]).claim.madeBy).toBe('model');
  });

  it.each([
    [
      'an invented message',
      {
        kind: 'exception' as const,
        types: [],
        message: { text: 'rows went missing', match: 'contains' as const },
        frames: [],
        through: [],
      },
    ],
    [
      'words of the report in another order',
      {
        kind: 'exception' as const,
        types: [],
        message: { text: 'rows lazy gone are', match: 'contains' as const },
        frames: [],
        through: [],
      },
    ],
    ['an invented type', { kind: 'exception' as const, types: ['IndexError'], frames: [], through: [] }],
    [
      'a message as a pattern',
      { kind: 'exception' as const, types: [], message: { text: '.*', match: 'regex' as const }, frames: [], through: [] },
    ],
    ['an invented version', { kind: 'output' as const, pattern: 'torch 9\\.9\\.9 9.9.9', flags: '', stream: 'any' as const, atLeast: 1 }],
    ['a check that names no observation', { kind: 'desync' as const, note: '', absolute: 0, relative: 0 }],
  ])('rejects %s', (_what, oracle) => {
    const merged = mergeModelClaim(report, rules, [facet({ id: 'x', oracles: [oracle] })]);
    expect(merged.rejected).not.toEqual([]);
    expect(merged.claim.facets).toEqual(rules.facets);
  });

  it('folds white space when it looks for a message', () => {
    const bare = { ...rules, facets: [] };
    const merged = mergeModelClaim(report, bare, [
      facet({
        oracles: [{ kind: 'exception', types: [], message: { text: 'lazy rows are gone', match: 'contains' }, frames: [], through: [] }],
      }),
    ]);
    expect(merged.claim.facets).toHaveLength(1);
  });

  it('never weakens a check of the rules', () => {
    const crash = readReport(new TextEncoder().encode('# Fails\n\nIt raises a KeyError about tokens. The loss is 3.'));
    const own = claimFromReport(crash);
    const merged = mergeModelClaim(crash, own, [
      facet({ id: own.facets[0]?.id ?? '', oracles: [{ kind: 'exception', types: ['KeyError'], frames: [], through: [] }] }),
    ]);
    expect(merged.claim).toEqual(own);
    expect(merged.rejected[0]?.reason).toContain('already');
  });

  it('takes the stance from the sentence, not from the model', () => {
    const bare = { ...rules, facets: [] };
    const merged = mergeModelClaim(report, bare, [
      facet({
        statement: 'Expected: a ValueError for an empty shard.',
        oracles: [{ kind: 'exception', types: ['ValueError'], frames: [], through: [] }],
      }),
    ]);
    expect(merged.claim.facets).toMatchObject([{ stance: 'expected' }]);
  });

  it('leaves the claim alone whatever the model answers', () => {
    fc.assert(
      fc.property(fc.anything(), (proposal) => {
        const merged = mergeModelClaim(report, rules, proposal);
        expect(merged.claim).toEqual(rules);
        expect(merged.rejected.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
