import { describe, expect, it } from 'vitest';
import { queryTokens, shortQuery } from './query.js';
import type { ContextQuery } from '@reenact/domain';

function count(tokens: string[], token: string): number {
  return tokens.filter((item) => item === token).length;
}

function query(parts: Partial<ContextQuery>): ContextQuery {
  return { title: '', body: '', frames: [], symbols: [], ...parts };
}

const TRACE = `Traceback (most recent call last):
  File "/home/me/code/proj/train.py", line 12, in fit
    meter.update(loss)
  File "/home/me/code/proj/meters.py", line 5, in update
    self.total += value
OverflowError: meter 17 is full at 0x7f00aa
`;

describe('tokens of a query', () => {
  it('repeat frames and symbols of the claim', () => {
    const frames = [
      { file: 'C:\\work\\epoch_loop.py', function: 'run_epoch' },
      { file: 'main.py', function: '<module>' },
    ];
    const tokens = queryTokens(query({ title: 'Zero loss', body: 'loss', symbols: ['nn.Meter', 'nn.Meter'] }), frames);
    expect(count(tokens, 'loss')).toBe(2);
    expect(count(tokens, 'run_epoch')).toBe(3);
    expect(count(tokens, 'epoch_loop')).toBe(3);
    expect(count(tokens, 'module')).toBe(0);
    expect(count(tokens, 'meter')).toBe(2);
  });

  it('hold the error text twice, without numbers and addresses', () => {
    const tokens = queryTokens(query({ body: TRACE }), []);
    expect(count(tokens, 'overflowerror')).toBe(2);
    expect(tokens).not.toContain('17');
    expect(tokens).not.toContain('home');
    expect(tokens.join(' ')).not.toContain('7f00');
  });

  it('hold words of text that is no report', () => {
    expect(queryTokens(query({ body: `\u0001\u0002\u0003 loss \u0004\u0005` }), [])).toEqual(['loss']);
  });
});

describe('the short query', () => {
  it('holds title, errors, frames and symbols', () => {
    const frames = [{ file: 'proj/train.py', function: 'fit' }];
    expect(shortQuery(query({ title: 'Meter overflows', body: TRACE, frames, symbols: ['Meter', 'Meter'] }))).toEqual({
      title: 'Meter overflows',
      errors: ['OverflowError: meter is full at'],
      frames,
      symbols: ['Meter'],
    });
  });

  it('takes what the body tells for a title', () => {
    expect(shortQuery(query({ body: '### Describe the bug\nThe mean is wrong.' })).title).toBe('The mean is wrong.');
  });
});
