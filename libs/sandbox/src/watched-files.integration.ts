import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalSandbox } from './local-sandbox.js';
import { runBenchTrial } from './testing/trial-bench.js';

const interpreter = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
let workDirectory: string;
beforeAll(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'reenact-watched-'));
});
afterAll(() => rm(workDirectory, { recursive: true, force: true }));

const MAIN = `import json, os, project
os.makedirs("runs/1")
json.dump({"loss": 0.5, "step": 3}, open("runs/1/metrics.json", "w"))
open("/tmp/log.txt", "w").write("epoch 1\\n")
os.symlink("/etc/passwd", "secret.txt")
os.symlink("/etc", "etc")
`;

describe.each([
  ['in namespaces', false],
  ['without isolation', true],
])('watched files %s', (_name, forcePlain) => {
  it('are recorded after the last step, and nothing behind a link is', async () => {
    const sandbox = createLocalSandbox({ workDirectory, forcePlain });
    const main = forcePlain ? MAIN.replace('"/tmp/log.txt"', 'os.environ["TMPDIR"] + "/log.txt"') : MAIN;
    const watchFiles = ['runs/1/metrics.json', '@tmp/log.txt', 'secret.txt', 'etc/passwd', 'project.py', 'runs/2.json'];
    const result = await runBenchTrial(sandbox, interpreter, { script: { 'main.py': main }, watchFiles, allowUnsandboxed: forcePlain });
    const files = result.of('file');
    expect(files.map(({ path, state, origin }) => [path, state, origin])).toEqual([
      ['runs/1/metrics.json', 'regular', 'new'],
      ['@tmp/log.txt', 'regular', 'new'],
      ['secret.txt', 'link', 'new'],
      ['etc/passwd', 'link', 'new'],
      ['project.py', 'regular', 'same'],
      ['runs/2.json', 'absent', 'new'],
    ]);
    expect(files[0]).toMatchObject({ format: 'json', keys: ['loss', 'step'], sizeBytes: 24, headCut: false });
    expect(files[1]?.head).toBe('epoch 1\n');
    expect([files[2]?.head, files[3]?.sha256]).toEqual([null, null]);
    expect(files.every((file) => file.seq > (result.of('exit').at(-1)?.seq ?? Infinity))).toBe(true);
  });

  it('are recorded after a failure as well, and not at all where none is asked for', async () => {
    const sandbox = createLocalSandbox({ workDirectory, forcePlain });
    const failing = { script: { 'main.py': 'open("a.txt", "w").write("x")\nraise SystemExit(3)\n' }, allowUnsandboxed: forcePlain };
    expect((await runBenchTrial(sandbox, interpreter, { ...failing, watchFiles: ['a.txt'] })).of('file')).toMatchObject([{ head: 'x' }]);
    expect((await runBenchTrial(sandbox, interpreter, failing)).of('file')).toEqual([]);
  });
});
