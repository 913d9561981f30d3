import { describe, expect, it } from 'vitest';
import { askAbout } from './fixtures/asked-node.js';
import { isScalarName } from './scalar-names.js';

const isScalar = (text: string): boolean =>
  askAbout(`${text}\nshow(n)\n`, (query, node, source) => isScalarName(query.flow.scopes, node, source));

describe('isScalarName', () => {
  it.each(['n = 3', 'n = 3\nn *= 2', 'm = 4\nn = m + 1', 'n = int("3")', 'n = -3 > 2', 'for n in range(9):\n    pass', 'n = n + 1'])(
    'of %j',
    (text) => {
      expect(isScalar(text)).toBe(true);
    },
  );

  it.each([
    'n = [3]',
    'n = value',
    'n = 3\nn = value',
    'for n in p.seen:\n    pass',
    'n, m = 3, 4',
    'n = make(3)',
    'n = f"{value}"',
    'import n',
    'pass',
  ])('not of %j', (text) => {
    expect(isScalar(text)).toBe(false);
  });
});
