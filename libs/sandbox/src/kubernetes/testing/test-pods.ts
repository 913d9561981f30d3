/** What a test's pod runs, and where. */
export interface TestPod {
  image: string;
  /** Its program; the image's own waits. */
  command?: readonly string[];
  /** Name of the node; any, when it is left out. */
  node?: string;
  /** Name of the headless Service that it is found by. */
  subdomain?: string;
  /** Claims to mount, by the path inside. */
  claims?: Record<string, string>;
}

/** A pod without any protection, for tests of the cluster itself; it is labelled with its name. */
export function plainPod(name: string, pod: TestPod): object {
  return makePod(name, pod, null);
}

/** The same with all that the `restricted` profile of Pod Security asks for. */
export function restrictedPod(name: string, pod: TestPod): object {
  return makePod(name, pod, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: 10_001,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  });
}

function makePod(name: string, { image, command, node, subdomain, claims = {} }: TestPod, securityContext: object | null): object {
  const mounts = Object.entries(claims);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { name, ...(subdomain === undefined ? {} : { app: subdomain }) } },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      ...(node === undefined ? {} : { nodeName: node }),
      ...(subdomain === undefined ? {} : { hostname: name, subdomain }),
      containers: [
        {
          name: 'main',
          image,
          ...(command === undefined ? {} : { command }),
          ...(securityContext === null ? {} : { securityContext }),
          volumeMounts: mounts.map(([claim, mountPath]) => ({ name: claim, mountPath })),
        },
      ],
      volumes: mounts.map(([claim]) => ({ name: claim, persistentVolumeClaim: { claimName: claim } })),
    },
  };
}
