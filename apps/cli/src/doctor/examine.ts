import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Configuration } from '@reenact/domain';
import { describeInterpreter, findInterpreter } from '@reenact/environment';
import { plainLine } from '@reenact/reporting';
import { createLocalSandbox } from '@reenact/sandbox';
import { findTemporalServer } from '@reenact/temporal/server';
import { findWorker } from '../engine/ensure-worker.js';
import { statePaths } from '../state-paths.js';

const run = promisify(execFile);
const LOOK_SECONDS = 20;
const NODE_MAJOR = 24;

/** One thing that was looked at. `note` works without it, `missing` does not. */
export interface Examined {
  name: string;
  state: 'ok' | 'note' | 'missing';
  found: string;
  fix: string | null;
}

/** Looks at everything that Reenact needs or can use; starts and installs nothing. */
export async function examine(configuration: Configuration): Promise<Examined[]> {
  const [python, temporal, worker, uv, sandbox, gpu, git] = await Promise.all([
    examinePython(configuration),
    examineTemporal(configuration),
    examineWorker(configuration),
    examineProgram({ name: 'uv', argv: ['uv', '--version'], missing: 'brought at the first environment that is built (18 MB)' }),
    examineSandbox(configuration),
    examineProgram({
      name: 'GPU',
      argv: ['nvidia-smi', '--query-gpu=name,memory.total', '--format=csv,noheader'],
      missing: 'none; what needs one ends as unsupported',
    }),
    examineProgram({ name: 'git', argv: ['git', '--version'], missing: 'not found; needed for git addresses only' }),
  ]);
  return [examineNode(), ...python, temporal, worker, uv, git, sandbox, gpu, examineModel(configuration)];
}

function examineNode(): Examined {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= NODE_MAJOR) return { name: 'Node', state: 'ok', found: process.version, fix: null };
  return { name: 'Node', state: 'missing', found: process.version, fix: `Start Reenact by ./reenact, which brings Node ${NODE_MAJOR}.` };
}

async function examinePython({ python, searchPath }: Configuration): Promise<Examined[]> {
  const interpreter = python ?? (await findInterpreter('python3', searchPath));
  const fix = 'Install Python 3.11 or newer with pip, or set REENACT_PYTHON to one.';
  const facts = interpreter === null ? null : await describeInterpreter(interpreter).catch(() => null);
  if (facts === null) return [{ name: 'Python', state: 'missing', found: 'no python3 that starts', fix }];
  const [major = 0, minor = 0] = facts.version.split('.').map(Number);
  const isOld = major < 3 || (major === 3 && minor < 8);
  const pip = facts.distributions.find((one) => one.name === 'pip');
  return [
    { name: 'Python', state: isOld ? 'missing' : 'ok', found: `${facts.version} (${facts.executable})`, fix: isOld ? fix : null },
    pip === undefined
      ? { name: 'pip', state: 'note', found: 'not there', fix: `${facts.executable} -m ensurepip` }
      : { name: 'pip', state: 'ok', found: pip.version, fix: null },
  ];
}

async function examineTemporal({ stateDirectory, temporal }: Configuration): Promise<Examined> {
  if (temporal.address !== null)
    return { name: 'Temporal', state: 'ok', found: `existing cluster ${temporal.address}, namespace ${temporal.namespace}`, fix: null };
  const server = await findTemporalServer({ stateDirectory, namespace: temporal.namespace }).catch(() => null);
  if (server !== null)
    return {
      name: 'Temporal',
      state: 'ok',
      found: `${server.serverVersion} at ${server.address}, UI ${server.uiUrl ?? 'unknown'}`,
      fix: null,
    };
  return {
    name: 'Temporal',
    state: 'note',
    found: 'not running; the next run starts it (44 MB are fetched the first time, unless `temporal` is on PATH)',
    fix: './reenact up',
  };
}

async function examineWorker({ stateDirectory }: Configuration): Promise<Examined> {
  const worker = await findWorker(stateDirectory);
  if (worker === null) return { name: 'worker', state: 'note', found: 'not running; the next run starts it', fix: null };
  return { name: 'worker', state: 'ok', found: `process ${worker.pid}, since ${worker.startedAt}`, fix: null };
}

async function examineProgram({ name, argv, missing }: { name: string; argv: [string, ...string[]]; missing: string }): Promise<Examined> {
  const [program, ...rest] = argv;
  try {
    const { stdout } = await run(program, rest, { timeout: LOOK_SECONDS * 1000 });
    return { name, state: 'ok', found: plainLine(stdout, 160), fix: null };
  } catch {
    return { name, state: 'note', found: missing, fix: null };
  }
}

async function examineSandbox({ stateDirectory, python }: Configuration): Promise<Examined> {
  const workDirectory = path.join(statePaths(stateDirectory).scratch, 'doctor');
  await mkdir(workDirectory, { recursive: true });
  const isolation = await createLocalSandbox({ workDirectory, ...(python !== null && { supervisorPython: python }) })
    .isolation()
    .catch(() => []);
  if (isolation.length > 0) return { name: 'sandbox', state: 'ok', found: isolation.join(', '), fix: null };
  const fix = 'Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or --privileged in a container), or pass --unsandboxed.';
  return { name: 'sandbox', state: 'note', found: 'this system gives no isolation; only our own examples run', fix };
}

function examineModel({ model }: Configuration): Examined {
  if (model === null) {
    return {
      name: 'model',
      state: 'note',
      found: 'none configured; everything that needs none still works',
      fix: 'Set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL.',
    };
  }
  const where = model.replay === null ? (model.baseUrl ?? 'the default endpoint') : `recorded calls in ${model.replay}`;
  return { name: 'model', state: 'ok', found: plainLine(`${model.name} at ${where}${model.apiKey === null ? ', no key' : ''}`), fix: null };
}
