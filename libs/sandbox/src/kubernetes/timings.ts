import type { Overdue } from './rank-observation.js';

/** Every duration of an execution in a cluster, in seconds. */
export interface Timings {
  /** From the Job to its first pod; then its events are asked why. */
  creationSeconds: number;
  /** From a pod to its node; long enough for an autoscaler. */
  schedulingSeconds: number;
  /** From the node to the running container; images of GPU frameworks are large. */
  startSeconds: { cpu: number; gpu: number };
  /** How long after the end of the script's own time the END frame may take. */
  endFrameSeconds: number;
  /** How long a network's policies may take until they are in force for a new pod. */
  policySeconds: number;
  /** How long ranks may outlive one that failed. */
  peerGraceSeconds: number;
  /** How long the other pods of an execution may take to end after the first: a slow start of one, and all that supervisors wait for. */
  drainSeconds: number;
  /** How long supervisors look for each other before a trial of several pods: as long as the slowest may need for node and image. */
  joinSeconds: number;
  /** Between two signs of life that supervisors give each other. */
  sideBeatSeconds: number;
  /** Silence of a supervisor after which the others give it up. */
  peerLostSeconds: number;
  /** From SIGTERM to SIGKILL: dumps, last frames and some reserve. */
  terminationGraceSeconds: number;
  /** Between two frames that say that a supervisor is alive. */
  heartbeatSeconds: number;
  /** What the Job's deadline adds to start-up and run; it guards the cost only. */
  deadlineReserveSeconds: number;
  /** How long finished Jobs stay when nothing deletes them: longer than an outage that is to be survived. */
  keepFinishedSeconds: number;
  /** How long pods stay on a node that does not answer. */
  unreachableSeconds: number;
}

export const PRODUCTION_TIMINGS: Timings = {
  creationSeconds: 60,
  schedulingSeconds: 900,
  startSeconds: { cpu: 300, gpu: 900 },
  endFrameSeconds: 120,
  policySeconds: 10,
  peerGraceSeconds: 20,
  drainSeconds: 240,
  joinSeconds: 600,
  sideBeatSeconds: 2,
  peerLostSeconds: 30,
  terminationGraceSeconds: 45,
  heartbeatSeconds: 10,
  deadlineReserveSeconds: 600,
  keepFinishedSeconds: 21_600,
  unreachableSeconds: 300,
};

/** The same, short: for tests against a real cluster. */
export const TEST_TIMINGS: Timings = {
  creationSeconds: 15,
  schedulingSeconds: 20,
  startSeconds: { cpu: 30, gpu: 30 },
  endFrameSeconds: 20,
  policySeconds: 5,
  peerGraceSeconds: 5,
  drainSeconds: 60,
  joinSeconds: 30,
  sideBeatSeconds: 1,
  peerLostSeconds: 10,
  terminationGraceSeconds: 8,
  heartbeatSeconds: 2,
  deadlineReserveSeconds: 20,
  keepFinishedSeconds: 600,
  unreachableSeconds: 5,
};

/** When the executor's own clock saw a rank reach a state, in seconds; null = not yet. */
export interface Milestones {
  created: number;
  podSeen: number | null;
  bound: number | null;
  running: number | null;
}

/**
 * Which of a rank's clocks has run out at `nowSeconds`. Each state is given its own time from the moment it was seen, so that a
 * controller or kubelet that lags takes nothing from the next.
 *
 * @param wallSeconds the script's own time limit.
 * @param several whether pods wait for each other before the script begins.
 */
export function overdueOf(
  milestones: Milestones,
  nowSeconds: number,
  { timings, gpu, wallSeconds, several = false }: { timings: Timings; gpu: boolean; wallSeconds: number; several?: boolean },
): Overdue {
  const { created, podSeen, bound, running } = milestones;
  if (running !== null) return nowSeconds - running > runSeconds(timings, wallSeconds, several) ? 'run' : 'none';
  if (bound !== null) return nowSeconds - bound > timings.startSeconds[gpu ? 'gpu' : 'cpu'] ? 'start' : 'none';
  if (podSeen !== null) return nowSeconds - podSeen > timings.schedulingSeconds ? 'scheduling' : 'none';
  return nowSeconds - created > timings.creationSeconds ? 'creation' : 'none';
}

/** What a running pod may take until its END frame is there. */
function runSeconds(timings: Timings, wallSeconds: number, several: boolean): number {
  return wallSeconds + timings.endFrameSeconds + (several ? timings.joinSeconds + timings.peerGraceSeconds : 0);
}

/** Seconds after which the cluster itself ends a Job: a guard of the cost, beyond everything that the executor's own clocks allow. */
export function deadlineSeconds(
  timings: Timings,
  { gpu, wallSeconds, several }: { gpu: boolean; wallSeconds: number; several: boolean },
): number {
  const start = timings.schedulingSeconds + timings.startSeconds[gpu ? 'gpu' : 'cpu'];
  return Math.ceil(start + runSeconds(timings, wallSeconds, several) + timings.deadlineReserveSeconds);
}
