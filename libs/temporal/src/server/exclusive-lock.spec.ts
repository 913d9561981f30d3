import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withExclusiveLock } from './exclusive-lock.js';

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const patient = { patienceSeconds: 60 };
const file = () => join(scratch, 'deep', 'x.lock');

describe('withExclusiveLock', () => {
  it('lets one piece of work in at a time', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    };
    await Promise.all([1, 2, 3, 4].map(() => withExclusiveLock(file(), patient, work)));
    expect(most).toBe(1);
  });

  it('gives the lock up when the work fails', async () => {
    await expect(withExclusiveLock(file(), patient, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withExclusiveLock(file(), patient, () => Promise.resolve(1))).toBe(1);
  });

  it('names the holder, runs out of patience, and is free once the holder was killed', async () => {
    await withExclusiveLock(file(), patient, () => Promise.resolve());
    const code = `const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(process.argv[1]); database.exec('BEGIN EXCLUSIVE');
      require('node:fs').writeFileSync(process.argv[1] + '.pid', String(process.pid));
      process.stdout.write('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--no-warnings', '--eval', code, file()], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    const waited: string[] = [];
    const impatient = { patienceSeconds: 0.2, onWait: (pid: string) => waited.push(pid) };
    await expect(withExclusiveLock(file(), impatient, () => Promise.resolve())).rejects.toMatchObject({ code: 'temporal-unreachable' });
    expect(waited).toEqual([String(holder.pid)]);
    holder.kill('SIGKILL');
    expect(await withExclusiveLock(file(), patient, () => Promise.resolve('free'))).toBe('free');
  });
});
