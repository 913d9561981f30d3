/** Names of the labels and annotations of executions: the one list that builders, watches and the janitor share. */
export const LABELS = {
  application: 'app.kubernetes.io/name',
  managedBy: 'app.kubernetes.io/managed-by',
  execution: 'reenact.dev/execution-id',
  workflow: 'reenact.dev/workflow',
  runToken: 'reenact.dev/run-token',
  arm: 'reenact.dev/arm',
  trial: 'reenact.dev/trial',
  infraAttempt: 'reenact.dev/infra-attempt',
  pool: 'reenact.dev/resource-class',
  shard: 'reenact.dev/shard',
  /** Of pods only: which of the namespace's policies apply. */
  network: 'reenact.dev/net-profile',
  queue: 'kueue.x-k8s.io/queue-name',
  /** Set by the Job controller on pods. */
  index: 'batch.kubernetes.io/job-completion-index',
  /** Of nodes: the pool that they belong to. */
  nodePool: 'reenact.dev/pool',
  // annotations
  fingerprint: 'reenact.dev/spec-sha256',
  workflowId: 'reenact.dev/workflow-id',
  notAfter: 'reenact.dev/not-after',
  nonce: 'reenact.dev/nonce',
} as const;

/** Values of `LABELS.application` and `LABELS.managedBy`, by which everything of ours is found. */
export const OURS = { application: 'reenact-run', managedBy: 'reenact-executor' } as const;

/** Values of `LABELS.network`: nothing goes in or out, or ranks of one execution reach each other and the resolver. */
export const NETWORK_PROFILES = { isolated: 'isolated', ranks: 'ranks' } as const;

/** Taint of nodes on which nothing but runs is to be; its value is `true`. */
export const UNTRUSTED_TAINT = 'reenact.dev/untrusted';
