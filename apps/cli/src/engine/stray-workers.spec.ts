import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findStrayWorkers, isWorkerOf } from './stray-workers.js';

describe('isWorkerOf', () => {
  it('asks for program and state directory, side by side', () => {
    expect(isWorkerOf(['node', '--flag', '/a/main.js', '/state', ''], '/a/main.js', '/state')).toBe(true);
    expect(isWorkerOf(['node', '/a/main.js', '/state-2'], '/a/main.js', '/state')).toBe(false);
    expect(isWorkerOf(['tail', '-f', '/state'], '/a/main.js', '/state')).toBe(false);
  });
});

describe('findStrayWorkers', () => {
  it.runIf(existsSync('/proc/self/cmdline'))('finds a worker that nobody recorded', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'stray-workers-'));
    const main = path.join(directory, 'main.js');
    await writeFile(main, 'process.stdout.write("up"); setInterval(() => undefined, 1000);');
    const child = spawn(process.execPath, [main, directory], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    expect((await findStrayWorkers(main, directory)).map(({ pid }) => pid)).toEqual([child.pid]);
    expect(await findStrayWorkers(main, `${directory}-other`)).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await findStrayWorkers(main, directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });
});
