import { AppError, contentId } from '@reenact/domain';
import { executionName, labelDigest, partName, rankHost, shardOf } from './execution-names.js';
import { checkSpec } from './execution-spec.js';
import type { ExecutionSpec } from './execution-spec.js';
import { LABELS, OURS } from './labels.js';
import type { ConfigMapManifest, JobManifest, Manifest, NetworkPolicyManifest, ObjectMeta, ServiceManifest } from './manifest.js';
import { CONFIG_MAP_BYTES, cutPayload, planOf } from './payload-parts.js';
import type { PayloadPart } from './payload-parts.js';
import { nodeNeeds, POD_PATHS, RANK_PORTS, runJob } from './run-job.js';

/** Room for what a pod is told of the canary. */
const CANARY_BYTES = 2048;

/** The objects of an execution in the order in which they are made: the root owns all others, the Job comes when all else is there. */
export interface ExecutionObjects {
  name: string;
  /** SHA-256 over everything below but clocks, owners and the canary's address, hex: equal for a repeated request, whoever makes it. */
  fingerprint: string;
  root: ConfigMapManifest;
  parts: ConfigMapManifest[];
  service: ServiceManifest | null;
  policy: NetworkPolicyManifest | null;
  job: JobManifest;
}

/**
 * All objects of an execution, without owner references; a pure function of the specification and, for the annotation that the janitor
 * reads, of the moment after which nobody needs it any more.
 *
 * @throws AppError `config-invalid` where the specification cannot be carried out.
 */
export function executionObjects(spec: ExecutionSpec, notAfter: Date): ExecutionObjects {
  checkSpec(spec);
  const name = executionName(spec.key);
  const cut = cutPayload(spec.payload);
  const runConfig = runJson(spec, name, cut);
  if (Buffer.byteLength(runConfig) > CONFIG_MAP_BYTES)
    throw new AppError('config-invalid', `launch and variables are too large for a pod's configuration (${CONFIG_MAP_BYTES} bytes)`);
  // The canary may have moved between two requests for the same execution: nothing but the address may follow from it.
  const lastingConfig = runJson({ ...spec, canary: null }, name, cut);
  const fits = cut.length === 1 && Buffer.byteLength(lastingConfig) + CANARY_BYTES + spec.payload.length <= CONFIG_MAP_BYTES;
  const own = fits ? cut : [];
  const parts = (fits ? [] : cut).map((part, index) => configMap(metadata(spec, partName(name, index)), {}, [part]));
  const several = spec.ranks > 1;
  const objects = {
    root: configMap(metadata(spec, name), { 'run.json': runConfig }, own),
    parts,
    service: several ? rankService(metadata(spec, name), name) : null,
    policy: several ? rankPolicy(metadata(spec, name), name) : null,
    job: runJob(spec, { execution: name, parts: parts.length }, metadata(spec, name)),
  };
  const fingerprint = contentId({ ...objects, root: { ...objects.root, data: { 'run.json': lastingConfig } } });
  const stamp = <T extends Manifest>(manifest: T): T => annotated(manifest, fingerprint, notAfter);
  return {
    name,
    fingerprint,
    root: stamp(objects.root),
    parts: objects.parts.map(stamp),
    service: objects.service === null ? null : stamp(objects.service),
    policy: objects.policy === null ? null : stamp(objects.policy),
    job: stamp(objects.job),
  };
}

/** The same object, owned by the root: who deletes that deletes all. */
export function ownedBy<T extends Manifest>(manifest: T, root: { name: string; uid: string }): T {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', ...root, controller: false, blockOwnerDeletion: false };
  return { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [owner] } };
}

function runJson(spec: ExecutionSpec, name: string, cut: PayloadPart[]): string {
  return JSON.stringify({
    version: 1,
    executionId: name,
    input: POD_PATHS.input,
    scratch: POD_PATHS.scratch,
    heartbeatSeconds: spec.timings.heartbeatSeconds,
    payload: planOf(spec.payload, cut),
    run: spec.run,
    node: nodeNeeds(spec),
    canary: spec.canary,
    ranks: spec.ranks === 1 ? null : ranksJson(spec, name),
  });
}

/** What the supervisors of several pods need to find each other, as `supervisor/reenact_supervisor/pod/group.py` reads it. */
function ranksJson({ key, ranks, clusterDomain, timings }: ExecutionSpec, name: string): Record<string, unknown> {
  return {
    hosts: Array.from({ length: ranks }, (_, rank) => rankHost(name, rank, { namespace: key.namespace, clusterDomain })),
    masterPort: RANK_PORTS.master,
    sidePort: RANK_PORTS.side,
    joinSeconds: timings.joinSeconds,
    beatSeconds: timings.sideBeatSeconds,
    lostSeconds: timings.peerLostSeconds,
    peerGraceSeconds: timings.peerGraceSeconds,
  };
}

function metadata({ key, pool }: ExecutionSpec, name: string): ObjectMeta {
  const execution = executionName(key);
  return {
    name,
    namespace: key.namespace,
    labels: {
      [LABELS.application]: OURS.application,
      [LABELS.managedBy]: OURS.managedBy,
      [LABELS.execution]: execution,
      [LABELS.workflow]: labelDigest(key.workflowId),
      [LABELS.runToken]: key.runToken,
      [LABELS.arm]: key.arm,
      [LABELS.trial]: key.trial,
      [LABELS.infraAttempt]: String(key.infraAttempt),
      [LABELS.pool]: pool.name,
      [LABELS.shard]: shardOf(execution),
    },
    annotations: { [LABELS.workflowId]: key.workflowId },
  };
}

function annotated<T extends Manifest>(manifest: T, fingerprint: string, notAfter: Date): T {
  const annotations = { ...manifest.metadata.annotations, [LABELS.fingerprint]: fingerprint, [LABELS.notAfter]: notAfter.toISOString() };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

function configMap(meta: ObjectMeta, data: Record<string, string>, parts: PayloadPart[]): ConfigMapManifest {
  const binaryData = Object.fromEntries(parts.map(({ file, bytes }) => [file, Buffer.from(bytes).toString('base64')]));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, immutable: true, data, binaryData };
}

/** Names of the ranks' pods, also before they are ready: the supervisors wait for each other by them. */
function rankService(meta: ObjectMeta, execution: string): ServiceManifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta,
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { [LABELS.execution]: execution },
      ports: [
        { name: 'master', port: RANK_PORTS.master },
        { name: 'side', port: RANK_PORTS.side },
      ],
    },
  };
}

/** The ranks may talk with each other and with nobody else. */
function rankPolicy(meta: ObjectMeta, execution: string): NetworkPolicyManifest {
  const own = { podSelector: { matchLabels: { [LABELS.execution]: execution } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: meta,
    spec: { podSelector: own.podSelector, policyTypes: ['Ingress', 'Egress'], ingress: [{ from: [own] }], egress: [{ to: [own] }] },
  };
}
