import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@reenact/domain';
import { classifyOutcome } from './classify-outcome.js';
import { collectLog, followLog } from './collect-log.js';
import { createOrAdopt } from './create-or-adopt.js';
import type { Made, MakeOptions } from './create-or-adopt.js';
import { executionObjects, ownedBy } from './execution-objects.js';
import type { ExecutionObjects } from './execution-objects.js';
import type { ExecutionSpec } from './execution-spec.js';
import type { FrameReader, Heartbeat } from './frame-reader.js';
import type { KubeConnection } from './kube-connection.js';
import { sendRequest } from './kube-request.js';
import type { Manifest } from './manifest.js';
import type { ObjectCache } from './object-cache.js';
import { classified } from './outcome-class.js';
import type { Classification } from './outcome-class.js';
import { runnerOf } from './pod-status.js';
import { isTerminal } from './rank-observation.js';
import type { RankObservation } from './rank-observation.js';
import { resourcePath } from './resource-path.js';
import { seenJob, seenPod } from './seen-objects.js';
import { overdueOf } from './timings.js';
import { newRank, trackRank } from './track-rank.js';
import type { TrackedRank } from './track-rank.js';

/** What executions are run with. */
export interface ExecutionDeps {
  connection: KubeConnection;
  /** Filled by watches of the namespace's Jobs and pods. */
  jobs: ObjectCache;
  pods: ObjectCache;
  make: Omit<MakeOptions, 'signal'>;
  /** Monotonic seconds. */
  now: () => number;
}

export interface RunOptions {
  /** Objects are stamped with this moment, after which the janitor may take them. */
  notAfter: Date;
  signal: AbortSignal;
  onProgress: (heartbeat: Heartbeat) => void;
}

/** What came of an execution of one rank. */
export interface RankResult {
  classification: Classification;
  /** The evidence stream; null unless it may be judged. */
  evidence: Buffer | null;
  scriptSeconds: number;
  nodeName: string | null;
}

/** Caches are looked at after each change, and at least this often. */
const LOOK_MILLISECONDS = 1_000;
const UNMEASURED: RankObservation['node'] = { xids: [], nvmlLost: false, sharedMemoryFull: false, memoryShare: null };

/**
 * Runs an execution of one rank to its end: makes what it needs or takes what is there, waits, reads the log and classifies. The objects
 * stay until `deleteExecution`, so that a result that could not be stored can be read again.
 *
 * @throws AppError `config-invalid` for a specification that cannot be carried out, `internal` where the server refuses its objects,
 * `cluster-unreachable` where the server cannot be asked.
 */
export async function runExecution(deps: ExecutionDeps, spec: ExecutionSpec, options: RunOptions): Promise<RankResult> {
  if (spec.ranks !== 1) throw new AppError('config-invalid', 'executions of several ranks are not run yet');
  const objects = executionObjects(spec, options.notAfter);
  const short = await ensure(deps, objects, options.signal);
  if (short !== null) return { classification: short, evidence: null, scriptSeconds: 0, nodeName: null };
  const watched = await awaitRank(deps, spec, { objects, options });
  const reader = await readWhole(deps, spec, { watched, signal: options.signal });
  const classification = classifyOutcome(observe(deps, spec, { ...watched, reader }));
  return {
    classification,
    evidence: classification.outcome === 'finished' ? (reader?.evidence() ?? null) : null,
    scriptSeconds: reader?.scriptSeconds() ?? 0,
    nodeName: watched.rank.nodeName,
  };
}

/**
 * Deletes an execution with all that belongs to it.
 *
 * @throws AppError `cluster-unreachable`, also where the server refuses.
 */
export async function deleteExecution(deps: Pick<ExecutionDeps, 'connection' | 'make'>, namespace: string, name: string): Promise<void> {
  const answer = await sendRequest(deps.connection, {
    method: 'DELETE',
    path: resourcePath('configmaps', namespace, name),
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
    timeoutMilliseconds: deps.make.timeoutMilliseconds,
  });
  if (answer.failure !== null && answer.status !== 404)
    throw new AppError('cluster-unreachable', `execution ${name} could not be deleted: ${answer.failure.message}`);
}

/** Makes the objects in their order. Null when all are there, else why there can be no execution. */
async function ensure(deps: ExecutionDeps, objects: ExecutionObjects, signal: AbortSignal): Promise<Classification | null> {
  const options = { ...deps.make, signal };
  const root = await createOrAdopt(deps.connection, objects.root, options);
  if (!('uid' in root)) return shortOf(root);
  const owner = { name: objects.name, uid: root.uid };
  const rest: (Manifest | null)[] = [...objects.parts, objects.service, objects.policy, objects.job];
  for (const manifest of rest) {
    const made = manifest === null ? null : await createOrAdopt(deps.connection, ownedBy(manifest, owner), options);
    if (made !== null && !('uid' in made)) return shortOf(made);
  }
  return null;
}

function shortOf(made: Exclude<Made, { uid: string }>): Classification {
  return made.made === 'lost' ? classified('infra-lost', 'its objects are being deleted') : classified('capacity', made.words);
}

interface Watched {
  rank: TrackedRank;
  reader: FrameReader | null;
  refusals: string[];
}

/** Looks at the rank whenever something changes, and follows its log from the moment that it runs. */
async function awaitRank(
  deps: ExecutionDeps,
  spec: ExecutionSpec,
  { objects, options }: { objects: ExecutionObjects; options: RunOptions },
): Promise<Watched> {
  const { name } = objects;
  const watched: Watched = { rank: newRank(deps.now()), reader: null, refusals: [] };
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  let wake: () => void = () => undefined;
  const unsubscribe = [deps.jobs, deps.pods].map((cache) => cache.subscribe(name, () => wake()));
  let following = false;
  try {
    for (;;) {
      options.signal.throwIfAborted();
      const [job] = deps.jobs.of(name).map(seenJob);
      watched.rank = trackRank(watched.rank, { job: job ?? null, pods: deps.pods.of(name).map(seenPod) }, deps.now());
      const { podName, milestones } = watched.rank;
      if (!following && podName !== null && milestones.running !== null) {
        following = true;
        void followLog(deps.connection, sourceOf(spec, podName, signal), (reader) => {
          watched.reader = reader;
          const heartbeat = reader.heartbeat();
          if (heartbeat !== null) options.onProgress(heartbeat);
          if (reader.end().state === 'whole') wake();
        });
      }
      if (isTerminal(observe(deps, spec, watched))) break;
      await new Promise<void>((settle) => {
        wake = settle;
        void sleep(LOOK_MILLISECONDS, undefined, { signal: options.signal }).then(settle, settle);
      });
    }
  } finally {
    stop.abort();
    for (const leave of unsubscribe) leave();
  }
  if (watched.rank.ranPodUid === null) watched.refusals = await listRefusals(deps, spec, name);
  return watched;
}

/** The followed log where it is whole, else one that is read from its beginning. */
async function readWhole(
  deps: ExecutionDeps,
  spec: ExecutionSpec,
  { watched, signal }: { watched: Watched; signal: AbortSignal },
): Promise<FrameReader | null> {
  if (watched.reader?.end().state === 'whole') return watched.reader;
  const { podName, ranPodUid } = watched.rank;
  if (podName === null || ranPodUid === null || watched.rank.gone) return watched.reader;
  const exitCode = runnerOf(watched.rank.pod)?.state?.terminated?.exitCode;
  return await collectLog(deps.connection, sourceOf(spec, podName, signal), exitCode === 0);
}

function sourceOf(spec: ExecutionSpec, pod: string, signal: AbortSignal): Parameters<typeof collectLog>[1] {
  // Three heartbeats may be lost, or late.
  const silenceMilliseconds = Math.max(10, 3 * spec.timings.heartbeatSeconds) * 1000;
  return { namespace: spec.key.namespace, pod, nonce: spec.nonce, silenceMilliseconds, signal };
}

function observe(deps: ExecutionDeps, spec: ExecutionSpec, { rank, reader, refusals }: Watched): RankObservation {
  const gpu = spec.pool.gpus > 0;
  const runtime = spec.pool.runtimeClass;
  return {
    cancelled: false,
    gone: rank.gone,
    job: rank.job,
    ranPodUid: rank.ranPodUid,
    laterPodUids: rank.laterPodUids,
    pod: rank.pod,
    end: reader?.end() ?? { state: 'missing' },
    overdue: overdueOf(rank.milestones, deps.now(), { timings: spec.timings, gpu, wallSeconds: spec.run.launch.limits.wallSeconds }),
    refusals,
    workloadInactive: false,
    runtime: runtime === 'gvisor' || runtime === 'kata' ? runtime : 'runc',
    node: { ...UNMEASURED, memoryShare: reader?.heartbeat()?.memoryShare ?? null },
  };
}

/** Why the Job's controller could make no pod, as its events say; they live for an hour. */
async function listRefusals(deps: ExecutionDeps, spec: ExecutionSpec, job: string): Promise<string[]> {
  const answer = await sendRequest(deps.connection, {
    method: 'GET',
    path: resourcePath('events', spec.key.namespace),
    query: { fieldSelector: `involvedObject.name=${job},reason=FailedCreate`, limit: '20' },
    timeoutMilliseconds: deps.make.timeoutMilliseconds,
  });
  const { items } = (answer.body ?? {}) as { items?: { message?: unknown }[] };
  return (items ?? []).flatMap(({ message }) => (typeof message === 'string' ? [message] : []));
}
