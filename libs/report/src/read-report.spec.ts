import { Report as ReportSchema } from '@reenact/domain/schemas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '@reenact/domain';
import { DEFAULT_REPORT_LIMITS } from './limits.js';
import { readReport } from './read-report.js';

const encoder = new TextEncoder();
function read(text: string) {
  return readReport(encoder.encode(text));
}

/** The report, or null where the bytes are no text. */
function readText(text: string) {
  try {
    return read(text);
  } catch (error) {
    if (isAppError(error) && error.code === 'report-unreadable') return null;
    throw error;
  }
}

/** Pieces that reports are made of, and tricks against readers of reports. */
const PIECES = [
  '# Title',
  'It fails with a `KeyError`.',
  'torch 1.13 / 2.6, CPU.',
  'Python 3.11',
  '```',
  '```python',
  '~~~',
  '> quoted',
  '>>> import torch',
  '    indented',
  'Traceback (most recent call last):',
  '  File "a.py", line 3, in f',
  '    g()',
  'ValueError: bad',
  '[rank0]: Traceback (most recent call last):',
  '[rank0]: KeyError: 1',
  '\n',
  '| torch | 2.6.0 |',
  '`python train.py 2`',
  '2 processes',
  'loss 1.0986',
  'in 1 of 3 runs',
  'seed=3',
  'https://example.org/x',
  'net/a.py',
  'torch.save',
  'UserWarning: careful',
  'Killed',
  '<!--',
  '-->',
  '<details>',
  '<pre>',
  'During handling of the above exception, another exception occurred:',
  'Expected: none.',
  '  + Exception Group Traceback (most recent call last):',
  '  | ValueError: x',
  '\u202e',
  '\u200b',
  '\u0000',
  '((((',
  '[[[[',
  '"""',
  '----> 3 x',
  'E   ValueError: x',
];
const anyReport = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 60 })
  .map((parts) => parts.join('\n'));

describe('readReport', () => {
  it('gives a valid report whose spans hold what was read, for any text', () => {
    fc.assert(
      fc.property(anyReport, (text) => {
        const report = readText(text);
        if (report === null) return;
        expect(ReportSchema.safeParse(report).success).toBe(true);
        const at = (span: { start: number; end: number }) => report.text.slice(span.start, span.end);
        for (const entry of report.exceptions) expect(at(entry.span)).toContain(entry.type);
        for (const entry of report.packages) expect(at(entry.span)).toContain(entry.version);
        for (const entry of report.pythonVersions) expect(at(entry.span)).toBe(entry.version);
        for (const entry of report.numbers) expect(at(entry.span)).toBe(entry.text);
        for (const entry of report.symbols) expect(at(entry.span)).toContain(entry.name);
        for (const entry of report.files) expect(at(entry.span)).toBe(entry.path);
        for (const entry of report.links) expect(at(entry.span)).toBe(entry.url);
        for (const entry of report.seeds) expect(Number(at(entry.span))).toBe(entry.value);
        for (const entry of report.warnings) expect(at(entry.span)).toContain(entry.message);
        for (const entry of report.sentences) expect(at(entry.span).replace(/\s+/g, ' ')).toBe(entry.text);
        for (const entry of report.errorLines) expect(at(entry.span).replace(/[`\s]+/g, '')).toContain(entry.text.replace(/[`\s]+/g, ''));
        for (const entry of report.commands)
          for (const word of entry.argv) expect(at(entry.span).replace(/\\/g, '')).toContain(word.split(/["']/)[0]);
        for (const entry of report.codeBlocks) for (const line of entry.text.split('\n')) expect(at(entry.span)).toContain(line.trim());
        if (report.worldSize !== null) expect(at(report.worldSize.span)).not.toBe('');
        if (report.frequency !== null) expect(at(report.frequency.span).replace(/\s+/g, ' ')).toBe(report.frequency.text);
      }),
      { numRuns: 400 },
    );
  });

  it('is the same for the same bytes', () => {
    fc.assert(
      fc.property(anyReport, (text) => {
        expect(readText(text)).toEqual(readText(text));
      }),
      { numRuns: 30 },
    );
  });

  it('never fails in another way than saying that the bytes are no text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        try {
          expect(ReportSchema.safeParse(readReport(bytes)).success).toBe(true);
        } catch (error) {
          expect(isAppError(error) && error.code === 'report-unreadable').toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads UTF-16 and byte-order marks', () => {
    const bytes = new Uint8Array([0xff, 0xfe, ...[...'# Fails\n'].flatMap((character) => [character.charCodeAt(0), 0])]);
    expect(readReport(bytes).title).toBe('Fails');
    expect(readReport(new Uint8Array([0xef, 0xbb, 0xbf, ...encoder.encode('# Fails')])).title).toBe('Fails');
  });

  it('takes invisible and control characters out', () => {
    expect(read('# A\u202eB\u200bC\u0000D\u001b[31mE\u001b[0m\r\nnext').text).toBe('# ABCDE\nnext');
  });

  it('refuses binary input', () => {
    expect(() => readReport(new Uint8Array(5_000).map((_, index) => (index * 37) % 256))).toThrowError(
      expect.objectContaining({ code: 'report-unreadable' }),
    );
  });

  it('reads a report of its own kind whole', () => {
    const report = read('# Fails\n\nBody.');
    expect([report.truncated, report.title, report.digest.length]).toEqual([false, 'Fails', 64]);
  });
});

describe('huge and hostile input', () => {
  const line = '2025-01-01 10:00:00 step 12 loss 0.5321 acc 0.91 lr 0.001 torch.save net/a.py\n';
  const HOSTILE: [what: string, text: string][] = [
    ['a log of 100 000 lines', `# Fails\n\nIt ends with a KeyError.\n\n\`\`\`\n${line.repeat(100_000)}\`\`\`\n`],
    ['ten megabytes on one line', `# Fails\n\n${'a'.repeat(10_000_000)}`],
    ['ten megabytes of dots', `# Fails\n\n${'a.'.repeat(5_000_000)}`],
    ['nested quotations', `# Fails\n${'>'.repeat(300_000)} a\n${'> '.repeat(500)}b`],
    ['back-ticks', '`'.repeat(400_000)],
    ['open fences', '```\n'.repeat(90_000)],
    ['headers of traces', 'Traceback (most recent call last):\n'.repeat(12_000)],
    ['frames without end', '  File "a.py", line 1, in f\n    g()\n'.repeat(12_000)],
    ['heads of notebooks', 'KeyError      Traceback (most recent call last)\n'.repeat(9_000)],
    [
      'chained traces',
      'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n'.repeat(
        3_000,
      ),
    ],
    ['opened comments', '<!--\n'.repeat(90_000)],
    ['opened brackets', '['.repeat(400_000)],
    ['numbers', '1 '.repeat(200_000)],
    ['groups of digits', '1 000'.repeat(80_000)],
    ['dashes', '-'.repeat(400_000)],
    ['blanks', `a${' '.repeat(400_000)}b`],
    ['short blank lines', ' \n'.repeat(200_000)],
    ['words', 'torch version version version '.repeat(13_000)],
    ['escape sequences', '\u001b[31mred \u001b]0;title '.repeat(20_000)],
    ['one long sentence', 'it fails and then '.repeat(22_000)],
    ['quotes', '"a '.repeat(130_000)],
    ['pipes', '| a '.repeat(100_000)],
    ['equal signs', 'A=b '.repeat(100_000)],
    ['versions', 'torch 1.2.3, 1.2.4 and '.repeat(17_000)],
  ];

  it.each(HOSTILE)('bounds what is kept of %s', (_what, text) => {
    const report = read(text);
    expect(report.text.length).toBeLessThanOrEqual(DEFAULT_REPORT_LIMITS.maxCharacters);
    for (const list of [
      report.sentences,
      report.exceptions,
      report.errorLines,
      report.warnings,
      report.codeBlocks,
      report.commands,
      report.packages,
      report.numbers,
      report.files,
      report.symbols,
      report.links,
    ]) {
      expect(list.length).toBeLessThanOrEqual(DEFAULT_REPORT_LIMITS.maxItems);
    }
  });

  it('keeps head and tail of a long report and says so', () => {
    const report = read(
      `# Fails\n\nIt ends with a KeyError.\n\n\`\`\`\n${line.repeat(100_000)}Traceback (most recent call last):\n  File "a.py", line 2, in f\n    g()\nKeyError: 'last'\n\`\`\`\n`,
    );
    expect(report.truncated).toBe(true);
    expect(report.exceptions).toMatchObject([{ type: 'KeyError', message: "'last'" }]);
  });

  it('cuts long lines and says so', () => {
    expect(read(`# Fails\n\n${'x'.repeat(5_000)}`)).toMatchObject({ truncated: true });
  });
});
