import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock, withLock } from './process-lock.js';

let scratch = '';
let file = '';
beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'lock-'));
  file = path.join(scratch, 'deep', 'x.lock');
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const HOLDER = `const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]); database.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held'); setInterval(() => {}, 1000);`;

describe('withLock', () => {
  it('lets one piece of work in at a time, and tells each other one once that it waits', async () => {
    let [inside, most, waited] = [0, 0, 0];
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 120));
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => withLock(file, { onWait: () => void (waited += 1) }, work)));
    expect([most, waited]).toEqual([1, 2]);
  });

  it('gives the lock up when the work fails', async () => {
    await expect(withLock(file, {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withLock(file, {}, () => Promise.resolve(1))).toBe(1);
  });

  it('ends its wait with the reason of the signal', async () => {
    const lock = takeLock(file);
    const controller = new AbortController();
    const waiting = withLock(file, { onWait: () => controller.abort(new Error('enough')), signal: controller.signal }, () =>
      Promise.resolve(),
    );
    await expect(waiting).rejects.toThrow('enough');
    lock?.release();
  });
});

describe('takeLock', () => {
  it('is free once its holder was killed', async () => {
    takeLock(file)?.release();
    const holder = spawn(process.execPath, ['--no-warnings', '--eval', HOLDER, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    expect(takeLock(file)).toBeNull();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lock = takeLock(file);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  it('leaves no lock on a file that its holder took away', async () => {
    const first = takeLock(file);
    const next = withLock(file, { onWait: () => first?.remove() }, () => {
      expect(existsSync(file)).toBe(true);
      expect(takeLock(file)).toBeNull();
      return Promise.resolve('in');
    });
    expect(await next).toBe('in');
  });
});
