import { describe, expect, it } from 'vitest';
import { goesThrough, matchFrames, sharedTail } from './frame-match.js';

const at = (file: string, name: string, code?: string) => ({ file, function: name, ...(code === undefined ? {} : { code }) });

describe('matchFrames', () => {
  const seen = [
    at('train.py', '<module>'),
    at('train.py', 'main'),
    at('nets/cell.py', 'step'),
    at('/usr/lib/python3/torch/functional.py', 'cat'),
  ];

  it('looks at the tail of a path', () => {
    expect(sharedTail('/home/ann/proj/nets/cell.py', 'nets/cell.py')).toBe(2);
    expect(matchFrames([at('C:\\work\\nets\\cell.py', 'step')], seen)).toBe('strong');
  });

  it('knows files that are written anew for every run by their functions', () => {
    const generated = [at('/tmp/__autograph_generated_filea7876t2p.py', 'tf__mix')];
    expect(matchFrames([at('/tmp/__autograph_generated_filezz91_q8x.py', 'tf__mix')], generated)).toBe('strong');
    expect(matchFrames([at('/tmp/__autograph_generated_filezz91_q8x.py', 'tf__call')], generated)).toBe('none');
    expect(matchFrames([at('/tmp/ipykernel_4711/123456.py', 'main')], [at('<ipython-input-3-5f2c>', 'main')])).toBe('strong');
  });

  it('wants two in order where the claim has two', () => {
    expect(matchFrames([at('a/train.py', 'main'), at('a/nets/cell.py', 'step')], seen)).toBe('strong');
    expect(matchFrames([at('a/nets/cell.py', 'step'), at('a/train.py', 'main')], seen)).toBe('weak');
    expect(matchFrames([at('a/train.py', 'main'), at('a/nets/loss.py', 'loss')], seen)).toBe('weak');
    expect(matchFrames([at('a/nets/loss.py', 'loss')], seen)).toBe('none');
    expect(matchFrames([], seen)).toBe('unclaimed');
  });

  it('does not count module-level frames that every failure has', () => {
    expect(matchFrames([at('a/train.py', '<module>'), at('a/nets/loss.py', 'loss')], seen)).toBe('none');
  });
});

describe('goesThrough', () => {
  it('finds Python functions by module and C functions by the innermost line', () => {
    expect(goesThrough('torch.cat', [at('/x/torch/functional.py', 'cat')])).toBe(true);
    expect(goesThrough('torch.save', [at('store.py', 'save')])).toBe(false);
    expect(goesThrough('torch.multinomial', [at('cell.py', 'step', 'symbol = torch.multinomial(p, 1)')])).toBe(true);
    expect(goesThrough('torch.cat', [at('cell.py', 'step', 'concat(x)')])).toBe(false);
  });
});
