import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, HANDED_OVER } from '@reenact/domain';
import type { Pool, RunImage, Sandbox, SandboxOutcome, SandboxProgress, TrialRequest } from '@reenact/domain';
import { parseEvidence } from '../evidence-reader.js';
import { backoffMilliseconds } from './backoff.js';
import type { CanaryCheck, Endpoint } from './canary.js';
import type { ClusterWatch } from './cluster-watch.js';
import { executionName, executionNonce } from './execution-names.js';
import type { ExecutionKey } from './execution-names.js';
import type { ExecutionSpec } from './execution-spec.js';
import type { NextStep } from './outcome-class.js';
import { packPayload } from './pack-payload.js';
import { choosePool, findPool, podCounts } from './pool-catalogue.js';
import type { PodDemand } from './pool-catalogue.js';
import { deleteExecution, runExecution } from './run-execution.js';
import type { ExecutionDeps, ExecutionResult } from './run-execution.js';
import { podDemand } from './run-job.js';
import { deadlineSeconds } from './timings.js';
import type { Timings } from './timings.js';
import { canaryNow, vouchIsolation } from './vouch-isolation.js';

export interface KubernetesSandboxOptions {
  watch: ClusterWatch;
  make: ExecutionDeps['make'];
  namespace: string;
  clusterDomain: string;
  serviceAccount: string;
  images: readonly RunImage[];
  pools: readonly Pool[];
  /** A listener that pods must not reach; null = the cluster has none, and no isolation is proven. */
  canary: Endpoint | null;
  /** Key of this installation, from which the nonces of executions are drawn. */
  installationKey: Uint8Array;
  timings: Timings;
  /** Waits before a trial that the cluster spoiled is run once more. */
  repeatBackoff: { first: number; most: number };
}

/** How often a trial that the cluster spoiled is run again (kubernetes.md 10.3). */
const MOST_REPEATS = 3;
/** Tries are numbered through: first those with ordinary room, then those with twice as much. */
const TRIES = MOST_REPEATS + 1;
/** A launch cannot ask for any yet. */
const NO_GPUS = 0;

/**
 * The sandbox of a cluster: each trial is a Job, watched to its end and classified. What the cluster spoiled is run again under a name of
 * its own; the objects of all tries stay until the last is over, so that a worker that starts in the middle takes up what it finds and
 * runs nothing twice.
 *
 * `execute` throws AppError `config-invalid` where no image has the interpreter or the trial asks for what a pod does not have, and
 * `cluster-unreachable` where the API server cannot be asked; everything else that is the cluster's fault is an outcome `infra`.
 */
export function createKubernetesSandbox(options: KubernetesSandboxOptions): Sandbox {
  return {
    kind: 'kubernetes',
    isolation: () => Promise.resolve(['pod', ...runtimesOf(options.pools)]),
    async execute(request, { signal, onProgress }) {
      if (signal.aborted) return { outcome: 'cancelled', reason: 'cancelled before it began' };
      const began = performance.now();
      const trial = await openTrial(options, request);
      try {
        const result = await runTries(options, trial, { signal, onProgress });
        const outcome = await outcomeOf(result, request, (performance.now() - began) / 1000);
        await trial.clean();
        return outcome;
      } catch (error) {
        if (!signal.aborted) throw error;
        if (signal.reason !== HANDED_OVER) await trial.clean();
        return { outcome: 'cancelled', reason: 'the trial was cancelled' };
      }
    },
    close: () => options.watch.close(),
  };
}

function runtimesOf(pools: readonly Pool[]): string[] {
  return [...new Set(pools.flatMap(({ runtimeClass }) => (runtimeClass === null ? [] : [runtimeClass])))];
}

/** One trial with everything that its tries share. */
interface OpenTrial {
  specOf(number: number, canary: CanaryCheck | null): ExecutionSpec;
  deps: ExecutionDeps;
  /** Whether a pool holds the tries with twice the room. */
  hasLarger: boolean;
  /** Where to begin: the first try that is in the cluster already, else 0. */
  firstTry: number;
  /** Deletes the objects of all tries. */
  clean(): Promise<void>;
}

async function openTrial(options: KubernetesSandboxOptions, request: TrialRequest): Promise<OpenTrial> {
  const image = options.images.find(({ interpreter }) => interpreter === request.interpreter);
  if (image === undefined)
    throw new AppError('config-invalid', `no image of the cluster has the interpreter ${request.interpreter}`, {
      hint: 'build one with `reenact images build`, push it, and name it under images in the cluster’s settings',
    });
  const run = podRun(request);
  const demandOf = (ranks: number, headroom: 1 | 2): PodDemand => podDemand({ ranks, run, headroom }, NO_GPUS);
  const ranks = podCounts(request.launch).find((count) => findPool(options.pools, demandOf(count, 1)) !== null) ?? 1;
  const pool = choosePool(options.pools, demandOf(ranks, 1));
  const larger = findPool(options.pools, demandOf(ranks, 2));
  const payload = await packPayload({ script: request.scriptDirectory, subject: request.subjectDirectory });
  const watched = await options.watch.filled();
  const deps: ExecutionDeps = { ...watched, make: options.make, now: () => performance.now() / 1000 };
  const keyOf = (infraAttempt: number): ExecutionKey => ({
    namespace: options.namespace,
    ...request.origin,
    trial: createHash('sha256').update(request.executionId).digest('hex').slice(0, 32),
    infraAttempt,
  });
  const names = Array.from({ length: 2 * TRIES }, (_, number) => executionName(keyOf(number)));
  const isThere = (name: string): boolean => watched.jobs.of(name).length > 0;
  return {
    deps,
    hasLarger: larger !== null,
    firstTry: Math.max(0, names.findIndex(isThere)),
    specOf: (number, canary) => ({
      key: keyOf(number),
      ranks,
      run,
      image,
      pool: number < TRIES ? pool : (larger ?? pool),
      payload,
      nonce: executionNonce(executionName(keyOf(number)), options.installationKey),
      serviceAccount: options.serviceAccount,
      clusterDomain: options.clusterDomain,
      canary,
      headroom: number < TRIES ? 1 : 2,
      timings: options.timings,
    }),
    async clean() {
      for (const name of names.filter((one, index) => index === 0 || isThere(one))) await deleteExecution(deps, options.namespace, name);
    },
  };
}

function podRun({ launch, importRoots, interpreter, coverage, load, probe }: TrialRequest): ExecutionSpec['run'] {
  return { launch, importRoots, interpreter, coverage, ...(load === undefined ? {} : { load }), ...(probe === undefined ? {} : { probe }) };
}

interface RunOptions {
  signal: AbortSignal;
  onProgress: (progress: SandboxProgress) => void;
}

/** Runs tries until one is not the cluster's fault, or too many were. */
async function runTries(options: KubernetesSandboxOptions, trial: OpenTrial, { signal, onProgress }: RunOptions): Promise<ExecutionResult> {
  for (let number = trial.firstTry; ;) {
    const spec = trial.specOf(number, await canaryNow(options.canary, options.timings, signal));
    const ran = await runExecution(trial.deps, spec, {
      notAfter: notAfterOf(spec),
      signal,
      onProgress: ({ seconds, lastLine }) => onProgress({ seconds, lastLine }),
    });
    const result = await vouchIsolation(ran, options.canary, signal);
    const next = nextTry(number, result.classification.next, trial.hasLarger);
    if (next === null) return result;
    await sleep(backoffMilliseconds(options.repeatBackoff, next), undefined, { signal }).catch(() => signal.throwIfAborted());
    number = next;
  }
}

function nextTry(number: number, next: NextStep, hasLarger: boolean): number | null {
  if (next === 'none' || next === 'mend') return null;
  if (next === 'repeat-larger') return number < TRIES && hasLarger ? TRIES : null;
  return (number + 1) % TRIES === 0 ? null : number + 1;
}

/** After this nobody needs the objects any more: all clocks, an outage, and the time that finished Jobs stay. */
function notAfterOf({ timings, pool, run, ranks }: ExecutionSpec): Date {
  const clocks = { gpu: pool.gpus > 0, wallSeconds: run.launch.limits.wallSeconds, several: ranks > 1 };
  const seconds = deadlineSeconds(timings, clocks) + timings.keepFinishedSeconds;
  return new Date(Date.now() + seconds * 1000);
}

async function outcomeOf(
  { classification, evidence, scriptSeconds }: ExecutionResult,
  request: TrialRequest,
  seconds: number,
): Promise<SandboxOutcome> {
  if (classification.outcome !== 'finished' || evidence === null)
    return {
      outcome: classification.outcome === 'cancelled' ? 'cancelled' : 'infra',
      reason: `${classification.class}: ${classification.detail}`,
    };
  parseEvidence(evidence);
  await mkdir(request.outputDirectory, { recursive: true });
  const evidencePath = path.join(request.outputDirectory, 'evidence.jsonl');
  await writeFile(`${evidencePath}.part`, evidence);
  await rename(`${evidencePath}.part`, evidencePath);
  return { outcome: 'finished', evidencePath, seconds, overheadSeconds: Math.max(0, seconds - scriptSeconds) };
}
