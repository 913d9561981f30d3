import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EvidenceRecord } from '@reenact/domain';
import { Launch } from '@reenact/domain/schemas';
import { parseEvidence } from '../../evidence-reader.js';
import type { BenchTrial } from '../../testing/trial-bench.js';
import { executionObjects } from '../execution-objects.js';
import { createFrameReader } from '../frame-reader.js';
import type { FrameReader } from '../frame-reader.js';
import { linesOf } from '../lines.js';
import { mergeEvidence } from '../merge-evidence.js';
import { packPayload } from '../pack-payload.js';
import { openPodNetwork } from './pod-network.js';
import type { PodNetwork } from './pod-network.js';
import { executionSpec } from './specs.js';

/** Several pods without a cluster: one supervisor each as first process, in namespaces and on a network of its own. */
export interface PodsTrial extends BenchTrial {
  nodes: number;
  /** Seconds by which a pod begins later than the others. */
  delaySeconds?: readonly number[];
  /** Seconds by which a pod's clock is ahead; the ranks of a real cluster have clocks of their own. */
  clockSeconds?: readonly number[];
  /** Changes what one pod is told. */
  changeConfig?: (config: RunConfig, node: number) => void;
  environment?: (node: number) => Record<string, string>;
  /** Called with every frame; `pods` lets a test end, stop or cut off one of them. */
  onLine?: (line: string, node: number, pods: PodControl) => void;
  onStart?: (pods: PodControl) => void;
}

export interface RunConfig {
  ranks: Record<string, unknown> | null;
  [name: string]: unknown;
}

export interface PodControl {
  kill(node: number, signal: NodeJS.Signals): void;
  disconnect(node: number): Promise<void>;
}

export interface PodEnd {
  status: number | null;
  /** The supervisor's last words, also when it failed. */
  words: string;
  reader: FrameReader;
}

export interface PodsResult {
  pods: PodEnd[];
  statuses: (number | null)[];
  /** All pods' evidence as one stream; throws where a pod has none. */
  merged(): EvidenceRecord[];
}

const NONCE = '5a'.repeat(32);
const MAIN = fileURLToPath(new URL('../../../supervisor/pod.py', import.meta.url));
const FIRST_PROCESS = ['--user', '--map-user=10001', '--map-group=10001', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** Runs a trial in `nodes` pods and waits for all of them. */
export async function runPods(interpreter: string, trial: PodsTrial): Promise<PodsResult> {
  const base = await mkdtemp(path.join(tmpdir(), 'reenact-pods-'));
  const network = await openPodNetwork(trial.nodes, path.join(base, 'hosts'));
  try {
    const input = await writeInput(base, interpreter, trial);
    const run = { base, input, network, trial, interpreter };
    const children: (ChildProcess | undefined)[] = [];
    const control: PodControl = {
      kill: (node, signal) => killFirstProcess(children[node], signal),
      disconnect: (node) => network.disconnect(node),
    };
    trial.onStart?.(control);
    const pods = await Promise.all(Array.from({ length: trial.nodes }, (_, node) => runPod(run, node, { children, control })));
    return { pods, statuses: pods.map(({ status }) => status), merged: () => mergedOf(pods) };
  } finally {
    await network.close();
    await rm(base, { recursive: true, force: true });
  }
}

function mergedOf(pods: readonly PodEnd[]): EvidenceRecord[] {
  const streams = pods.map(({ reader }, node) => ({ node, bytes: reader.evidence() ?? Buffer.alloc(0) }));
  return parseEvidence(mergeEvidence(streams));
}

interface Run {
  base: string;
  input: Input;
  network: PodNetwork;
  trial: PodsTrial;
  interpreter: string;
}

interface Input {
  config: RunConfig;
  files: Record<string, string>;
}

async function writeInput(base: string, interpreter: string, trial: PodsTrial): Promise<Input> {
  const directories = { script: path.join(base, 'script'), subject: path.join(base, 'subject') };
  await writeFiles(directories.script, trial.script ?? {});
  await writeFiles(directories.subject, trial.subject ?? { 'project.py': 'ANSWER = 42\n' });
  const launch = Launch.parse({
    schemaVersion: 1,
    steps: trial.steps ?? [{ argv: ['python', '@script/main.py'] }],
    env: trial.env ?? {},
    limits: { wallSeconds: 60, ...trial.limits },
    silentSeconds: trial.silentSeconds ?? null,
    ...(trial.watchFiles === undefined ? {} : { watchFiles: trial.watchFiles }),
  });
  const spec = executionSpec({ payload: await packPayload(directories), nonce: NONCE, ranks: trial.nodes });
  const probe = trial.probe === undefined ? {} : { probe: [...trial.probe] };
  const { root } = executionObjects(
    { ...spec, run: { ...spec.run, launch, interpreter, coverage: trial.coverage ?? null, ...probe } },
    new Date(0),
  );
  return { config: JSON.parse(root.data['run.json'] ?? '') as RunConfig, files: root.binaryData };
}

async function runPod(
  { base, input, network, trial, interpreter }: Run,
  node: number,
  { children, control }: { children: (ChildProcess | undefined)[]; control: PodControl },
): Promise<PodEnd> {
  const own = path.join(base, `pod-${node}`);
  const [mounted, scratch, words] = [path.join(own, 'in'), path.join(own, 'scratch'), path.join(own, 'termination')];
  await mkdir(mounted, { recursive: true });
  await mkdir(scratch);
  const config = structuredClone(input.config);
  Object.assign(config, { input: mounted, scratch, heartbeatSeconds: 0.2, node: null });
  if (config.ranks !== null) config.ranks['hosts'] = Array.from({ length: trial.nodes }, (_, index) => network.hostOf(index));
  trial.changeConfig?.(config, node);
  await writeFile(path.join(mounted, 'run.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(input.files)) await writeFile(path.join(mounted, name), Buffer.from(text, 'base64'));
  await writeFile(words, '');
  await sleep((trial.delaySeconds?.[node] ?? 0) * 1000);
  const clock = trial.clockSeconds?.[node] ?? 0;
  const times = clock === 0 ? [] : ['--time', '--monotonic', String(clock)];
  const command = ['unshare', ...FIRST_PROCESS, ...times, '--', interpreter, '-I', '-S', '-B', MAIN, path.join(mounted, 'run.json')];
  const [program = '', ...rest] = [...network.enter, ...command];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', REENACT_NONCE: NONCE, REENACT_POD_UID: `pod-${node}` };
  const child = spawn(program, rest, {
    env: { ...env, REENACT_NODE_RANK: String(node), REENACT_TERMINATION_FILE: words, ...trial.environment?.(node) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children[node] = child;
  const ended = new Promise<number | null>((settle) => child.on('close', settle));
  await network.connect(child, node);
  const reader = createFrameReader(NONCE);
  for await (const line of linesOf(child.stdout, 1024 ** 2)) {
    reader.take(line);
    trial.onLine?.(line.toString(), node, control);
  }
  return { status: await ended, words: readFileSync(words, 'utf8'), reader };
}

/** The first process of a pod is the only child of the program that made its namespace. */
function killFirstProcess(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  const maker = child?.pid ?? 0;
  const [first] = readFileSync(`/proc/${maker}/task/${maker}/children`, 'utf8').split(' ');
  process.kill(Number(first), signal);
}

async function writeFiles(directory: string, files: Record<string, string>): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
    await writeFile(path.join(directory, name), text);
  }
}
