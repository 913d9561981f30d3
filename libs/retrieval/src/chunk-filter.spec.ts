import { describe, expect, it } from 'vitest';
import { isTestFile, passesFilter } from './chunk-filter.js';

describe('isTestFile', () => {
  it.each(['test_loss.py', 'a/test_loss.py', 'a/loss_test.py', 'conftest.py', 'tests/x.py', 'a/test/data/readme.md', 'a/Tests/y.py'])(
    'takes %s for a test',
    (file) => expect(isTestFile(file)).toBe(true),
  );
  it.each(['test.py', 'torch/testing/compare.py', 'latest/x.py', 'contest.py', 'test_results.json', 'attest_model.py', 'a/tests.py'])(
    'takes %s for no test',
    (file) => expect(isTestFile(file)).toBe(false),
  );
});

describe('passesFilter', () => {
  const place = { file: 'src/net/block.py', kind: 'method' } as const;

  it('takes everything without a filter, and with an empty one', () => {
    expect([passesFilter(place, undefined), passesFilter(place, {})]).toEqual([true, true]);
  });

  it.each([
    [['src/net/block.py'], true],
    [['src'], true],
    [['src/net'], true],
    [['other', 'src/net'], true],
    [['src/ne'], false],
    [['net'], false],
    [['src/net/block.py/x'], false],
    [[], false],
  ])('paths %j: %s', (paths, expected) => expect(passesFilter(place, { paths })).toBe(expected));

  it('joins its parts by and', () => {
    expect(passesFilter(place, { kinds: ['method'], paths: ['src'], withoutTests: true })).toBe(true);
    expect(passesFilter(place, { kinds: ['function'], paths: ['src'] })).toBe(false);
    expect(passesFilter({ ...place, file: 'src/tests/block.py' }, { kinds: ['method'], withoutTests: true })).toBe(false);
  });
});
