import { describe, expect, it } from 'vitest';
import { isPartOfStack, goesThrough, matchFrames, sharedTail } from './frame-match.js';

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

describe('isPartOfStack', () => {
  const call = (file: string, name: string) => ({ file, function: name });
  const [driver, failing, below] = [
    call('train.py', 'energy'),
    call('windows.py', 'collate'),
    call('/x/site-packages/numpy/core.py', 'stack'),
  ];

  it('holds where half of the claimed calls of the program or fewer are there', () => {
    expect(isPartOfStack([driver, failing, below], [failing, below])).toBe(true);
    expect(isPartOfStack([driver, failing, below], [driver, failing])).toBe(false);
    expect(isPartOfStack([call('a.py', 'f'), driver, failing], [driver, failing])).toBe(false);
    expect(isPartOfStack([call('a.py', 'f'), call('a.py', 'g'), driver, failing], [driver, failing])).toBe(true);
  });

  it('does not hold of a single call, and installed packages do not count', () => {
    expect(isPartOfStack([failing, below], [failing])).toBe(false);
    expect(isPartOfStack([], [failing])).toBe(false);
  });
});
