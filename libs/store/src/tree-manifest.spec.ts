import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInnerLink, isInnerPath, treeHashOf } from './tree-manifest.js';
import type { TreeEntry } from './tree-manifest.js';

const segment = fc.constantFrom('a', 'b', '..', '.', '');
const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

describe('isInnerLink', () => {
  it('never lets a link out of the tree, lexically', () => {
    const target = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'));
    const property = fc.property(path, target, (from, to) => {
      fc.pre(isInnerLink(from, to));
      const reached = posix.normalize(posix.join(posix.dirname(from), to));
      expect(reached.startsWith('..')).toBe(false);
      expect(to.startsWith('/')).toBe(false);
    });
    fc.assert(property);
  });

  it('refuses to climb from behind a name that may itself be a link', () => {
    expect(isInnerLink('sub/a', 'd/../y')).toBe(false);
    expect(isInnerLink('sub/a', '../y')).toBe(true);
    expect(isInnerLink('a', '../y')).toBe(false);
  });
});

describe('isInnerPath', () => {
  it.each(['', '/a', 'a/../b', 'a//b', './a', 'a/', 'a\0b'])('refuses %j', (text) => expect(isInnerPath(text)).toBe(false));
  it('takes plain relative paths', () => fc.assert(fc.property(path, (text) => isInnerPath(text))));
});

describe('treeHashOf', () => {
  it('does not depend on the order of entries', () => {
    const entry = fc.record({ path, executable: fc.boolean(), ref: fc.constantFrom('sha256:1', 'sha256:2') });
    const entries = fc.uniqueArray(entry, { selector: (value) => value.path, maxLength: 6 });
    const property = fc.property(entries, (values) => {
      const files: TreeEntry[] = values.map((value) => ({ type: 'file', byteCount: 1, ...value }));
      expect(treeHashOf([...files].reverse())).toBe(treeHashOf(files));
    });
    fc.assert(property);
  });
});
