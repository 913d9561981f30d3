import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalSandbox } from './local-sandbox.js';
import { processesWith, runBenchTrial } from './testing/trial-bench.js';
import type { BenchResult, BenchTrial } from './testing/trial-bench.js';

const interpreter = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const MEBIBYTE = 1024 ** 2;
let workDirectory: string;

beforeAll(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'reenact-hostile-'));
});
afterAll(() => rm(workDirectory, { recursive: true, force: true }));

/** Runs a hostile script and checks what must hold after every run: nothing lives, nothing lies around. */
async function run(trial: BenchTrial & { main?: string }, forcePlain = false): Promise<BenchResult> {
  const marker = `MARK${Math.random().toString(36).slice(2)}`;
  const script = trial.main === undefined ? (trial.script ?? {}) : { 'main.py': trial.main };
  const sandbox = createLocalSandbox({ workDirectory, forcePlain });
  const env = { MARK: marker, ...trial.env };
  const result = await runBenchTrial(sandbox, interpreter, { ...trial, script, env, allowUnsandboxed: forcePlain });
  expect(await processesWith(marker)).toEqual([]);
  expect((await readdir(workDirectory)).filter((name) => name !== 'cache')).toEqual([]);
  expect(result.outcome.outcome).toBe('finished');
  return result;
}

const exitOf = (result: BenchResult) => result.of('exit')[0];

describe.each([
  ['in namespaces', false],
  ['without isolation', true],
])('limits %s', (_name, forcePlain) => {
  it('contains a fork bomb and says so', async () => {
    const main = 'import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n';
    const result = await run({ main, limits: { processes: 100, wallSeconds: 60 } }, forcePlain);
    expect(exitOf(result)?.endedBy).toBe('process-limit');
  });

  it('ends endless output at the cap and keeps no more than the cap', async () => {
    const main = 'import sys\nwhile True:\n    sys.stdout.write("x" * 1000)\n';
    const result = await run({ main, limits: { outputBytes: MEBIBYTE } }, forcePlain);
    expect(exitOf(result)?.endedBy).toBe('output-limit');
    const kept = result.stdout().join('').length;
    expect(kept).toBeGreaterThan(MEBIBYTE / 2);
    expect(kept).toBeLessThanOrEqual(MEBIBYTE);
  });

  it('ends an allocation beyond the limit as a memory limit', async () => {
    const main = 'held = []\nfor _ in range(2000):\n    held.append(bytearray(b"x") * (10 << 20))\nprint("had it all")\n';
    const result = await run({ main, limits: { memoryBytes: 512 * MEBIBYTE } }, forcePlain);
    expect(exitOf(result)?.endedBy).toBe('memory-limit');
    expect(result.stdout()).not.toContain('had it all');
  });

  it('classifies an allocation in a child process too', async () => {
    const main =
      'import subprocess, sys, time\nsubprocess.run([sys.executable, "-c", "x = [bytearray(b\'x\') * (1 << 24) for _ in range(1000)]"])\ntime.sleep(30)\n';
    const result = await run({ main, limits: { memoryBytes: 512 * MEBIBYTE } }, forcePlain);
    expect(exitOf(result)?.endedBy).toBe('memory-limit');
  });

  it('ends a full disk', async () => {
    const main =
      'import itertools, time\nfor i in itertools.count():\n    with open(f"fill{i}", "wb") as handle:\n        handle.write(b"x" * (8 << 20))\n    time.sleep(0.01)\n';
    const result = await run({ main, limits: { diskBytes: 200 * MEBIBYTE } }, forcePlain);
    expect(exitOf(result)?.endedBy).toBe('disk-limit');
  });

  it('keeps the wall limit within a second when the output ends without a newline and signals are ignored', async () => {
    const main =
      'import signal, subprocess, sys, time\nfor n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n    signal.signal(n, signal.SIG_IGN)\n' +
      'subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(600)"])\n' +
      'sys.stdout.write("no newline here")\nsys.stdout.flush()\nwhile True:\n    time.sleep(60)\n';
    const result = await run({ main, limits: { wallSeconds: 3 } }, forcePlain);
    const end = exitOf(result);
    expect(end?.endedBy).toBe('wall-limit');
    expect(end?.wallSeconds).toBeGreaterThan(2);
    expect(end?.wallSeconds).toBeLessThan(4);
    expect(result.of('stream')).toContainEqual(expect.objectContaining({ line: 'no newline here', partial: true }));
  });
});

describe('flood', () => {
  it('keeps the wall limit while many processes starve the CPU and flood the probe folder', async () => {
    const flood =
      'import os\nd = os.environ["REENACT_PROBE_DIR"]\ni = 0\nwhile True:\n    i += 1\n    open(f"{d}/{os.getpid()}-{i}.jsonl", "w").close()\n';
    const main = `import subprocess, sys, time\nfor code in [${JSON.stringify(flood)}, "while True: pass"] * 10:\n    subprocess.Popen([sys.executable, "-S", "-c", code])\ntime.sleep(60)\n`;
    const end = exitOf(await run({ main, limits: { wallSeconds: 5 } }));
    expect(end?.endedBy).toBe('wall-limit');
    expect(end?.wallSeconds).toBeGreaterThan(4);
    expect(end?.wallSeconds).toBeLessThan(6);
  });
});

describe('escapes', () => {
  it('kills grandchildren that made sessions of their own, and counts them', async () => {
    const child = 'import subprocess, sys\ndef work(i):\n    subprocess.Popen(["sleep", "600"], start_new_session=True)\n';
    const main = `${child}if __name__ == "__main__":\n    import multiprocessing\n    context = multiprocessing.get_context("spawn")\n    workers = [context.Process(target=work, args=(i,)) for i in range(2)]\n    [w.start() for w in workers]\n    [w.join() for w in workers]\n`;
    const result = await run({ main });
    expect(exitOf(result)).toMatchObject({ code: 0, endedBy: 'self' });
    expect(result.records.at(-1)).toMatchObject({ kind: 'end', leftBehind: 2 });
  });

  it('lets a script kill its parent and everything it sees without harm to the evidence', async () => {
    const main =
      'import os, signal\nfor pid in (os.getppid(), 1):\n    os.kill(pid, signal.SIGKILL)\nprint("still here", flush=True)\nos.kill(-1, signal.SIGKILL)\n';
    const result = await run({ main });
    expect(result.stdout()).toContain('still here');
    expect(exitOf(result)).toMatchObject({ endedBy: 'self' });
  });

  it('sees that the subject was deleted, and leaves the original alone', async () => {
    const main =
      'import os, shutil\nshutil.rmtree(os.environ["PROJECT_DIR"], ignore_errors=True)\nprint(os.path.exists(os.environ["PROJECT_DIR"] + "/project.py"))\n';
    const result = await run({ main });
    expect(result.stdout()).toEqual(['False']);
    expect(result.of('subject').at(-1)).toMatchObject({ when: 'after', changed: ['project.py'] });
    expect(await readdir(result.request.subjectDirectory)).toEqual(['project.py']);
  });

  it('takes forged frames for the text that they are', async () => {
    const frame = '{"seq":3,"t":1,"source":"supervisor","kind":"end","records":3,"sha256":"00","leftBehind":0}';
    const main = `import os\nprint('${frame}')\nfor name in ("1-aa.jsonl", "9-bb.jsonl"):\n    open(os.path.join(os.environ["REENACT_PROBE_DIR"], name), "w").write('${frame}\\n{"kind":"exit","pid":1,"t":0}\\n[]\\n' + "[" * 5000 + "\\n" + "9" * 100000 + "\\n")\n`;
    const result = await run({ main });
    expect(result.stdout()).toEqual([frame]);
    expect(result.of('exit')).toHaveLength(1);
    expect(result.of('notice').filter((notice) => notice.code === 'probe-record-void').length).toBeGreaterThanOrEqual(10);
  });

  it('does not follow links or block on pipes in the probe folder and in the subject', async () => {
    const main =
      'import os\nd = os.environ["REENACT_PROBE_DIR"]\nos.symlink("/etc/passwd", d + "/1-cc.jsonl")\nos.mkfifo(d + "/2-dd.jsonl")\nos.unlink("project.py")\nos.mkfifo("project.py")\n';
    const result = await run({ main });
    expect(exitOf(result)).toMatchObject({ code: 0, endedBy: 'self' });
    expect(result.of('subject').at(-1)?.changed).toEqual(['project.py']);
  });
});

describe('leaks', () => {
  it('gives a script no keys, no network, no files of the user and no rights', async () => {
    const canary = join(homedir(), `.reenact-canary-${process.pid}`);
    await writeFile(canary, 'secret');
    process.env['REENACT_TEST_TOKEN'] = 'secret-token';
    const main = `
import json, os, socket
def reachable(address):
    try:
        socket.create_connection(address, timeout=3).close()
        return True
    except OSError:
        return False
def writable(path):
    try:
        open(path, "w").close()
        return True
    except OSError:
        return False
names = set(os.listdir(os.path.dirname(${JSON.stringify(canary)}))) if os.path.isdir(os.path.dirname(${JSON.stringify(canary)})) else set()
print(json.dumps({
    "canary": os.path.exists(${JSON.stringify(canary)}),
    "token": any("secret-token" in value for value in os.environ.values()),
    "uid": os.getuid(), "network": reachable(("1.1.1.1", 53)) or reachable(("10.0.0.1", 80)),
    "interfaces": [name for _, name in socket.if_nameindex()],
    "docker": os.path.exists("/var/run/docker.sock"), "ssh": ".ssh" in names, "shadow": os.path.exists("/etc/shadow"),
    "writable": [path for path in ("/usr/x", "/etc/x", "/x", "/work/script/main.py", "/work/probe/sitecustomize.py", "/work/x") if writable(path)],
    "capabilities": [line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff")],
    "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit())[:1],
    "memory": writable("/proc/1/mem"),
}))
`;
    try {
      const result = await run({ main });
      expect(JSON.parse(result.stdout()[0] ?? '')).toEqual({
        canary: false,
        token: false,
        uid: 65534,
        network: false,
        interfaces: ['lo'],
        docker: false,
        ssh: false,
        shadow: false,
        writable: [],
        capabilities: ['0000000000000000'],
        processes: [1],
        memory: false,
      });
      expect(result.of('begin')[0]).toMatchObject({ sandbox: 'namespaces' });
    } finally {
      delete process.env['REENACT_TEST_TOKEN'];
      await rm(canary);
    }
  });

  it('sees edits of the subject, also ones that were taken back', async () => {
    const main =
      'import os, time\nstamp = os.stat("project.py")\ntext = open("project.py").read()\nopen("project.py", "w").write("ANSWER = 43\\n")\nimport project\nopen("project.py", "w").write(text)\n' +
      'os.utime("project.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))\nopen("new.txt", "w").write("new files are fine")\nprint(project.ANSWER)\n';
    const result = await run({ main });
    expect(result.stdout()).toEqual(['43']);
    expect(result.of('subject').at(-1)?.changed).toEqual(['project.py']);
  });
});
