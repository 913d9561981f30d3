import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Verdict } from '@reenact/domain';
import { openRunFolder, runFolderPath } from './run-folder.js';

let state = '';
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'run-folder-'));
});
afterEach(() => rm(state, { recursive: true, force: true }));

describe('openRunFolder', () => {
  it('writes files whole, in folders of their own, and the verdict by finish', async () => {
    const folder = await openRunFolder(state, 'r-1');
    expect(folder.path).toBe(join(state, 'runs', 'r-1'));
    await folder.write('attempts/1-2/script.py', 'print(1)');
    await folder.write('attempts/1-2/script.py', 'print(2)');
    expect(await readFile(folder.pathOf('attempts/1-2/script.py'), 'utf8')).toBe('print(2)');
    await expect(folder.write('verdict.json', '{}')).rejects.toThrow('finish');
    await folder.finish({ sentence: 'It is.' } as Verdict);
    expect(JSON.parse(await readFile(folder.pathOf('verdict.json'), 'utf8'))).toEqual({ sentence: 'It is.' });
    expect(await readdir(join(folder.path, 'attempts', '1-2'))).toEqual(['script.py']);
    expect((await readdir(folder.path)).sort()).toEqual(['attempts', 'verdict.json']);
  });

  it.each(['../x', '/etc/x', 'a/../b', 'a//b', '', '.hidden', 'a\0b', 'a b', 'a\\b', 'x'.repeat(200), 'a/b/c/d/e/f/g/h/i'])(
    'refuses the name %j',
    async (name) => {
      const folder = await openRunFolder(state, 'r-1');
      expect(() => folder.pathOf(name)).toThrow('no plain name');
      await expect(folder.write(name, '')).rejects.toThrow('no plain name');
    },
  );

  it.each(['..', 'a/b', '', '../../x'])('refuses the run id %j', (runId) => {
    expect(() => runFolderPath(state, runId)).toThrow();
  });
});
