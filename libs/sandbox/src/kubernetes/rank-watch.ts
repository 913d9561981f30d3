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
  let tracked: TrackedRank = newRank(deps.now());
  let reader: FrameReader | null = null;
  let isFollowed = false;
  let hasGivenUp = false;
  let refusals: string[] = [];
  let endedAtSeconds: number | null = null;

  const source = (pod: string, signal: AbortSignal): LogSource => ({
    namespace: spec.key.namespace,
    pod,
    nonce: spec.nonce,
    // Three heartbeats may be lost, or late.
    silenceMilliseconds: Math.max(10, 3 * spec.timings.heartbeatSeconds) * 1000,
    signal,
  });
  const overdue = (): Overdue => {
    if (hasGivenUp) return 'run';
    const clocks = { gpu: spec.pool.gpus > 0, wallSeconds: spec.run.launch.limits.wallSeconds, several: spec.ranks > 1 };
    return overdueOf(tracked.milestones, deps.now(), { timings: spec.timings, ...clocks });
  };
  const observe = (): RankObservation => observationOf(spec, { tracked, reader, overdue: overdue(), refusals });
  const follow = (pod: string): void => {
    isFollowed = true;
    void followLog(deps.connection, source(pod, deps.signal), (now) => {
      reader = now;
      const heartbeat = now.heartbeat();
      if (heartbeat !== null) deps.onProgress(heartbeat);
      if (now.end().state === 'whole') deps.wake();
    });
  };
  const readRest = async (signal: AbortSignal): Promise<void> => {
    const { podName, ranPodUid, gone, pod } = tracked;
    if (reader?.end().state === 'whole' || podName === null || ranPodUid === null || gone) return;
    const exitCode = runnerOf(pod)?.state?.terminated?.exitCode;
    reader = await collectLog(deps.connection, source(podName, signal), exitCode === 0);
  };

  return {
    look(seen) {
      tracked = trackRank(tracked, seen, deps.now());
      if (!isFollowed && tracked.podName !== null && tracked.milestones.running !== null) follow(tracked.podName);
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
      await readRest(signal);
      const seen = observe();
      const classification = classifyOutcome(seen);
      const evidence = classification.outcome === 'finished' && hasFinished(seen) ? (reader?.evidence() ?? null) : null;
      return { rank, classification, evidence, endedAtSeconds, scriptSeconds: reader?.scriptSeconds() ?? 0, nodeName: tracked.nodeName };
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
