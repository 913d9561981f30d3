import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { executionObjects } from './execution-objects.js';
import { CANARY_PORT, INSTALLATION } from './installation.js';
import { LABELS, NETWORK_PROFILES, OURS, UNTRUSTED_TAINT } from './labels.js';
import { readClusterSettings } from './open-cluster.js';
import { RUNNER } from './pod-status.js';
import { choosePool } from './pool-catalogue.js';
import { POD_PATHS, RUN_ID } from './run-job.js';
import { executionSpec } from './testing/specs.js';

const ROOT = fileURLToPath(new URL('../../../../k8s', import.meta.url));
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
const texts = new Map(FILES.map((name) => [name, readFileSync(path.join(ROOT, name), 'utf8')]));
const all = [...texts.values()].join('\n---\n');
const text = (name: string): string => texts.get(name) ?? '';
const matches = (pattern: RegExp, source = all): string[] =>
  [...new Set([...source.matchAll(pattern)].map((match) => match[1] ?? ''))].sort();

describe('manifests use the names of the code', () => {
  const { namespace, ...names } = { namespace: [INSTALLATION.systemNamespace, INSTALLATION.runNamespace], ...INSTALLATION };

  it('for labels and taints', () => {
    const known: string[] = [...Object.values(LABELS), UNTRUSTED_TAINT];
    expect(matches(/\b(reenact\.dev\/[a-z0-9-]+)/g).filter((key) => !known.includes(key))).toEqual([]);
  });

  it('for namespaces', () => {
    expect(matches(/^ *namespace: (\S+)$/gm)).toEqual([...namespace].sort());
    expect(matches(/kind: Namespace\nmetadata:\n {2}name: (\S+)/g)).toEqual([...namespace].sort());
  });

  it('for accounts', () => {
    expect(matches(/kind: ServiceAccount\nmetadata:\n {2}name: (\S+)/g)).toEqual([names.runAccount, names.executorAccount].sort());
    expect(matches(/serviceAccountName == '([^']+)'/g)).toEqual([names.runAccount]);
    expect(matches(/(system:serviceaccount:[a-z:-]+)/g)).toEqual([
      `system:serviceaccount:${INSTALLATION.systemNamespace}:${names.executorAccount}`,
    ]);
    expect(executionSpec().serviceAccount).toBe(names.runAccount);
  });

  it('for priorities, lists and the canary', () => {
    expect(matches(/kind: PriorityClass\nmetadata:\n {2}name: (\S+)/g)).toEqual([...names.priorityClasses].sort());
    expect(matches(/paramRef: \{ name: ([a-z-]+)/g)).toEqual([names.admissionParameters]);
    expect(matches(/kind: ConfigMap\nmetadata:\n {2}name: (\S+)/g)).toEqual([names.admissionParameters]);
    expect(matches(/kind: (?:Deployment|Service)\nmetadata:\n {2}name: (\S+)/g)).toEqual([names.canary]);
    expect(text('base/system/canary.yaml')).toContain(`${path.dirname(POD_PATHS.supervisor)}/canary.py`);
    expect(matches(/\b(\d{5})\b/g, text('base/system/canary.yaml'))).toEqual([String(RUN_ID), String(CANARY_PORT)].sort());
  });

  it('for what a run must carry', () => {
    const { job } = executionObjects(executionSpec(), new Date(0));
    const rule = /\[([^\]]+)\]\.all\(l, l in variables\.labels\)/.exec(text('base/runs/admission-runs.yaml'))?.[1] ?? '';
    expect(matches(/'([^']+)'/g, rule)).toEqual(Object.keys(job.spec.template.metadata.labels).sort());
    expect(all).toContain(
      `variables.labels['${LABELS.network}'] in [${Object.values(NETWORK_PROFILES)
        .map((value) => `'${value}'`)
        .join(', ')}]`,
    );
    expect(matches(/labels\['app\.kubernetes\.io\/name'\] == '([^']+)'/g)).toEqual([OURS.application]);
    expect(matches(/labels\['app\.kubernetes\.io\/managed-by'\] == '([^']+)'/g)).toEqual([OURS.managedBy]);
    expect(matches(/containers\[0\]\.name == '([^']+)'/g)).toEqual([RUNNER]);
    expect(text('base/runs/network.yaml')).toContain(`{ ${LABELS.network}: ${NETWORK_PROFILES.ranks} }`);
  });

  it.each(['single-node', 'gpu-pools'])(
    'for the settings of a cluster in overlay %s, which allow what its lists allow',
    async (overlay) => {
      const settings = await readClusterSettings(path.join(ROOT, 'overlays', overlay, 'cluster.yaml'));
      const { data } = parse(text(`overlays/${overlay}/admission-parameters.yaml`)) as { data: Record<string, string> };
      const base = parse(text('base/system/admission-parameters.yaml')) as { data: Record<string, string> };
      const allowed = { ...base.data, ...data };
      const lines = (name: string) => (allowed[name] ?? '').split('\n').filter((line) => line !== '');
      expect(settings).toMatchObject({ namespace: INSTALLATION.runNamespace, serviceAccount: INSTALLATION.runAccount });
      expect(settings.canary).toEqual({
        host: `${INSTALLATION.canary}.${INSTALLATION.systemNamespace}.svc.${settings.clusterDomain}`,
        port: CANARY_PORT,
      });
      for (const { image } of settings.images) expect(lines('repositories')).toContain(image.split('@')[0]);
      for (const pool of settings.pools) {
        expect(lines('runtimeClasses')).toContain(pool.runtimeClass ?? 'none');
        expect(INSTALLATION.priorityClasses).toContain(pool.priorityClass);
        expect(pool.nodeSelector).toEqual({ [LABELS.nodePool]: pool.name });
      }
    },
  );

  it('and the pools of the GPU overlay serve one CPU pod, several, one GPU, eight, and eight on many nodes', async () => {
    const { pools } = await readClusterSettings(path.join(ROOT, 'overlays/gpu-pools/cluster.yaml'));
    const names = (
      [
        [1, 0],
        [4, 0],
        [1, 1],
        [1, 8],
        [4, 8],
      ] as const
    ).map(([pods, gpus]) => choosePool(pools, { pods, gpus, memoryBytes: 2 ** 33, diskBytes: 2 ** 33 }).name);
    expect(names).toEqual(['cpu', 'cpu-many', 'gpu-1', 'gpu-8', 'gpu-8-many']);
  });

  it('and every policy of admission has a binding that denies, for the runs only', () => {
    const names = matches(/kind: ValidatingAdmissionPolicy\nmetadata:\n {2}name: (\S+)/g);
    expect(matches(/policyName: (\S+)/g)).toEqual(names);
    for (const file of FILES.filter((name) => name.includes('admission-') && name.startsWith('base/runs'))) {
      expect([file, matches(/failurePolicy: (\S+)/g, text(file))]).toEqual([file, ['Fail']]);
      expect([file, matches(/validationActions: (\S+)/g, text(file))]).toEqual([file, ['[Deny]']]);
      expect([file, matches(/namespaceSelector:\n +matchLabels: (.+)/g, text(file))]).toEqual([
        file,
        [`{ kubernetes.io/metadata.name: ${INSTALLATION.runNamespace} }`],
      ]);
    }
  });
});
