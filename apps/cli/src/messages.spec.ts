import { describe, expect, it } from 'vitest';
import { AppError } from '@reenact/domain';
import { crashReport, renderError, renderUnexpected } from './messages.js';

const ESC = String.fromCharCode(27);

describe('renderError', () => {
  it('says what, where, why, what to do, and the code', () => {
    const error = new AppError('temporal-unreachable', 'No Temporal server answers at 127.0.0.1:7233.', {
      hint: 'Check the address, or give none.',
      cause: new Error('ECONNREFUSED 127.0.0.1:7233'),
    });
    expect(renderError(error)).toMatchInlineSnapshot(`
      "✖ No Temporal server answers at 127.0.0.1:7233.  [temporal-unreachable]
        why: ECONNREFUSED 127.0.0.1:7233
        Check the address, or give none.
      "
    `);
  });

  it('names all problems of a case', () => {
    const error = new AppError('case-invalid', 'The case /c has 2 problem(s):\n    report.md: not there\n    project/: not there', {
      hint: 'A case has report.md and project/.',
    });
    expect(renderError(error)).toMatchInlineSnapshot(`
      "✖ The case /c has 2 problem(s):  [case-invalid]
          report.md: not there
          project/: not there
        A case has report.md and project/.
      "
    `);
  });

  it('stays on one screen and lets no control sequence through', () => {
    const text = renderError(
      new AppError('usage', `${ESC}[2Jx\n`.repeat(500), { hint: `${ESC}]0;t${String.fromCharCode(7)}\n`.repeat(500) }),
    );
    expect(text.split('\n').length).toBeLessThan(45);
    expect(text).not.toContain(ESC);
  });

  it('owns up to a fault of ours', () => {
    expect(renderError(new AppError('internal', 'The worker ended.'))).toContain('Please report it');
  });
});

describe('unexpected errors', () => {
  it('print one sentence and the file with the details', () => {
    expect(renderUnexpected(new TypeError('x is not a function'), '/s/logs/crashes/1.txt')).toMatchInlineSnapshot(`
      "✖ Something went wrong inside Reenact: TypeError: x is not a function  [internal]
        Details: /s/logs/crashes/1.txt
        Please report it; starting again often helps meanwhile.
      "
    `);
  });

  it('keep the chain of causes, and end for a loop', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    expect(crashReport(error, 'run')).toMatch(/reenact run[^]*outer[^]*inner/);
    error.cause = error;
    expect(crashReport(error, 'run').match(/Error: outer/g)).toHaveLength(10);
  });
});
