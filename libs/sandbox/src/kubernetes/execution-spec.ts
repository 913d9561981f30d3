import { AppError } from '@reenact/domain';
import type { Launch, PoolPlacement, RunImage } from '@reenact/domain';
import { DIGEST_REFERENCE, DNS_LABEL, LABEL_VALUE } from '@reenact/domain/schemas';
import type { CanaryCheck } from './canary.js';
import type { ExecutionKey } from './execution-names.js';
import type { Timings } from './timings.js';

/** What the supervisor in a pod is told, beside the payload. */
export interface PodRun {
  /** As in `TrialRequest` of the domain. */
  launch: Launch;
  importRoots: string[];
  interpreter: string;
  coverage: string[] | null;
  load?: number;
  probe?: string[];
}

/** Everything that an execution's objects are made from. */
export interface ExecutionSpec {
  key: ExecutionKey;
  /** Pods; one has no Service and no policy of its own. */
  ranks: number;
  /** Environment, supervisor and probe. */
  image: RunImage;
  pool: PoolPlacement;
  run: PodRun;
  /** Archive of `script/` and `subject/`, equal bytes for equal trees. */
  payload: Uint8Array;
  nonce: string;
  serviceAccount: string;
  clusterDomain: string;
  /** What a pod must not reach; null = its isolation stays unproven, and the evidence says so. */
  canary: CanaryCheck | null;
  /** Room beyond the trial's own limits; doubled where an execution ended for want of it. */
  headroom: 1 | 2;
  timings: Timings;
}

/**
 * Refuses what would make an object that a server turns away, or one that is not the one that was meant.
 *
 * @throws AppError `config-invalid`, with everything that is wrong.
 */
export function checkSpec(spec: ExecutionSpec): void {
  const problems = [
    [DIGEST_REFERENCE.test(spec.image.image), `the image is named by its digest, not ${JSON.stringify(spec.image.image.slice(0, 200))}`],
    [DNS_LABEL.test(spec.key.namespace), `${JSON.stringify(spec.key.namespace)} is no name of a namespace`],
    [DNS_LABEL.test(spec.serviceAccount), `${JSON.stringify(spec.serviceAccount)} is no name of a service account`],
    [LABEL_VALUE.test(spec.key.trial), `${JSON.stringify(spec.key.trial)} is no id of a trial`],
    [LABEL_VALUE.test(spec.key.runToken), 'the run token is no value of a label'],
    [LABEL_VALUE.test(spec.pool.name), `${JSON.stringify(spec.pool.name)} is no name of a pool`],
    [Number.isInteger(spec.ranks) && spec.ranks >= 1 && spec.ranks <= 64, `1 to 64 ranks, not ${spec.ranks}`],
    [unevenStep(spec) === null, `the ranks of step ${unevenStep(spec)} do not spread evenly over ${spec.ranks} pods`],
    [spec.image.supervisorPython.startsWith('/'), `the supervisor’s interpreter is an absolute path, not ${spec.image.supervisorPython}`],
    [!spec.run.launch.network, 'the launch asks for a network, and a run pod has no way out of the cluster'],
  ] satisfies [boolean, string][];
  const wrong = problems.filter(([isRight]) => !isRight).map(([, words]) => words);
  if (wrong.length > 0) throw new AppError('config-invalid', `the execution cannot be made in a cluster: ${wrong.join('; ')}`);
}

/** Index of a step whose ranks are neither one nor equally many for every pod; null = there is none. */
function unevenStep({ ranks, run }: ExecutionSpec): number | null {
  const index = run.launch.steps.findIndex((step) => step.ranks !== 1 && step.ranks % ranks !== 0);
  return index === -1 ? null : index;
}
