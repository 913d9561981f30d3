import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Launch } from '@reenact/domain/schemas';
import { bundleParts } from '../testing/bundle-parts.js';
import { freezeBundle } from './freeze-bundle.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "run script's-"));
  await mkdir(join(folder, 'project/src'), { recursive: true });
  await writeFile(
    join(folder, 'project/tool.py'),
    'from helper_in_src import add\ndef total(values):\n    open("made.txt", "w").close()\n    return add(values)\n',
  );
  await writeFile(join(folder, 'project/src/helper_in_src.py'), 'def add(values):\n    return sum(values)\n');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function frozen(steps: unknown[], env: Record<string, string> = {}, files = bundleParts().candidate.files): Promise<string> {
  const parts = bundleParts();
  const launch = Launch.parse({ schemaVersion: 1, steps, env });
  await freezeBundle(join(folder, 'bundle'), { ...parts, candidate: { ...parts.candidate, files, launch } });
  return join(folder, 'bundle/run.sh');
}
const run = (script: string, env: Record<string, string> = {}) =>
  spawnSync('sh', [script], {
    encoding: 'utf8',
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', PROJECT_DIR: join(folder, 'project'), ...env },
  });

describe('run.sh', () => {
  it('runs the script in a fresh copy of the project and leaves the project as it is', async () => {
    const result = run(await frozen([{ argv: ['python', '@script/repro.py'] }]));
    expect(result).toMatchObject({ status: 0, stdout: 'OBS total=3\n' });
    expect((await readdir(join(folder, 'project'))).sort()).toEqual(['src', 'tool.py']);
  });

  it('hands words and variables over as they are', async () => {
    const files = [{ path: 'show.py', text: 'import os, sys\nprint(sys.argv[1:], os.environ["NOTE"])\n' }];
    const words = ["it's", '$HOME', '`x`', 'a b', '*', '"', ''];
    const result = run(await frozen([{ argv: ['python', '@script/show.py', ...words] }], { NOTE: "$(echo no) 'q'" }, files));
    expect(result.stdout).toBe(`["it's", '$HOME', '\`x\`', 'a b', '*', '"', ''] $(echo no) 'q'\n`);
  });

  it('stops after a failed step, unless that may fail, and ends with its status', async () => {
    const fail = { argv: ['python', '-c', 'import sys; print("failed"); sys.exit(7)'] };
    const after = { argv: ['python', '-c', 'print("after")'] };
    expect(run(await frozen([fail, after]))).toMatchObject({ status: 7, stdout: 'failed\n' });
    await rm(join(folder, 'bundle'), { recursive: true });
    expect(run(await frozen([{ ...fail, continueOnError: true }, after]))).toMatchObject({ status: 0, stdout: 'failed\nafter\n' });
  });

  it('starts ranks side by side', async () => {
    const code = 'import os; print("rank", os.environ["RANK"], "of", os.environ["WORLD_SIZE"], os.environ["MASTER_ADDR"])';
    const result = run(await frozen([{ argv: ['python', '-c', code], ranks: 3 }]));
    expect(result.stdout.trim().split('\n').sort()).toEqual([0, 1, 2].map((rank) => `rank ${rank} of 3 127.0.0.1`));
  });

  it('says what is missing', async () => {
    const script = await frozen([{ argv: ['python', '@script/repro.py'] }]);
    expect(run(script, { PROJECT_DIR: join(folder, 'absent') })).toMatchObject({ status: 2 });
    expect(execFileSync('sh', ['-n', script]).toString()).toBe('');
  });
});
