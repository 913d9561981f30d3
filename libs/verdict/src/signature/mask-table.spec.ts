import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskMessage } from './mask-message.js';
import { NUMBER_MASKS, putMasks, RANK_MASKS, RUN_MASKS } from './mask-table.js';
import { REWORDINGS, unifyWording } from './wording.js';

const MASKS = [...RUN_MASKS, ...RANK_MASKS, ...NUMBER_MASKS];

describe('the table of masks', () => {
  it.each(MASKS)('holds for $name', ({ example: [text, masked], pattern }) => {
    expect(text.search(pattern)).toBeGreaterThanOrEqual(0);
    expect(maskMessage(text).text).toBe(masked);
  });

  it.each(MASKS)('$name leaves a masked text as it is', ({ example: [, masked] }) => {
    expect(maskMessage(masked).text).toBe(masked);
  });

  it.each([
    ['found cuda:3 and cpu', 'found cuda:0 and cpu', 'found cpu:0 and cpu'],
    ['took 3.5 s', 'took 120 ms', 'took 3.5 of it'],
    ['used 12 %', 'used 99.5 %', 'used 12 of it'],
    ['no file C:\\Users\\ada\\run 7', 'no file /root/x/y 7', 'no file x 7'],
    ['/a/lib/python3.11/site-packages/torch/x.py', 'C:\\env\\site-packages\\torch\\x.py', '/a/lib/python3.11/site-packages/torch/y.py'],
    ['in /device:GPU:0', 'in /device:GPU:7', 'in /device:CPU:0'],
  ])('takes %s for %s and not for %s', (text, same, other) => {
    expect(maskMessage(text)).toEqual(maskMessage(same));
    expect(maskMessage(text).text).not.toBe(maskMessage(other).text);
  });

  it('is linear: long texts of every kind of piece', () => {
    const pieces = [
      ...MASKS.map(({ example }) => example[0]),
      ...REWORDINGS.map(({ example }) => example[0]),
      '/',
      'a.',
      '1',
      'f',
      '[',
      ':',
      '-',
      ' ',
    ];
    const hostile = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('').repeat(4_000));
    fc.assert(
      fc.property(hostile, (text) => {
        expect(putMasks(unifyWording(text), MASKS).length).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('wordings', () => {
  it.each(REWORDINGS)('$example.0 is $example.1', ({ example: [left, right], from }) => {
    expect([left, right].some((text) => text.search(from) >= 0)).toBe(true);
    expect(maskMessage(left).text).toBe(maskMessage(right).text);
  });

  it.each([
    ["cannot pickle 'module' object", "can't pickle generator objects"],
    ["local variable 'x' referenced before assignment", "cannot access local variable 'y' where it is not associated with a value"],
    ['Net.forward() missing 1 required positional argument', 'backward() missing 1 required positional argument'],
    ['f() takes exactly 2 arguments (3 given)', 'f() takes 4 positional arguments but 3 were given by'],
    ['No module named net', "No module named 'nets'"],
    ['cannot import name pick', "cannot import name 'batch' from 'net.feed' (/home/ada/net/feed.py)"],
    ['CUDA out of memory. Tried to allocate 2 MiB', 'XPU out of memory. Tried to allocate 2 MiB'],
  ])('%s is not %s', (left, right) => {
    expect(maskMessage(left).text).not.toBe(maskMessage(right).text);
  });
});
