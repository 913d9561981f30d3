import { describe, expect, it } from 'vitest';
import { askAbout } from './fixtures/asked-node.js';
import { isSearched } from './searches.js';

const asked = (text: string, callee: string | null = 'running'): boolean =>
  askAbout(`${text}\n`, (query, node, source) => isSearched(query, node, source, callee));
const fits = 'def fits(n):\n    return picker.running([[1]] * n) is not None\n';

describe('isSearched', () => {
  it.each([
    `${fits}n = 3\nwhile fits(n):\n    n *= 2\nshow(n)`,
    `${fits}n = 3\nwhile fits(n):\n    n = n * 2\nshow(n)`,
    'n = 3\nwhile picker.running([[1]] * n):\n    n += 4\nshow(n)',
    `${fits}n = 3\nwhile n < 99:\n    if not fits(n):\n        break\n    n += 4\nif fits(n):\n    n = 9\nshow(n)`,
    `${fits}def worth(n):\n    show(n)\nn = 3\nwhile fits(n):\n    n *= 2\nworth(n)`,
    `${fits}low, high = 2, 256\nwhile high - low > 1:\n    middle = (low + high) // 2\n    if fits(middle):\n        low = middle\n    else:\n        high = middle\nshow(high)`,
  ])('%j', (text) => {
    expect(asked(text)).toBe(true);
  });

  it.each([
    ['n = 3', 'running'],
    ['n = 3\nif value:\n    n = 9', 'running'],
    ['n = 3\nwhile value > n:\n    n *= 2', 'running'],
    [`${fits}n = 3\nwhile fits(n):\n    n *= 2`, 'score'],
    ['def fits(n):\n    return value > 1 and n < 99\nn = 3\nwhile fits(n):\n    n *= 2', 'running'],
    [
      `${fits}low, high = 2, 256\nwhile high - low > 1:\n    middle = (low + high) // 2\n    if value:\n        low = middle\n    else:\n        high = middle\nn = high`,
      'running',
    ],
    [`${fits}n = 3\nwhile fits(n):\n    n *= 2\nif value:\n    n = 77`, 'running'],
  ])('not %j for %s', (text, callee) => {
    expect(asked(`${text}\nshow(n)`, callee)).toBe(false);
  });

  it('of any function of the subject, where none is named', () => {
    expect(asked(`${fits}n = 3\nwhile fits(n):\n    n *= 2\nshow(n)`, null)).toBe(true);
  });
});
