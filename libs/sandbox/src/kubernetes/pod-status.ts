/** The part of a container's status that an outcome is read from, as the API server sends it. */
export interface ContainerStatus {
  name: string;
  state?: {
    waiting?: { reason?: string; message?: string };
    running?: { startedAt?: string };
    terminated?: TerminatedState;
  };
}

export interface TerminatedState {
  exitCode: number;
  signal?: number;
  reason?: string;
  /** What the container left in its termination message file, at most 4096 bytes. */
  message?: string;
  startedAt?: string | null;
  finishedAt?: string | null;
}

export interface StatusCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
}

/** The part of a pod's status that an outcome is read from. */
export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  conditions?: StatusCondition[];
  containerStatuses?: ContainerStatus[];
}

/** The container of a run pod that holds the supervisor; there is no other. */
export const RUNNER = 'runner';

/** The runner's status, or null where the kubelet has told none yet. */
export function runnerOf(pod: PodStatus | null): ContainerStatus | null {
  return pod?.containerStatuses?.find((status) => status.name === RUNNER) ?? null;
}

/** The condition of a type that is true, or null. */
export function trueCondition(conditions: readonly StatusCondition[] | undefined, type: string): StatusCondition | null {
  return conditions?.find((condition) => condition.type === type && condition.status === 'True') ?? null;
}

/** Whether the kubelet has told of the pod's end, with its reason. */
export function hasEnded(pod: Pick<PodStatus, 'phase'> | null): boolean {
  return pod?.phase === 'Failed' || pod?.phase === 'Succeeded';
}
