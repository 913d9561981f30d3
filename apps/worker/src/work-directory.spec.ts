import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownWorkDirectory } from './work-directory.js';

/** Above the highest pid that Linux gives (2^22). */
const NOBODY = 4_194_305;

describe('ownWorkDirectory', () => {
  it('removes what dead workers left and leaves the folder of a live one alone', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'work-directory-'));
    const live = path.join(root, String(process.ppid));
    const dead = path.join(root, String(NOBODY));
    for (const folder of [live, dead]) await mkdir(path.join(folder, 'trial-a'), { recursive: true });
    await mkdir(path.join(root, String(NOBODY + 1)));
    await writeFile(path.join(root, String(NOBODY + 1), 'old'), '');
    const own = await ownWorkDirectory(root, NOBODY + 1);
    expect(own).toBe(path.join(root, String(NOBODY + 1)));
    expect(await readdir(own)).toEqual([]);
    expect(existsSync(path.join(live, 'trial-a'))).toBe(true);
    expect(existsSync(dead)).toBe(false);
    await rm(root, { recursive: true });
  });
});
