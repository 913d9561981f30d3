import { setTimeout as sleep } from 'node:timers/promises';
import { createOrAdopt } from './create-or-adopt.js';
import type { Made, MakeOptions } from './create-or-adopt.js';
import { deleteObject } from './delete-object.js';
import { executionObjects, ownedBy } from './execution-objects.js';
import type { ExecutionObjects } from './execution-objects.js';
import type { ExecutionSpec } from './execution-spec.js';
import type { Heartbeat } from './frame-reader.js';
import { joinRanks } from './join-ranks.js';
import type { KubeConnection } from './kube-connection.js';
import { sendRequest } from './kube-request.js';
import type { Manifest } from './manifest.js';
import type { ObjectCache } from './object-cache.js';
import { classified } from './outcome-class.js';
import type { Classification } from './outcome-class.js';
import { createRankWatch } from './rank-watch.js';
import type { RankWatch } from './rank-watch.js';
import { resourcePath } from './resource-path.js';
import { rankOf, seenJob, seenPod } from './seen-objects.js';

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

/** What came of an execution. */
export interface ExecutionResult {
  classification: Classification;
  /** One evidence stream of all pods; null unless it may be judged. */
  evidence: Uint8Array | null;
  /** How long the script ran, in seconds; of several pods the longest. */
  scriptSeconds: number;
  /** Nodes of the pods, by rank; null where it came to none. */
  nodeNames: (string | null)[];
}

/** Caches are looked at after each change, and at least this often. */
const LOOK_MILLISECONDS = 1_000;

/**
 * Runs an execution to its end: makes what it needs or takes what is there, waits, reads the logs, classifies and joins its pods. The
 * objects stay until `deleteExecution`, so that a result that could not be stored can be read again.
 *
 * @throws AppError `config-invalid` for a specification that cannot be carried out, `internal` where the server refuses its objects,
 * `cluster-unreachable` where the server cannot be asked; the signal's reason where it was aborted.
 */
export async function runExecution(deps: ExecutionDeps, spec: ExecutionSpec, options: RunOptions): Promise<ExecutionResult> {
  const objects = executionObjects(spec, options.notAfter);
  const short = await ensure(deps, objects, options.signal);
  if (short !== null) return { classification: short, evidence: null, scriptSeconds: 0, nodeNames: [] };
  const ranks = await awaitRanks(deps, spec, { name: objects.name, options });
  if (ranks.some(({ hasPod }) => !hasPod)) {
    const refusals = await listRefusals(deps, spec, objects.name);
    for (const rank of ranks) rank.refuse(refusals);
  }
  const runs = await Promise.all(ranks.map((rank) => rank.finish(options.signal)));
  return {
    ...joinRanks(runs),
    scriptSeconds: Math.max(...runs.map(({ scriptSeconds }) => scriptSeconds)),
    nodeNames: runs.map(({ nodeName }) => nodeName),
  };
}

/**
 * Deletes an execution with all that belongs to it.
 *
 * @throws AppError `cluster-unreachable`, also where the server refuses.
 */
export async function deleteExecution(deps: Pick<ExecutionDeps, 'connection' | 'make'>, namespace: string, name: string): Promise<void> {
  await deleteObject(deps.connection, { collection: 'configmaps', namespace, name }, deps.make.timeoutMilliseconds);
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

/** Looks at all ranks whenever something changes, until nothing more will come of any, or too long after the first that ended. */
async function awaitRanks(
  deps: ExecutionDeps,
  spec: ExecutionSpec,
  { name, options }: { name: string; options: RunOptions },
): Promise<RankWatch[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  let wake: () => void = () => undefined;
  const { connection, now } = deps;
  const ranks = Array.from({ length: spec.ranks }, (_, rank) =>
    createRankWatch(spec, rank, { connection, now, signal, wake: () => wake(), onProgress: options.onProgress }),
  );
  const unsubscribe = [deps.jobs, deps.pods].map((cache) => cache.subscribe(name, () => wake()));
  let firstEnd: number | null = null;
  try {
    for (;;) {
      options.signal.throwIfAborted();
      const [job = null] = deps.jobs.of(name).map(seenJob);
      const pods = deps.pods.of(name);
      const isOver = ranks.map((rank, index) => rank.look({ job, pods: pods.filter((pod) => rankOf(pod) === index).map(seenPod) }));
      if (isOver.every(Boolean)) return ranks;
      if (isOver.some(Boolean)) firstEnd ??= now();
      if (firstEnd !== null && now() - firstEnd > spec.timings.drainSeconds) ranks.forEach((rank) => rank.giveUp());
      await new Promise<void>((settle) => {
        wake = settle;
        void sleep(LOOK_MILLISECONDS, undefined, { signal: options.signal }).then(settle, settle);
      });
    }
  } finally {
    stop.abort();
    for (const leave of unsubscribe) leave();
  }
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
