/** Names of what `k8s/` installs in a cluster; `installation.spec.ts` holds the manifests to them. */
export const INSTALLATION = {
  systemNamespace: 'reenact-system',
  runNamespace: 'reenact-runs',
  /** Account of workers, in the system's namespace. */
  executorAccount: 'reenact-executor',
  /** Account of run pods, in the runs' namespace. */
  runAccount: 'reenact-run',
  /** Deployment and Service of the listener that run pods must not reach. */
  canary: 'reenact-canary',
  /** ConfigMap with the images and runtime classes that runs may use, in the system's namespace. */
  admissionParameters: 'reenact-admission',
  priorityClasses: ['reenact-run-normal', 'reenact-run-control'],
} as const;

/** Port on which the canary listens. */
export const CANARY_PORT = 29_377;
