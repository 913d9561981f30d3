import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findProcesses } from './live-processes.js';

describe('findProcesses', () => {
  it.runIf(existsSync('/proc/self/stat'))('finds a process by a word of its command line, with its parent, while it lives', async () => {
    const word = `word-${process.pid}-${Date.now()}`;
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => undefined, 1000);', word], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    expect(await findProcesses([word])).toMatchObject([{ pid: child.pid, parent: process.pid }]);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await findProcesses([word])).toEqual([]);
  });
});
