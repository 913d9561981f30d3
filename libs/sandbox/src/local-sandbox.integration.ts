import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalSandbox } from './local-sandbox.js';
import { SANDBOX_CONTRACT } from './testing/sandbox-contract.js';
import { processesWith, runBenchTrial } from './testing/trial-bench.js';
import type { BenchTrial } from './testing/trial-bench.js';

const interpreter = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
let workDirectory: string;

beforeAll(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'reenact-local-'));
});
afterAll(() => rm(workDirectory, { recursive: true, force: true }));

const run = (trial: BenchTrial, options: { forcePlain?: boolean } = {}) =>
  runBenchTrial(createLocalSandbox({ workDirectory, ...options }), interpreter, trial);

describe('local sandbox keeps the contract', () => {
  for (const check of SANDBOX_CONTRACT) {
    it(check.name, async () => {
      expect(await check.run(createLocalSandbox({ workDirectory }), interpreter)).toEqual(check.expected);
    });
  }
});

describe('running contract', () => {
  it('runs in a writable copy of the subject, with its import roots and without the script folder at the head', async () => {
    const main =
      'import os, sys, json, project, helper\nopen("new.txt", "w").close()\n' +
      'print(json.dumps([os.getcwd(), os.environ["PROJECT_DIR"], project.__file__, helper.__file__, sys.path[0], sys.path.index("/work/subject") < sys.path.index("/work/script"), sys.argv]))\n';
    const result = await run({
      script: { 'main.py': main, 'helper.py': '', 'project.py': 'raise SystemExit("shadowed")' },
      subject: { 'project.py': 'A = 1\n' },
      steps: [{ argv: ['python', '@script/main.py', '--flag', 'x y'] }],
    });
    expect(JSON.parse(result.stdout()[0] ?? '')).toEqual([
      '/work/subject',
      '/work/subject',
      '/work/subject/project.py',
      '/work/script/helper.py',
      '/work/probe',
      true,
      ['/work/script/main.py', '--flag', 'x y'],
    ]);
    expect(await readdir(result.request.subjectDirectory)).toEqual(['project.py']);
    expect(result.of('subject').map((record) => record.changed)).toEqual([[], [], []]);
  });

  it('runs steps one after another and stops at an error unless told to go on', async () => {
    const subject = { 'a.py': 'print("a")\nraise SystemExit(3)\n', 'b.py': 'print("b")\n' };
    const stopped = await run({ subject, steps: [{ argv: ['python', 'a.py'] }, { argv: ['python', 'b.py'] }] });
    expect(stopped.of('exit').map((record) => [record.step, record.code])).toEqual([[0, 3]]);
    const gone = await run({ subject, steps: [{ argv: ['python', 'a.py'], continueOnError: true }, { argv: ['python', 'b.py'] }] });
    expect(gone.of('exit').map((record) => [record.step, record.code])).toEqual([
      [0, 3],
      [1, 0],
    ]);
    expect(gone.stdout()).toEqual(['a', 'b']);
  });

  it('keeps ranks apart, gives them their variables and ends those whose peer failed', async () => {
    const main =
      'import os, sys, time\nr = os.environ["RANK"]\nprint("OBS rank=" + r, "world=" + os.environ["WORLD_SIZE"], "value=0.1")\nsys.stdout.flush()\nif r == "1":\n    sys.exit(5)\ntime.sleep(600)\n';
    const result = await run({ script: { 'main.py': main }, steps: [{ argv: ['python', '@script/main.py'], ranks: 2 }] });
    expect(result.of('obs').map((record) => [record.rank, record.values['world'], record.values['value']])).toEqual(
      expect.arrayContaining([
        [0, 2, 0.1],
        [1, 2, 0.1],
      ]),
    );
    const exits = result.of('exit').sort((left, right) => (left.rank ?? 0) - (right.rank ?? 0));
    expect(exits.map(({ rank, code, signal, endedBy }) => ({ rank, code, signal, endedBy }))).toEqual([
      { rank: 0, code: null, signal: 'SIGKILL', endedBy: 'peer' },
      { rank: 1, code: 5, signal: null, endedBy: 'self' },
    ]);
  });

  it('takes a virtual environment wherever it lies', async () => {
    const environment = join(await mkdtemp(join(tmpdir(), 'reenact-venv-')), 'env');
    execFileSync(interpreter, ['-m', 'venv', '--without-pip', environment]);
    const script = { 'main.py': 'import sys\nprint(sys.prefix)\n' };
    const result = await runBenchTrial(createLocalSandbox({ workDirectory }), join(environment, 'bin', 'python'), { script });
    expect(result.stdout()).toEqual([environment]);
  });

  it('finds a hang of two processes by silence and equal stacks', async () => {
    const main =
      'import multiprocessing as m, sys\ndef work(pipe):\n    pipe.recv()\nif __name__ == "__main__":\n    c = m.get_context("spawn")\n    near, far = c.Pipe()\n    p = c.Process(target=work, args=(far,))\n    p.start()\n    print("waiting", flush=True)\n    near.recv()\n';
    const result = await run({ script: { 'main.py': main }, silentSeconds: 2 });
    expect(result.of('exit')[0]).toMatchObject({ endedBy: 'hang' });
    const stall = result.of('stall')[0];
    expect(stall?.blocked.map((entry) => entry.at?.function)).toEqual(expect.arrayContaining(['work']));
    expect(new Set(result.of('stack').map((record) => record.pid)).size).toBeGreaterThanOrEqual(2);
  });

  it('looks at a silent process without ending a wait of its main thread', async () => {
    const main =
      'import ctypes, threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\nlibc = ctypes.CDLL(None)\ndef polls():\n    return libc.poll(None, 0, 3900)\nprint("first", polls(), flush=True)\nprint("second", polls(), flush=True)\n';
    const result = await run({ script: { 'main.py': main }, silentSeconds: 2 });
    expect(result.stdout()).toEqual(['first 0', 'second 0']);
    const functions = result.of('stack').flatMap(({ threads }) => threads.flatMap(({ frames }) => frames.map((frame) => frame.function)));
    expect(functions).toEqual(expect.arrayContaining(['polls', 'wait']));
  });

  it('does not take silent work for a hang', async () => {
    const main =
      'import time\nend = time.monotonic() + 9\ndef a():\n    return sum(range(1000))\ndef b():\n    return max(range(1000))\nwhile time.monotonic() < end:\n    a()\n    b()\nprint("done")\n';
    const result = await run({ script: { 'main.py': main }, silentSeconds: 1 });
    expect(result.stdout()).toEqual(['done']);
    expect(result.of('stall')).toEqual([]);
  });

  it('says where a trial stood when its time ended', async () => {
    const result = await run({
      script: { 'main.py': 'import time\ndef stuck():\n    time.sleep(60)\nstuck()\n' },
      limits: { wallSeconds: 2 },
    });
    expect(result.of('exit')[0]).toMatchObject({ endedBy: 'wall-limit', signal: 'SIGKILL' });
    expect(result.of('stack')[0]?.threads[0]?.frames.at(-1)).toMatchObject({ function: 'stuck', place: 'script', file: 'main.py' });
  });

  it('says where a fatal signal hit a process and its child, whatever status they had', async () => {
    const subject = { 'cell.py': 'import ctypes\ndef step():\n    ctypes.string_at(0)\n' };
    const main =
      'import subprocess, sys, cell\nsubprocess.run([sys.executable, "-c", "import cell; cell.step()"])\nif len(sys.argv) > 1:\n    cell.step()\n';
    const child = await run({ script: { 'main.py': main }, subject });
    expect(child.of('exit')).toMatchObject([{ code: 0, signal: null }]);
    expect(child.of('crash')).toMatchObject([{ source: 'probe', reason: 'Segmentation fault' }]);
    const both = await run({ script: { 'main.py': main }, subject, steps: [{ argv: ['python', '@script/main.py', 'x'] }] });
    expect(both.of('exit')).toMatchObject([{ code: null, signal: 'SIGSEGV' }]);
    const [first, second] = both.of('crash');
    expect(first?.t).toBeLessThan(second?.t ?? 0);
    expect(second?.pid).toBe(both.of('exit')[0]?.pid);
    for (const crash of [first, second]) {
      expect(crash?.frames.findLast((frame) => frame.place === 'subject')).toMatchObject({ file: 'cell.py', function: 'step', line: 3 });
    }
  });
});

describe('without isolation', () => {
  it('is refused unless the request agrees, and says so in the evidence when it does', async () => {
    const script = { 'main.py': 'import os\nprint(os.path.basename(os.getcwd()))\n' };
    await expect(run({ script }, { forcePlain: true })).rejects.toMatchObject({ code: 'unsandboxed-refused' });
    const result = await run({ script, allowUnsandboxed: true }, { forcePlain: true });
    expect(result.of('begin')[0]).toMatchObject({ sandbox: 'none' });
    expect(result.stdout()).toEqual(['subject']);
  });

  it('leaves no process either, whatever sessions were made', async () => {
    const marker = `PLAIN${process.pid}`;
    const main = 'import subprocess\nfor _ in range(3):\n    subprocess.Popen(["sleep", "600"], start_new_session=True)\n';
    const result = await run({ script: { 'main.py': main }, env: { MARK: marker }, allowUnsandboxed: true }, { forcePlain: true });
    expect(result.records.at(-1)).toMatchObject({ leftBehind: 3 });
    expect(await processesWith(marker)).toEqual([]);
  });
});

describe('breaking off', () => {
  it('kills the trial when the supervisor is killed, and the next one sweeps what it left', async () => {
    const marker = `SWEEP${process.pid}`;
    const trial = { script: { 'main.py': 'import time\ntime.sleep(600)\n' }, env: { MARK: marker } };
    const running = run(trial);
    while ((await processesWith(marker)).length === 0) await sleep(50);
    const supervisors = await processesWith('supervisor/main.py');
    for (const pid of supervisors) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      if (command.includes(workDirectory)) process.kill(Number(pid), 'SIGKILL');
    }
    expect(await running).toMatchObject({ outcome: { outcome: 'infra' } });
    await expect.poll(() => processesWith(marker), { timeout: 10_000 }).toEqual([]);
    expect((await run({ script: { 'main.py': '' } })).outcome.outcome).toBe('finished');
    expect((await readdir(workDirectory)).filter((name) => name !== 'cache')).toEqual([]);
  });

  it('kills the trial when its adapter dies', async () => {
    const marker = `ORPHAN${process.pid}`;
    const base = await mkdtemp(join(tmpdir(), 'reenact-orphan-'));
    await writeFile(join(base, 'main.py'), 'import time\ntime.sleep(600)\n');
    const launch = {
      steps: [{ argv: ['python', '@script/main.py'] }],
      env: { MARK: marker },
      limits: { wallSeconds: 600, memoryBytes: 2 ** 31, processes: 50, outputBytes: 1000, diskBytes: 2 ** 31 },
    };
    const request = {
      ...{ executionId: marker, scriptDirectory: base, subjectDirectory: base, importRoots: [], interpreter, launch },
      ...{ outputDirectory: base, workDirectory, cacheDirectory: join(base, 'cache'), probeDirectory: join(base, 'none') },
    };
    await writeFile(join(base, 'request.json'), JSON.stringify(request));
    const main = fileURLToPath(new URL('../supervisor/main.py', import.meta.url));
    const child = spawn('python3', ['-I', main, join(base, 'request.json'), '--watch-stdin'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = new Promise((settle) => child.on('exit', settle));
    while ((await processesWith(marker)).length === 0) await sleep(50);
    child.stdin.end();
    expect(await ended).toBe(3);
    expect(await processesWith(marker)).toEqual([]);
    expect((await readdir(base)).filter((name) => name.startsWith('evidence'))).toEqual([]);
  });
});
