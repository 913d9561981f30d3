import { Candidate, Claim, Environment, Subject } from '@reenact/domain/schemas';
import type { BundleParts } from '../bundle/freeze-bundle.js';

/** Parts of a small bundle, for tests. */
export function bundleParts(): BundleParts {
  const facet = {
    id: 'crash',
    statement: 'it is SHOWN as shown',
    span: null,
    stance: 'observed' as const,
    shownBy: 'harness' as const,
    oracles: [{ kind: 'exception' as const, types: ['ValueError'], frames: [], through: [] }],
  };
  return {
    candidate: Candidate.parse({
      schemaVersion: 1,
      id: 'c1',
      origin: 'generated',
      files: [{ path: 'repro.py', text: 'import tool\nprint("OBS total=" + str(tool.total([1, 2])))\n' }],
      launch: { schemaVersion: 1, steps: [{ argv: ['python', '@script/repro.py'] }] },
      source: 'a test',
      repairs: [],
    }),
    subject: Subject.parse({
      schemaVersion: 1,
      address: { type: 'folder', path: '/somewhere/project' },
      treeHash: 'a'.repeat(64),
      revision: null,
      fileCount: 1,
      byteCount: 10,
      importRoots: ['.', 'src'],
      notes: [],
    }),
    environment: environmentOfTests(),
    claim: Claim.parse({
      schemaVersion: 1,
      title: 'It crashes',
      reportDigest: 'd1',
      facets: [facet],
      triggers: [],
      frames: [],
      symbols: [],
      claimedRate: 1,
      worldSize: null,
      environment: { python: [], packages: [], goodPackages: [], devices: [] },
      missing: [],
      madeBy: 'rules',
    }),
    facets: [facet],
    controls: [{ kind: 'patch', patch: '--- a/tool.py\n+++ b/tool.py\n@@ -1 +1 @@\n-a\n+b\n' }],
    suspects: [{ file: 'tool.py', function: 'total' }],
  };
}

function environmentOfTests(): Environment {
  return Environment.parse({
    schemaVersion: 1,
    id: 'e1',
    interpreter: '/somewhere/python',
    pythonVersion: '3.11.2',
    implementation: 'cpython',
    platform: 'linux-x86_64',
    distributions: [{ name: 'numpy', version: '1.26.4' }],
    source: 'given',
    lock: 'numpy==1.26.4\n',
    distance: [],
    cutOffDate: null,
  });
}
