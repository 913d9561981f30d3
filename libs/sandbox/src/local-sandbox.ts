import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AppError } from '@reenact/domain';
import type { Sandbox, SandboxOutcome, SandboxProgress, TrialRequest } from '@reenact/domain';
import { readEvidence } from './evidence-reader.js';
import { runSupervisor } from './supervisor-process.js';
import type { SupervisorAnswer } from './supervisor-process.js';

/** The package's folder, from `src` as well as from `dist`. */
const PACKAGE_DIRECTORY = fileURLToPath(new URL('..', import.meta.url));

export interface LocalSandboxOptions {
  /** Where trials live while they run: private copies of subjects, request files. */
  workDirectory: string;
  /** What is kept between trials (facts about interpreters); default: inside the work directory. */
  cacheDirectory?: string;
  /** Interpreter of the trusted supervisor, Python ≥ 3.8; default `python3` on PATH. */
  supervisorPython?: string;
  /** Runs every trial without namespaces, as on a system that allows none; for tests. */
  forcePlain?: boolean;
}

/**
 * The sandbox of this machine: a Python supervisor in its own process runs each trial in Linux namespaces (without any
 * installed program) and writes the evidence.
 * `execute` throws AppError `unsandboxed-refused` where the system allows no namespaces and the request does not agree to
 * run without, and `interpreter-not-found` where the interpreter does not answer; every other failure of the platform is
 * an outcome `infra`.
 */
export function createLocalSandbox(given: LocalSandboxOptions): Sandbox {
  const running = new Set<string>();
  let settled: Promise<LocalSandboxOptions> | undefined;
  const settle = (): Promise<LocalSandboxOptions> => (settled ??= settleOptions(given));
  return {
    kind: 'local',
    isolation: async () => probeIsolation(await settle()),
    async execute(request, { signal, onProgress }) {
      if (signal.aborted) return { outcome: 'cancelled', reason: 'cancelled before it began' };
      if (running.has(request.executionId)) return { outcome: 'infra', reason: `execution ${request.executionId} runs already` };
      running.add(request.executionId);
      try {
        return await execute(await settle(), request, { signal, onProgress });
      } finally {
        running.delete(request.executionId);
      }
    },
    close: () => undefined,
  };
}

/** Finds the interpreter behind a name on PATH once: the start-up of a version manager's shim would be paid per trial. */
async function settleOptions(options: LocalSandboxOptions): Promise<LocalSandboxOptions> {
  const name = options.supervisorPython ?? 'python3';
  try {
    const { stdout } = await promisify(execFile)(name, ['-I', '-S', '-c', 'import sys; print(sys.executable)']);
    return { ...options, supervisorPython: stdout.trim() || name };
  } catch {
    return { ...options, supervisorPython: name };
  }
}

interface ExecuteOptions {
  signal: AbortSignal;
  onProgress: (progress: SandboxProgress) => void;
}

async function execute(
  options: LocalSandboxOptions,
  request: TrialRequest,
  { signal, onProgress }: ExecuteOptions,
): Promise<SandboxOutcome> {
  const began = performance.now();
  const workDirectory = resolve(options.workDirectory);
  await mkdir(workDirectory, { recursive: true });
  await mkdir(request.outputDirectory, { recursive: true });
  const requestPath = join(workDirectory, `request-${createHash('sha256').update(request.executionId).digest('hex').slice(0, 16)}.json`);
  await writeFile(requestPath, JSON.stringify(supervisorRequest(options, request)), { mode: 0o600 });
  try {
    const answer = await runSupervisor({
      python: options.supervisorPython ?? 'python3',
      argv: [supervisorMain(), requestPath, '--watch-stdin'],
      signal,
      onProgress,
    });
    return await outcomeOf(answer, (performance.now() - began) / 1000);
  } finally {
    await rm(requestPath, { force: true });
  }
}

function supervisorRequest(options: LocalSandboxOptions, request: TrialRequest): Record<string, unknown> {
  const workDirectory = resolve(options.workDirectory);
  return {
    ...request,
    workDirectory,
    cacheDirectory: resolve(options.cacheDirectory ?? join(workDirectory, 'cache')),
    probeDirectory: join(PACKAGE_DIRECTORY, 'probe'),
    forcePlain: options.forcePlain ?? false,
  };
}

function supervisorMain(): string {
  return join(PACKAGE_DIRECTORY, 'supervisor', 'main.py');
}

async function outcomeOf(answer: SupervisorAnswer, seconds: number): Promise<SandboxOutcome> {
  switch (answer.kind) {
    case 'cancelled':
      return { outcome: 'cancelled', reason: 'the trial was cancelled' };
    case 'died':
      return { outcome: 'infra', reason: answer.reason };
    case 'error':
      if (answer.code === 'unsandboxed-refused') {
        throw new AppError('unsandboxed-refused', `this machine gives no sandbox: ${answer.message}`, {
          hint: 'allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or --privileged in a container), or pass --unsandboxed to run without isolation',
        });
      }
      if (answer.code === 'interpreter-not-found')
        throw new AppError('interpreter-not-found', `the interpreter does not answer: ${answer.message}`);
      return { outcome: 'infra', reason: `${answer.code}: ${answer.message}` };
    case 'done':
      await readEvidence(answer.evidencePath);
      return {
        outcome: 'finished',
        evidencePath: answer.evidencePath,
        seconds,
        overheadSeconds: Math.max(0, seconds - answer.scriptSeconds),
      };
  }
}

async function probeIsolation(options: LocalSandboxOptions): Promise<string[]> {
  if (options.forcePlain) return [];
  const answer = await runSupervisor({
    python: options.supervisorPython ?? 'python3',
    argv: [supervisorMain(), '--isolation', resolve(options.workDirectory)],
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return answer.kind === 'done' ? answer.isolation : [];
}
