import type { Claim, Report } from '@reenact/domain';
import { Claim as ClaimSchema } from '@reenact/domain/schemas';
import { readReport } from '@reenact/report';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimFromReport } from './claim-from-report.js';

const SENTENCES = [
  '# Training ends with an IndexError',
  '# Loss stays at 1.0986',
  '# Hangs in the second epoch',
  '# Accuracy above 1',
  'It raises a `KeyError` about tokens.',
  'The message talks about pickled locks.',
  'It fails with "rows are gone now".',
  'No error.',
  'Expected: ValueError.',
  'I suspect a RuntimeError.',
  'The loss is nan.',
  'Nothing more is printed.',
  'The accuracy is around 2, it should be between 0 and 1.',
  'torch 1.13.1 and 2.6.0',
  'It was fine with torch 1.12.',
  'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: row 3 is bad\n',
  'Segmentation fault',
  'Killed',
  '```',
  'UserWarning: careful',
  'exits with code 17',
  'in 1 of 3 runs',
  'Memory grows.',
  'It gets slower.',
  'The loss is stuck around 2.303.',
  'RuntimeError: something (3, 4) bad',
  '2 processes',
  'The F1 score is 1.3.',
  '\n',
];
const anyText = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...SENTENCES) }, { weight: 1, arbitrary: fc.string({ maxLength: 40 }) }), {
    maxLength: 25,
  })
  .map((parts) => parts.join('\n'));

function fold(text: string): string {
  return text.replace(/[`\s]+/g, ' ').trim();
}

/** Every literal of the claim's oracles that must stand in the report. */
function literals(claim: Claim): string[] {
  return claim.facets.flatMap((facet) =>
    facet.oracles.flatMap((oracle) => {
      switch (oracle.kind) {
        case 'exception':
          return [
            ...oracle.types,
            ...oracle.through,
            ...(oracle.message?.match === 'keywords' ? oracle.message.text.split(' ') : [oracle.message?.text ?? '']),
            ...oracle.frames.map((frame) => frame.file),
          ];
        case 'import':
          return [...oracle.types, oracle.message ?? ''];
        case 'exit':
          return oracle.code === undefined ? [] : [String(oracle.code)];
        default:
          return [];
      }
    }),
  );
}

function numbers(claim: Claim, report: Report): number[] {
  const stated = new Set([0, 1, 100, ...report.numbers.map((number) => number.value)]);
  return claim.facets.flatMap((facet) =>
    facet.oracles.flatMap((oracle) => (oracle.kind === 'printed' && !stated.has(oracle.right) ? [oracle.right] : [])),
  );
}

describe('claimFromReport', () => {
  it('invents nothing: every type, message, frame and number stands in the report', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const report = readReport(new TextEncoder().encode(text));
        const claim = claimFromReport(report);
        expect(ClaimSchema.safeParse(claim).success).toBe(true);
        const whole = fold(report.text);
        for (const literal of literals(claim)) expect(whole).toContain(fold(literal));
        expect(numbers(claim, report)).toEqual([]);
        for (const facet of claim.facets) if (facet.span !== null) expect(facet.span.end).toBeLessThanOrEqual(report.text.length);
        for (const entry of [...claim.environment.packages, ...claim.environment.goodPackages])
          expect(report.text).toContain(entry.version);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same claim for the same report', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(claimFromReport(readReport(bytes))).toEqual(claimFromReport(readReport(bytes)));
      }),
      { numRuns: 50 },
    );
  });

  it('makes no more facets than a report can tell symptoms, however long it is', () => {
    const long = `# Fails\n\n${'It raises a KeyError. The loss is nan. Nothing more is printed. The accuracy is 3.\n\n'.repeat(3_000)}`;
    expect(claimFromReport(readReport(new TextEncoder().encode(long))).facets.length).toBeLessThan(6);
  });
});
