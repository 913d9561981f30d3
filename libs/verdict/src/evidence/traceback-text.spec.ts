import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOfPrintedFile, readTracebacks } from './traceback-text.js';

describe('readTracebacks', () => {
  it('reads chained tracebacks with code lines, carets and dotted types', () => {
    const text = [
      'Traceback (most recent call last):',
      '  File "/work/subject/store.py", line 5, in save',
      '    torch.save(state, path)',
      '    ^^^^^^^^^^',
      'KeyError: 1',
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      'Traceback (most recent call last):',
      '  File "main.py", line 9, in <module>',
      '    main()',
      'torch.OutOfMemoryError: CUDA out of memory.',
      'Tried to allocate 20 GiB',
    ].join('\n');
    expect(readTracebacks(text)).toEqual([
      {
        type: 'KeyError',
        message: '1',
        frames: [{ file: '/work/subject/store.py', line: 5, function: 'save', code: 'torch.save(state, path)' }],
      },
      {
        type: 'torch.OutOfMemoryError',
        message: 'CUDA out of memory.\nTried to allocate 20 GiB',
        frames: [{ file: 'main.py', line: 9, function: '<module>', code: 'main()' }],
      },
    ]);
  });

  it('finds none where the header has no frame or no end', () => {
    expect(readTracebacks('Traceback (most recent call last):\nValueError: x')).toEqual([]);
    expect(readTracebacks('Traceback (most recent call last):\n  File "a.py", line 1, in f')).toEqual([]);
    expect(readTracebacks('ValueError: x')).toEqual([]);
  });

  it('reads any text without an error', () => {
    const line = fc.constantFrom(
      'Traceback (most recent call last):',
      '  File "a.py", line 1, in f',
      '    code',
      'E: x',
      'ValueError',
      '',
      '  ^^',
      'text',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        for (const found of readTracebacks(lines.join('\n'))) expect(found.frames.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('placeOfPrintedFile', () => {
  it('knows packages, the subject by its files, and the standard library', () => {
    const subject = new Set(['nets/cell.py']);
    expect(placeOfPrintedFile('/env/lib/python3.11/site-packages/torch/a.py', subject)).toBe('dependency');
    expect(placeOfPrintedFile('/work/subject/nets/cell.py', subject)).toBe('subject');
    expect(placeOfPrintedFile('/usr/lib/python3.11/json/decoder.py', subject)).toBe('standard-library');
    expect(placeOfPrintedFile('/work/script/repro.py', subject)).toBe('other');
  });
});
