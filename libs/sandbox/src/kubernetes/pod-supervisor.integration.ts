import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { parseEvidence } from '../evidence-reader.js';
import { executionObjects } from './execution-objects.js';
import { createFrameReader } from './frame-reader.js';
import type { FrameReader } from './frame-reader.js';
import { linesOf } from './lines.js';
import { packPayload } from './pack-payload.js';
import { executionSpec } from './testing/specs.js';

const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const main = fileURLToPath(new URL('../../supervisor/pod.py', import.meta.url));
const NONCE = '5a'.repeat(32);
/** As in a pod, the supervisor is the first process, has no rights and sees no other process but its own. */
const FIRST_PROCESS = ['--user', '--map-user=10001', '--map-group=10001', '--pid', '--fork', '--mount-proc', '--kill-child', '--'];
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface PodRun {
  status: number | null;
  log: Buffer;
  reader: FrameReader;
  scratch: string;
}

interface PodOptions {
  /** Changes the mounted input before the supervisor begins. */
  spoil?: (input: string) => Promise<void>;
  environment?: Record<string, string>;
  /** Gives the pod a network of its own, without a device. */
  ownNetwork?: boolean;
  /** Called with every line of the log and what stops the pod from outside, as a kubelet does. */
  onLine?: (line: string, stop: () => void, maker: number) => void;
}

/** Runs the supervisor as a pod would: input as its ConfigMaps hold it, variables as its Job sets them. */
async function runPod(files: Record<string, string>, options: PodOptions = {}): Promise<PodRun> {
  const base = await mkdtemp(path.join(tmpdir(), 'reenact-pod-'));
  folders.push(base);
  const directories = { script: path.join(base, 'script'), subject: path.join(base, 'subject') };
  await mkdir(directories.script);
  await mkdir(path.join(directories.subject, 'pkg'), { recursive: true });
  await writeFile(path.join(directories.subject, 'pkg', 'project.py'), 'ANSWER = 42\n');
  await symlink('pkg/project.py', path.join(directories.subject, 'project.py'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(directories.script, name), text);
  const spec = executionSpec({ payload: await packPayload(directories), nonce: NONCE });
  const run = { ...spec.run, interpreter: python };
  const { root } = executionObjects({ ...spec, run }, new Date(0));
  const [input, scratch] = [path.join(base, 'in'), path.join(base, 'scratch')];
  await mkdir(input);
  await mkdir(scratch);
  const config = { ...(JSON.parse(root.data['run.json'] ?? '') as object), input, scratch, heartbeatSeconds: 0, node: null };
  await writeFile(path.join(input, 'run.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(root.binaryData)) await writeFile(path.join(input, name), Buffer.from(text, 'base64'));
  await options.spoil?.(input);
  const env = { PATH: '/usr/bin:/bin', REENACT_NONCE: NONCE, REENACT_POD_UID: 'pod-1', ...options.environment };
  const command = [python, '-I', '-S', '-B', main, path.join(input, 'run.json')];
  const child = spawn('unshare', [...(options.ownNetwork === true ? ['--net'] : []), ...FIRST_PROCESS, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((settle) => child.on('close', settle));
  const reader = createFrameReader(NONCE);
  const chunks: Buffer[] = [];
  for await (const line of linesOf(child.stdout as AsyncIterable<Buffer>, 1024 ** 2)) {
    chunks.push(line, Buffer.from('\n'));
    reader.take(line);
    options.onLine?.(line.toString(), () => stopFirstProcess(child.pid ?? 0), child.pid ?? 0);
  }
  return { status: await ended, log: Buffer.concat(chunks), reader, scratch };
}

describe('the supervisor of a pod', () => {
  it('unpacks what it was given, runs it and sends whole evidence out', async () => {
    const { status, reader, log } = await runPod({
      'main.py': 'import os, project\nprint("answer", project.ANSWER, os.readlink(os.environ["PROJECT_DIR"] + "/project.py"))\n',
    });
    expect([status, reader.end()]).toEqual([0, { state: 'whole', podUid: 'pod-1', kind: 'finished' }]);
    const records = parseEvidence(reader.evidence() ?? Buffer.alloc(0));
    expect(records[0]).toMatchObject({ kind: 'begin', sandbox: 'pod' });
    expect(records.filter((record) => record.kind === 'stream').map((record) => record.line)).toEqual(['answer 42 pkg/project.py']);
    expect(records.filter((record) => record.kind === 'exit')).toMatchObject([{ code: 0, signal: null, endedBy: 'self' }]);
    expect(reader.scriptSeconds()).toBeGreaterThan(0);
    expect(
      Math.max(
        ...log
          .toString()
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThan(16 * 1024);
    expect(log.includes(NONCE)).toBe(false);
  });

  it('tells the fate of a script as data: its own status stays 0', async () => {
    const { status, reader } = await runPod({ 'main.py': 'raise SystemExit(7)\n' });
    const records = parseEvidence(reader.evidence() ?? Buffer.alloc(0));
    expect([status, records.find((record) => record.kind === 'exit')]).toMatchObject([0, { code: 7 }]);
  });

  it('sends evidence in many frames, whose every byte is covered', async () => {
    const noise = 'import random\nfor _ in range(4000):\n    print(random.getrandbits(400))\n';
    const { reader, log } = await runPod({ 'main.py': noise });
    expect(reader.end().state).toBe('whole');
    const lines = log.toString().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    const damaged: [string, string[]][] = [
      ['a cut end', lines.slice(0, -1)],
      ['a cut beginning', lines.slice(1)],
      ['a line less', lines.filter((_, index) => index !== 4)],
      ['a line twice', [...lines.slice(0, 4), ...lines.slice(3)]],
      ['two lines exchanged', [...lines.slice(0, 3), lines[4] ?? '', lines[3] ?? '', ...lines.slice(5)]],
      ['another byte', lines.map((line, index) => (index === 4 ? line.replace('"t":', '"t": ') : line))],
      ['a line of somebody', [...lines.slice(0, 4), 'hello', ...lines.slice(4)]],
      ['a line after the end', [...lines, lines[0] ?? '']],
    ];
    for (const [words, text] of damaged) {
      const other = createFrameReader(NONCE);
      for (const line of text) other.take(Buffer.from(line));
      expect([words, other.end().state, other.evidence()]).toEqual([words, words === 'a cut end' ? 'missing' : 'broken', null]);
    }
    const stranger = createFrameReader('00'.repeat(32));
    for (const line of lines) stranger.take(Buffer.from(line));
    expect(stranger.end()).toEqual({ state: 'broken', problem: 'its end is not sealed by the supervisor' });
  });

  it('gives a sign of life with the last line while it runs', async () => {
    const seen: string[] = [];
    await runPod({ 'main.py': 'import time\nprint("working", flush=True)\ntime.sleep(3)\n' }, { onLine: (line) => seen.push(line) });
    expect(seen.some((line) => line.includes('"ch":"h"') && line.includes('"line":"working"'))).toBe(true);
  });

  it('ends with 75 and a frame that says so when it is stopped from outside, and leaves no process', async () => {
    const { status, reader } = await runPod(
      { 'main.py': 'import time\nprint("ready", flush=True)\ntime.sleep(600)\n' },
      { onLine: (line, stop) => (line.includes('ready') ? stop() : undefined) },
    );
    expect([status, reader.end(), reader.evidence()]).toEqual([75, { state: 'whole', podUid: 'pod-1', kind: 'stopped' }, null]);
  });

  it('is not stopped by its own script', async () => {
    const script =
      'import os, signal\nfor _ in range(3):\n    os.kill(1, signal.SIGTERM)\n    os.kill(1, signal.SIGINT)\nprint("still here")\n';
    const { status, reader } = await runPod({ 'main.py': script });
    const records = parseEvidence(reader.evidence() ?? Buffer.alloc(0));
    expect([status, records.flatMap((record) => (record.kind === 'stream' ? [record.line] : []))]).toEqual([0, ['still here']]);
  });

  it.each<[string, number, PodOptions]>([
    ['a part that was changed', 65, { spoil: (input) => writeFile(path.join(input, 'payload.0'), 'other') }],
    ['a part that is missing', 65, { spoil: (input) => rm(path.join(input, 'payload.0')) }],
    ['a payload that is none', 65, { spoil: (input) => replacePayload(input, Buffer.from('no payload')) }],
    ['no configuration', 64, { spoil: (input) => writeFile(path.join(input, 'run.json'), '{') }],
    ['no nonce', 64, { environment: { REENACT_NONCE: '' } }],
    ['an interpreter that is not there', 64, { spoil: (input) => changeRun(input, { interpreter: '/nowhere/python' }) }],
    ['a launch without steps', 64, { spoil: (input) => changeRun(input, { launch: {} }) }],
  ])('ends with its own status for %s', async (_, expected, options) => {
    const { status, reader } = await runPod({ 'main.py': '' }, options);
    expect([status, reader.end()]).toEqual([expected, { state: 'missing' }]);
  });

  const nobody = { instance: 'ab'.repeat(8), targets: [{ host: '127.0.0.1', port: 9 }], budgetSeconds: 0 };
  const spoilConfig = (parts: object) => (input: string) => changeConfig(input, (config) => void Object.assign(config, parts));

  it('says what it did not check', async () => {
    const { reader } = await runPod({ 'main.py': '' });
    const skipped = ['node-check=skipped: not asked for', 'network-check=skipped: there is no canary'];
    expect(isolationOf(reader)).toEqual(expect.arrayContaining(skipped));
  });

  it('ends with 66 before the script on a node that lacks what was asked for', async () => {
    const node = { scratchBytes: 2 ** 60, sharedMemoryBytes: 1, memoryBytes: 2 ** 30, gpus: 0, limitMayHide: true };
    const { status, reader, scratch } = await runPod({ 'main.py': '' }, { spoil: spoilConfig({ node }) });
    expect([status, reader.end(), await readdir(scratch)]).toEqual([66, { state: 'missing' }, []]);
  });

  it('ends with 68 before the script where it reaches what it must not, and proves that it does not', async () => {
    const spoil = spoilConfig({ canary: nobody });
    // The other side refuses by itself: the packet arrived.
    const open = await runPod({ 'main.py': '' }, { spoil });
    expect([open.status, open.reader.end(), await readdir(open.scratch)]).toEqual([68, { state: 'missing' }, []]);
    const closed = await runPod({ 'main.py': '' }, { spoil, ownNetwork: true });
    expect(closed.status).toBe(0);
    expect(isolationOf(closed.reader)).toEqual(expect.arrayContaining(['network-denied', `canary=${nobody.instance}`]));
  });

  it('is not believed where the network opened during the run', async () => {
    const { status, reader } = await runPod(
      { 'main.py': 'import time\nprint("ready", flush=True)\ntime.sleep(4)\n' },
      {
        spoil: spoilConfig({ canary: nobody }),
        ownNetwork: true,
        onLine: (line, _, maker) => {
          if (line.includes('ready')) execFileSync('nsenter', ['-t', String(maker), '-n', 'ip', 'link', 'set', 'lo', 'up']);
        },
      },
    );
    expect([status, reader.end(), reader.evidence()]).toEqual([68, { state: 'missing' }, null]);
  });

  it('is not stopped by a signal of its own script that names a sender outside', async () => {
    const script = [
      'import ctypes, platform, struct, sys',
      'libc = ctypes.CDLL(None, use_errno=True)',
      'call = {"x86_64": 129, "aarch64": 138}[platform.machine()]',
      'for number in (15, 2, 1):',
      '    for code in (-1, -2, -60, 0):',
      '        libc.syscall(call, 1, number, struct.pack("5i", number, 0, code, 0, 0).ljust(128, b"\\0"))',
      'print("still here")',
    ].join('\n');
    const { status, reader } = await runPod({ 'main.py': script });
    const records = parseEvidence(reader.evidence() ?? Buffer.alloc(0));
    expect([status, records.flatMap((record) => (record.kind === 'stream' ? [record.line] : []))]).toEqual([0, ['still here']]);
  });

  it('gives no evidence where its own limits were changed meanwhile', async () => {
    const script = 'import resource\nresource.prlimit(1, resource.RLIMIT_NOFILE, (64, 64))\nprint("lowered")\n';
    const { status, reader } = await runPod({ 'main.py': script });
    expect([status, reader.end().state, reader.evidence()]).toEqual([70, 'missing', null]);
  });

  it('keeps nonce, evidence and log away from the script', async () => {
    const probe = [
      'import os, glob',
      'found = []',
      'for name in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):',
      '    try:',
      `        found += [name] if b"${NONCE.slice(0, 20)}" in open(name, "rb").read() else []`,
      '    except OSError:',
      '        pass',
      'print("nonce", len(found), [k for k in os.environ if k in ("REENACT_NONCE", "REENACT_POD_UID")])',
      'for root, _, names in os.walk(os.path.dirname(os.path.dirname(os.environ["HOME"]))):',
      '    for name in names:',
      '        if "evidence" in name:',
      '            print("file", name)',
    ].join('\n');
    const { reader } = await runPod({ 'main.py': probe });
    const records = parseEvidence(reader.evidence() ?? Buffer.alloc(0));
    expect(records.filter((record) => record.kind === 'stream').map((record) => record.line)).toEqual(['nonce 0 []']);
  });
});

/** What the BEGIN record says of the isolation. */
function isolationOf(reader: FrameReader): string[] {
  return parseEvidence(reader.evidence() ?? Buffer.alloc(0)).flatMap((record) => (record.kind === 'begin' ? record.isolation : []));
}

/** The namespace's first process is the only child of the program that made it. */
function stopFirstProcess(maker: number): void {
  const [first] = readFileSync(`/proc/${maker}/task/${maker}/children`, 'utf8').split(' ');
  process.kill(Number(first), 'SIGTERM');
}

async function changeConfig(input: string, change: (config: Record<string, unknown>) => void): Promise<void> {
  const file = path.join(input, 'run.json');
  const config = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  change(config);
  await writeFile(file, JSON.stringify(config));
}

function changeRun(input: string, parts: Record<string, unknown>): Promise<void> {
  return changeConfig(input, (config) => {
    config['run'] = { ...(config['run'] as object), ...parts };
  });
}

async function replacePayload(input: string, bytes: Buffer): Promise<void> {
  await writeFile(path.join(input, 'payload.0'), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await changeConfig(input, (config) => {
    config['payload'] = { bytes: bytes.length, sha256, parts: [{ file: 'payload.0', bytes: bytes.length, sha256 }] };
  });
}
