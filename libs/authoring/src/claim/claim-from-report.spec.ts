import { Claim as ClaimSchema } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { claimOf } from '../testing/claimed.js';

describe('claimFromReport', () => {
  it.each([
    'It does not work',
    '# Training is broken\n\nIt does not work. Please help.',
    '# Bug\n\nI ran `python train.py` and it does not work as expected. torch 2.1.',
    '# Problem with the training script\n\nThe program fails with an error.',
  ])('asks for the symptom of a report that says no more than that something is wrong: %j', (text) => {
    expect(claimOf(text)).toMatchObject({ facets: [], missing: expect.arrayContaining(['symptom']) });
  });

  it.each([
    ['# Training is broken\n\nAfter a resume the learning rate is ignored.', 'After a resume the learning rate is ignored.'],
    ['# Something is wrong\n\nThe mask is applied to the wrong axis.', 'The mask is applied to the wrong axis.'],
  ])('keeps the words of a report that no rule can bind: %j', (text, statement) => {
    const claim = claimOf(text);
    expect(claim.facets.map((facet) => [facet.statement, facet.oracles.length])).toEqual([[statement, 0]]);
    expect(claim.missing).not.toContain('symptom');
  });

  it('is valid and empty for an empty report', () => {
    const claim = claimOf('');
    expect(ClaimSchema.parse(claim)).toMatchObject({ facets: [], claimedRate: 1 });
    expect(claim.missing).toContain('symptom');
  });

  it.each([
    ['It hangs in 1 of 3 runs.', 1 / 3],
    ['Sometimes the loss is nan.', 0.3],
    ['It fails in about half of the runs with a KeyError.', 0.5],
    ['Every time it ends with a KeyError.', 1],
    ['It ends with a KeyError.', 1],
  ])('reads the rate of %j', (sentence, rate) => {
    expect(claimOf(`# Training fails\n\n${sentence}`).claimedRate).toBeCloseTo(rate, 6);
  });

  it('carries the environment', () => {
    const claim = claimOf(
      '# Save fails\n\ntorch 2.1.2, Python 3.11, 2 processes, CPU. It was fine with torch 2.0.1. `torch.save` raises a TypeError.',
    );
    expect(claim).toMatchObject({
      worldSize: 2,
      environment: {
        python: ['3.11'],
        packages: [{ name: 'torch', version: '2.1.2' }],
        goodPackages: [{ name: 'torch', version: '2.0.1' }],
        devices: ['cpu'],
      },
    });
  });

  it('gives ids that the schema accepts, each once', () => {
    const claim = claimOf(
      '# Two\n\nWith an odd batch it raises a VeryLongNameOfACustomConfigurationError. With an even one it raises an AnotherVeryLongNameOfACustomConfigurationError.',
    );
    expect(ClaimSchema.safeParse(claim).success).toBe(true);
    expect(new Set(claim.facets.map((facet) => facet.id)).size).toBe(2);
  });
});
