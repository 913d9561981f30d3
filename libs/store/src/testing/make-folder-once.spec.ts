import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolderOnce } from './make-folder-once.js';

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'once-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

describe('makeFolderOnce', () => {
  const write = (text: string) => (aside: string) => writeFile(join(aside, 'made'), text);

  it('makes a folder once, below folders that are not there yet', async () => {
    const folder = join(scratch, 'beds', 'bed');
    await makeFolderOnce(folder, write('first'));
    await makeFolderOnce(folder, write('second'));
    expect(await readFile(join(folder, 'made'), 'utf8')).toBe('first');
    expect(await readdir(join(scratch, 'beds'))).toEqual(['bed']);
  });

  it('leaves nothing where making fails, and lets two at once end well', async () => {
    const folder = join(scratch, 'bed');
    await expect(makeFolderOnce(folder, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    expect(await readdir(scratch)).toEqual([]);
    await Promise.all(['one', 'other'].map((text) => makeFolderOnce(folder, write(text))));
    expect(await readdir(scratch)).toEqual(['bed']);
  });
});
