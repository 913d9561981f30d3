import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { python } from './fixtures/rule-bench.js';
import { isSubjectModule, listingOf, listSubject } from './subject-listing.js';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function tree(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'reenact-listing-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

describe('listSubject', () => {
  it('lists all files, and parses and hashes the Python ones as a listing of texts does', async () => {
    const texts = { 'a.py': 'X = 1\n', 'pkg/__init__.py': '', 'pkg/b.py': 'def f():\n    pass\n', 'data/rows.csv': '1\n' };
    const listed = await listSubject(python, tree(texts), ['.']);
    expect(listed).toEqual(listingOf(python, texts, ['.']));
    expect([...listed.modules]).toEqual([
      ['a', 'a.py'],
      ['pkg', 'pkg/__init__.py'],
      ['pkg.b', 'pkg/b.py'],
    ]);
    expect(listed.hashes.get('a.py')).toMatch(/^[0-9a-f]{64}$/);
    expect([...listed.texts.keys()]).toEqual(['a.py', 'pkg/__init__.py', 'pkg/b.py']);
  });

  it('hashes a file of more than 1 MiB, and does not parse it', async () => {
    const text = (bytes: number) => '#'.repeat(bytes);
    const listed = await listSubject(python, tree({ 'at.py': text(1_048_576), 'over.py': text(1_048_577) }), ['.']);
    expect([...listed.hashes.keys()]).toEqual(['at.py', 'over.py']);
    expect([[...listed.texts.keys()], [...listed.outlines.keys()]]).toEqual([['at.py'], ['at.py']]);
  });

  it('leaves out folders that are no part of the project', async () => {
    const listed = await listSubject(python, tree({ 'a.py': '', '.git/b.py': '', 'venv/c.py': '', 'sub/__pycache__/d.py': '' }), ['.']);
    expect([...listed.files]).toEqual(['a.py']);
  });
});

describe('modules of a listing', () => {
  const modules = (files: string[], roots: string[]) =>
    Object.fromEntries(listingOf(python, Object.fromEntries(files.map((file) => [file, ''])), roots).modules);

  it('are named as the import roots give them, the first root first', () => {
    expect(modules(['src/pkg/a.py', 'b.py'], ['src', '.'])).toEqual({ 'pkg.a': 'src/pkg/a.py', b: 'b.py', 'src.pkg.a': 'src/pkg/a.py' });
    expect(modules(['a.py', 'src/a.py'], ['.', 'src/'])).toEqual({ a: 'a.py', 'src.a': 'src/a.py' });
    expect(modules(['a.py', 'src/a.py'], ['src', '.'])).toMatchObject({ a: 'src/a.py' });
  });

  it('are only what can be imported', () => {
    expect(modules(['my-tool.py', '2d/a.py', 'a.txt', '__init__.py', 'pkg/x1.py'], ['.'])).toEqual({ 'pkg.x1': 'pkg/x1.py' });
  });
});

describe('isSubjectModule', () => {
  it('takes a module, what lies in one, and a folder of it', () => {
    const listing = listingOf(python, { 'pkg/sub/a.py': '' });
    expect(['pkg.sub.a', 'pkg.sub.a.f', 'pkg.sub', 'pkg'].map((name) => isSubjectModule(listing, name))).toEqual([true, true, true, true]);
    expect(['pkg.other', 'pk', 'a', 'pkg.sub.ab'].map((name) => isSubjectModule(listing, name))).toEqual([false, false, false, false]);
  });
});
