import type { ExecutionSpec } from './execution-spec.js';
import { partName } from './execution-names.js';
import type { ContainerSpec, EnvironmentVariable, FailureRule, JobManifest, PodSpec, Toleration, Volume } from './manifest.js';
import { LABELS, NETWORK_PROFILES } from './labels.js';
import type { PodDemand } from './pool-catalogue.js';
import { RUNNER } from './pod-status.js';
import { SUPERVISOR_FAILURES, STOPPED_STATUS } from './classify-outcome.js';
import { deadlineSeconds } from './timings.js';

/** Unprivileged user and group of run pods; no file of an image belongs to them. */
export const RUN_ID = 10_001;
const MEBIBYTE = 1024 ** 2;
/** What the supervisor, the probe's channels and the evidence may take beside the trial's own limits. */
const SUPERVISOR_MEMORY_BYTES = 384 * MEBIBYTE;
const SUPERVISOR_DISK_BYTES = 1024 * MEBIBYTE;
const SHARED_MEMORY_BYTES = 8 * 1024 * MEBIBYTE;
const KILLED_STATUS = 137;

/** Where a run pod finds its things. */
export const POD_PATHS = { input: '/in', scratch: '/scratch', supervisor: '/opt/reenact/supervisor/pod.py' } as const;
/** Ports of the ranks: the script's rendezvous, and the supervisors' own channel. */
export const RANK_PORTS = { master: 29_500, side: 29_399 } as const;

/** The Job of an execution, without its owner. */
export function runJob(spec: ExecutionSpec, names: { execution: string; parts: number }, metadata: JobManifest['metadata']): JobManifest {
  const several = spec.ranks > 1;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: spec.pool.queue === null ? metadata : { ...metadata, labels: { ...metadata.labels, [LABELS.queue]: spec.pool.queue } },
    spec: {
      suspend: spec.pool.queue !== null,
      completionMode: 'Indexed',
      completions: spec.ranks,
      parallelism: spec.ranks,
      ...(several ? { backoffLimitPerIndex: 0 } : { backoffLimit: 0 }),
      podReplacementPolicy: 'Failed',
      activeDeadlineSeconds: deadlineSeconds(spec.timings, {
        gpu: spec.pool.gpus > 0,
        wallSeconds: spec.run.launch.limits.wallSeconds,
        several,
      }),
      ttlSecondsAfterFinished: spec.timings.keepFinishedSeconds,
      podFailurePolicy: { rules: failureRules(several ? 'FailIndex' : 'FailJob') },
      template: {
        metadata: {
          labels: { ...metadata.labels, [LABELS.network]: several ? NETWORK_PROFILES.ranks : NETWORK_PROFILES.isolated },
          annotations: {
            [LABELS.nonce]: spec.nonce,
            'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
            'karpenter.sh/do-not-disrupt': 'true',
          },
        },
        spec: podSpec(spec, names),
      },
    },
  };
}

/**
 * Every failure ends the Job, or the rank of several, and its condition keeps which rule it was: nothing is ever started again inside the
 * cluster. One rank of several must not end the others, whose own account is evidence.
 */
function failureRules(action: FailureRule['action']): FailureRule[] {
  const codes = [...Object.keys(SUPERVISOR_FAILURES).map(Number), STOPPED_STATUS].sort((one, other) => one - other);
  return [
    { action, onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    { action, onExitCodes: { containerName: RUNNER, operator: 'In', values: codes } },
    { action, onExitCodes: { containerName: RUNNER, operator: 'In', values: [KILLED_STATUS] } },
    { action, onExitCodes: { containerName: RUNNER, operator: 'NotIn', values: [0] } },
  ];
}

function podSpec(spec: ExecutionSpec, names: { execution: string; parts: number }): PodSpec {
  const { pool } = spec;
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    serviceAccountName: spec.serviceAccount,
    enableServiceLinks: false,
    ...(pool.runtimeClass === null ? {} : { runtimeClassName: pool.runtimeClass }),
    ...(pool.priorityClass === null ? {} : { priorityClassName: pool.priorityClass }),
    ...(spec.ranks > 1
      ? { ...spread(names.execution), subdomain: names.execution, dnsPolicy: 'ClusterFirst' }
      : { dnsPolicy: 'None', dnsConfig: NO_DNS }),
    terminationGracePeriodSeconds: spec.timings.terminationGraceSeconds,
    securityContext: {
      ...{ runAsNonRoot: true, runAsUser: RUN_ID, runAsGroup: RUN_ID, fsGroup: RUN_ID },
      fsGroupChangePolicy: 'OnRootMismatch',
      supplementalGroupsPolicy: 'Strict',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    nodeSelector: pool.nodeSelector,
    tolerations: [...poolTolerations(spec), ...nodeTolerations(spec.timings.unreachableSeconds)],
    containers: [runner(spec)],
    volumes: volumes(spec, names),
  };
}

/** Pods of one execution are put on different nodes where there are any, as those are that the reports tell of. */
function spread(execution: string): Pick<PodSpec, 'topologySpreadConstraints'> {
  const labelSelector = { matchLabels: { [LABELS.execution]: execution } };
  return {
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector }],
  };
}

/** A name server that nobody runs: a pod of one rank resolves nothing, so that no name carries anything out. */
const NO_DNS = { nameservers: ['127.0.0.1'] };

function poolTolerations({ pool }: ExecutionSpec): Toleration[] {
  return pool.tolerations.map(({ key, value }) =>
    value === null ? { key, operator: 'Exists', effect: 'NoSchedule' } : { key, operator: 'Equal', value, effect: 'NoSchedule' },
  );
}

function nodeTolerations(tolerationSeconds: number): Toleration[] {
  const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
  return keys.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }));
}

function runner(spec: ExecutionSpec): ContainerSpec {
  const resources = resourcesOf(spec);
  return {
    name: RUNNER,
    image: spec.image.image,
    imagePullPolicy: 'IfNotPresent',
    command: [spec.image.supervisorPython, '-I', '-S', '-B', POD_PATHS.supervisor, `${POD_PATHS.input}/run.json`],
    env: [
      fromField('REENACT_NONCE', `metadata.annotations['${LABELS.nonce}']`),
      fromField('REENACT_POD_UID', 'metadata.uid'),
      fromField('REENACT_NODE_RANK', `metadata.labels['${LABELS.index}']`),
      { name: 'HOME', value: POD_PATHS.scratch },
      { name: 'TMPDIR', value: POD_PATHS.scratch },
    ],
    terminationMessagePolicy: 'File',
    resources: { requests: resources, limits: resources },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      privileged: false,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'input', mountPath: POD_PATHS.input, readOnly: true },
      { name: 'scratch', mountPath: POD_PATHS.scratch },
      { name: 'shm', mountPath: '/dev/shm' },
      ...spec.image.volumes.map(({ mountPath }, index) => ({ name: claimName(index), mountPath, readOnly: true as const })),
    ],
  };
}

function fromField(name: string, fieldPath: string): EnvironmentVariable {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/**
 * Limits above those of the trial, so that the supervisor meets the trial's own first and tells of it. Requests are equal, so that a node
 * under pressure takes other pods before.
 */
function resourcesOf(spec: ExecutionSpec): Record<string, string> {
  const { pool } = spec;
  return {
    cpu: `${pool.cpuMillis}m`,
    memory: String(memoryBytes(spec)),
    'ephemeral-storage': String(scratchBytes(spec) + SUPERVISOR_DISK_BYTES),
    ...(pool.gpus > 0 ? { 'nvidia.com/gpu': String(pool.gpus) } : {}),
  };
}

function memoryBytes({ run, headroom }: Pick<ExecutionSpec, 'run' | 'headroom'>): number {
  return (run.launch.limits.memoryBytes + SUPERVISOR_MEMORY_BYTES) * headroom;
}

function scratchBytes({ run, headroom }: Pick<ExecutionSpec, 'run' | 'headroom'>): number {
  return (run.launch.limits.diskBytes + SUPERVISOR_DISK_BYTES) * headroom;
}

/** What an execution asks of a pool that gives each pod so many GPUs. */
export function podDemand(spec: Pick<ExecutionSpec, 'ranks' | 'run' | 'headroom'>, gpus: number): PodDemand {
  return { pods: spec.ranks, memoryBytes: memoryBytes(spec), diskBytes: scratchBytes(spec) + SUPERVISOR_DISK_BYTES, gpus };
}

/** What the supervisor holds the node to before it runs anything. */
export interface NodeNeeds {
  scratchBytes: number;
  sharedMemoryBytes: number;
  memoryBytes: number;
  gpus: number;
  /** A sandboxed runtime may show a pod no limits. */
  limitMayHide: boolean;
}

/** What a pod of this execution is given, by the same numbers that stand in its manifest. */
export function nodeNeeds(spec: ExecutionSpec): NodeNeeds {
  return {
    scratchBytes: scratchBytes(spec),
    sharedMemoryBytes: sharedMemoryBytes(spec),
    memoryBytes: memoryBytes(spec),
    gpus: spec.pool.gpus,
    limitMayHide: spec.pool.runtimeClass !== null,
  };
}

function sharedMemoryBytes(spec: ExecutionSpec): number {
  return Math.min(SHARED_MEMORY_BYTES, Math.floor(memoryBytes(spec) / 3));
}

function volumes(spec: ExecutionSpec, { execution, parts }: { execution: string; parts: number }): Volume[] {
  const maps = [execution, ...Array.from({ length: parts }, (_, part) => partName(execution, part))];
  return [
    { name: 'input', projected: { defaultMode: 0o444, sources: maps.map((name) => ({ configMap: { name } })) } },
    { name: 'scratch', emptyDir: { sizeLimit: String(scratchBytes(spec)) } },
    { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: String(sharedMemoryBytes(spec)) } },
    ...spec.image.volumes.map(({ claim }, index): Volume => ({
      name: claimName(index),
      persistentVolumeClaim: { claimName: claim, readOnly: true },
    })),
  ];
}

function claimName(index: number): string {
  return `claim-${index}`;
}
