import { classifyOutcome } from './classify-outcome.js';
import { collectLog, followLog } from './collect-log.js';
import type { LogSource } from './collect-log.js';
import type { ExecutionSpec } from './execution-spec.js';
import type { FrameReader, Heartbeat } from './frame-reader.js';
import type { PodRun } from './join-ranks.js';
import type { KubeConnection } from './kube-connection.js';
import { runnerOf } from './pod-status.js';
import { hasFinished, isTerminal } from './rank-observation.js';
import type { Overdue, RankObservation } from './rank-observation.js';
import { overdueOf } from './timings.js';
import { newRank, trackRank } from './track-rank.js';
import type { SeenJob, SeenPod, TrackedRank } from './track-rank.js';

/** One pod of an execution, from its making to its outcome. */
export interface RankWatch {
  /** Takes another look; whether nothing more will come of it. */
  look(seen: { job: SeenJob | null; pods: SeenPod[] }): boolean;
  /** Gives up waiting: what has not ended by now has ended for want of time. */
  giveUp(): void;
  /** Why its Job could make no pod, where it made none. */
  refuse(messages: string[]): void;
  readonly hasPod: boolean;
  /** Reads what is not read yet and classifies. */
  finish(signal: AbortSignal): Promise<PodRun & { scriptSeconds: number; nodeName: string | null }>;
}

export interface RankWatchDeps {
  connection: KubeConnection;
  /** Monotonic seconds. */
  now: () => number;
  /** Called when the log said that it is whole, which no watch tells. */
  wake: () => void;
  onProgress: (heartbeat: Heartbeat) => void;
  /** Ends what is followed. */
  signal: AbortSignal;
}

const UNMEASURED: RankObservation['node'] = { xids: [], nvmlLost: false, sharedMemoryFull: false, memoryShare: null };

/** Watches a rank whose Job was just made, and follows its log from the moment that it runs. */
export function createRankWatch(spec: ExecutionSpec, rank: number, deps: RankWatchDeps): RankWatch {
  const log = createRankLog(spec, deps);
  let tracked: TrackedRank = newRank(deps.now());
  let hasGivenUp = false;
  let refusals: string[] = [];
  let endedAtSeconds: number | null = null;
  const overdue = (): Overdue => {
    if (hasGivenUp) return 'run';
    const clocks = { gpu: spec.pool.gpus > 0, wallSeconds: spec.run.launch.limits.wallSeconds, several: spec.ranks > 1 };
    return overdueOf(tracked.milestones, deps.now(), { timings: spec.timings, ...clocks });
  };
  const observe = (): RankObservation => observationOf(spec, { tracked, reader: log.reader, overdue: overdue(), refusals });
  return {
    look(seen) {
      tracked = trackRank(tracked, seen, deps.now());
      if (tracked.podName !== null && tracked.milestones.running !== null) log.follow(tracked.podName);
      const isOver = isTerminal(observe());
      if (isOver) endedAtSeconds ??= deps.now();
      return isOver;
    },
    giveUp() {
      hasGivenUp = true;
    },
    refuse(messages) {
      refusals = messages;
    },
    get hasPod() {
      return tracked.podUid !== null;
    },
    async finish(signal) {
      await log.readRest(tracked, signal);
      const seen = observe();
      const classification = classifyOutcome(seen);
      const evidence = classification.outcome === 'finished' && hasFinished(seen) ? (log.reader?.evidence() ?? null) : null;
      return {
        rank,
        classification,
        evidence,
        endedAtSeconds,
        scriptSeconds: log.reader?.scriptSeconds() ?? 0,
        nodeName: tracked.nodeName,
      };
    },
  };
}

/** What a rank's supervisor has said: followed while it runs, read from the beginning where that broke off. */
interface RankLog {
  readonly reader: FrameReader | null;
  follow(pod: string): void;
  readRest(tracked: TrackedRank, signal: AbortSignal): Promise<void>;
}

function createRankLog(spec: ExecutionSpec, { connection, onProgress, wake, signal: following }: RankWatchDeps): RankLog {
  let reader: FrameReader | null = null;
  let isFollowed = false;
  const source = (pod: string, signal: AbortSignal): LogSource => ({
    namespace: spec.key.namespace,
    pod,
    nonce: spec.nonce,
    // Three heartbeats may be lost, or late.
    silenceMilliseconds: Math.max(10, 3 * spec.timings.heartbeatSeconds) * 1000,
    signal,
  });
  return {
    get reader() {
      return reader;
    },
    follow(pod) {
      if (isFollowed) return;
      isFollowed = true;
      void followLog(connection, source(pod, following), (now) => {
        reader = now;
        const heartbeat = now.heartbeat();
        if (heartbeat !== null) onProgress(heartbeat);
        if (now.end().state === 'whole') wake();
      });
    },
    async readRest({ podName, ranPodUid, gone, pod }, signal) {
      if (reader?.end().state === 'whole' || podName === null || ranPodUid === null || gone) return;
      const exitCode = runnerOf(pod)?.state?.terminated?.exitCode;
      reader = await collectLog(connection, source(podName, signal), exitCode === 0);
    },
  };
}

interface Known {
  tracked: TrackedRank;
  reader: FrameReader | null;
  overdue: Overdue;
  refusals: string[];
}

function observationOf(spec: ExecutionSpec, { tracked, reader, overdue, refusals }: Known): RankObservation {
  const { runtimeClass } = spec.pool;
  return {
    cancelled: false,
    gone: tracked.gone,
    job: tracked.job,
    ranPodUid: tracked.ranPodUid,
    laterPodUids: tracked.laterPodUids,
    pod: tracked.pod,
    end: reader?.end() ?? { state: 'missing' },
    overdue,
    refusals,
    workloadInactive: false,
    runtime: runtimeClass === 'gvisor' || runtimeClass === 'kata' ? runtimeClass : 'runc',
    node: { ...UNMEASURED, memoryShare: reader?.heartbeat()?.memoryShare ?? null },
  };
}
