import { Launch } from '@reenact/domain/schemas';
import type { ExecutionSpec } from '../execution-spec.js';
import { TEST_TIMINGS } from '../timings.js';

/** A specification for one rank on an ordinary node, changed by `parts`. */
export function executionSpec(parts: Partial<ExecutionSpec> = {}): ExecutionSpec {
  return {
    key: {
      namespace: 'reenact-runs',
      workflowId: 'repro/0123456789ab/cdef01234567',
      runToken: 't0',
      arm: 'candidate',
      trial: '0123456789ab-candidate-0',
      infraAttempt: 0,
    },
    ranks: 1,
    image: {
      interpreter: '/usr/bin/python3',
      image: `registry.example/reenact/run@sha256:${'ab'.repeat(32)}`,
      supervisorPython: '/usr/bin/python3',
      volumes: [],
    },
    pool: {
      name: 'cpu',
      nodeSelector: { 'reenact.dev/pool': 'cpu' },
      tolerations: [{ key: 'reenact.dev/untrusted', value: 'true' }],
      runtimeClass: null,
      priorityClass: null,
      queue: null,
      cpuMillis: 1000,
      gpus: 0,
    },
    run: {
      launch: Launch.parse({ schemaVersion: 1, steps: [{ argv: ['python', '@script/main.py'] }], limits: { memoryBytes: 2 ** 30 } }),
      importRoots: ['.'],
      interpreter: '/usr/bin/python3',
      coverage: null,
    },
    payload: Buffer.from('payload'),
    nonce: '00'.repeat(32),
    serviceAccount: 'reenact-run',
    clusterDomain: 'cluster.local',
    canary: null,
    headroom: 1,
    timings: TEST_TIMINGS,
    ...parts,
  };
}
