import type { SandboxOutcome } from '@reenact/domain';

/** What the executor does after an outcome of a class. */
export type NextStep =
  /** Nothing: the trial is over. */
  | 'none'
  /** The trial once more, on another node where there is one. */
  | 'repeat'
  /** Once more when there is room. */
  | 'repeat-later'
  /** Once more with twice the memory or disk: what was exhausted must be seen by the supervisor before it counts. */
  | 'repeat-larger'
  /** A person has to mend something first. */
  | 'mend';

/**
 * How an execution in a cluster ended, as one closed list. The only class whose evidence may be judged is `script`; every other one is the
 * platform's fault, or cannot be told from it, and counts neither as shown nor as absent.
 */
export const OUTCOME_CLASSES = {
  cancelled: { outcome: 'cancelled', next: 'none' },
  'infra-lost': { outcome: 'infra', next: 'repeat' },
  'infra-preempted': { outcome: 'infra', next: 'repeat' },
  'infra-duplicate': { outcome: 'infra', next: 'repeat' },
  'infra-disrupted': { outcome: 'infra', next: 'repeat' },
  'infra-node-admission': { outcome: 'infra', next: 'repeat' },
  'infra-image': { outcome: 'infra', next: 'repeat-later' },
  config: { outcome: 'infra', next: 'mend' },
  capacity: { outcome: 'infra', next: 'repeat-later' },
  harness: { outcome: 'infra', next: 'repeat' },
  'infra-gpu': { outcome: 'infra', next: 'repeat' },
  'infra-net': { outcome: 'infra', next: 'repeat' },
  'infra-isolation': { outcome: 'infra', next: 'repeat' },
  'infra-node-pressure': { outcome: 'infra', next: 'repeat' },
  'script-disk': { outcome: 'infra', next: 'repeat-larger' },
  script: { outcome: 'finished', next: 'none' },
  'resource-misfit': { outcome: 'infra', next: 'repeat-larger' },
  'script-oom-host': { outcome: 'infra', next: 'repeat-larger' },
  'oom-suspect': { outcome: 'infra', next: 'repeat-larger' },
  'infra-stopped': { outcome: 'infra', next: 'repeat' },
  'supervisor-lost': { outcome: 'infra', next: 'repeat' },
  'infra-sigkill-unknown': { outcome: 'infra', next: 'repeat' },
  'log-incomplete': { outcome: 'infra', next: 'repeat' },
  'infra-control-plane': { outcome: 'infra', next: 'repeat' },
  'infra-unknown': { outcome: 'infra', next: 'repeat' },
} as const satisfies Record<string, { outcome: SandboxOutcome['outcome']; next: NextStep }>;

export type OutcomeClass = keyof typeof OUTCOME_CLASSES;

/** A class with what it means to the domain: `outcome` is what the trial's record says. */
export interface Classification {
  class: OutcomeClass;
  outcome: SandboxOutcome['outcome'];
  next: NextStep;
  /** For people: what was seen, with the cluster's own words, cut to 300 characters. */
  detail: string;
}

const DETAIL_CHARACTERS = 300;

/** A classification with its row of the table. Control characters of the cluster's words become spaces. */
export function classified(name: OutcomeClass, detail: string): Classification {
  // eslint-disable-next-line no-control-regex -- they come from outside and end in a terminal
  const printable = detail.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, DETAIL_CHARACTERS);
  return { class: name, ...OUTCOME_CLASSES[name], detail: printable };
}
