import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arm } from '@reenact/domain';
import { executionName, executionNonce, partName, rankHost, shardOf } from './execution-names.js';
import { executionObjects, ownedBy } from './execution-objects.js';
import type { ExecutionSpec } from './execution-spec.js';
import { CONFIG_MAP_BYTES, cutPayload, MAX_PARTS, planOf } from './payload-parts.js';
import type { RunImage } from '@reenact/domain';
import { executionSpec } from './testing/specs.js';
import { restrictedProblems } from './testing/restricted-pods.js';

const LATER = new Date('2026-05-02T00:00:00Z');
const objects = (parts: Partial<ExecutionSpec> = {}) => executionObjects(executionSpec(parts), LATER);
const ARMS: Arm[] = ['candidate', 'fixed', 'good', 'trigger', 'sabotage', 'tripwire', 'coverage', 'diagnosis'];
const anyKey = fc.record({
  namespace: fc.constantFrom('reenact-runs', 'other'),
  workflowId: fc.string(),
  runToken: fc.stringMatching(/^[a-z0-9]{1,10}$/),
  arm: fc.constantFrom(...ARMS),
  trial: fc.stringMatching(/^[0-9a-f]{12}-[a-z]{3,9}-[0-9]$/),
  infraAttempt: fc.nat(3),
});

const imageOf = (parts: Partial<RunImage>): RunImage => ({ ...executionSpec().image, ...parts });

describe('names', () => {
  it('are labels of DNS with room for what is made of them, and begin with a letter', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(63), (key, rank) => {
        const name = executionName(key);
        expect(name).toMatch(/^x[a-z2-7]{25}$/);
        expect(`${name}-${rank}`).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])?$/);
        expect(Math.max(`${name}-${rank}`.length, partName(name, MAX_PARTS - 1).length)).toBeLessThan(63);
        expect(shardOf(name)).toMatch(/^(0[0-9]|1[0-5])$/);
        expect(rankHost(name, rank, { namespace: 'n', clusterDomain: 'c.d' })).toBe(`${name}-${rank}.${name}.n.svc.c.d`);
      }),
    );
  });

  it('are equal for equal keys and differ in every field', () => {
    const { key } = executionSpec();
    expect(executionName(key)).toBe(executionName({ ...key }));
    const others = [
      ...ARMS.filter((arm) => arm !== key.arm).map((arm) => ({ ...key, arm })),
      { ...key, namespace: 'other' },
      { ...key, workflowId: `${key.workflowId}.1` },
      { ...key, runToken: 't1' },
      { ...key, trial: '0123456789ab-candidate-1' },
      { ...key, infraAttempt: 1 },
    ];
    expect(new Set([key, ...others].map(executionName)).size).toBe(others.length + 1);
  });

  it('never meet over many keys, nor does a field run into the next', () => {
    const names = Array.from({ length: 20_000 }, (_, index) =>
      executionName({ ...executionSpec().key, trial: `t-${index % 200}`, runToken: `r-${Math.floor(index / 200)}` }),
    );
    expect(new Set(names).size).toBe(names.length);
    const { key } = executionSpec();
    expect(executionName({ ...key, runToken: 'a', trial: 'bc' })).not.toBe(executionName({ ...key, runToken: 'ab', trial: 'c' }));
  });

  it('spread over all shards', () => {
    const shards = Array.from({ length: 500 }, (_, index) => shardOf(executionName({ ...executionSpec().key, infraAttempt: index })));
    expect(new Set(shards).size).toBe(16);
  });

  it('have a nonce that only the installation can make', () => {
    const nonce = executionNonce('x1', Buffer.from('key'));
    expect(nonce).toBe(executionNonce('x1', Buffer.from('key')));
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([nonce, executionNonce('x2', Buffer.from('key')), executionNonce('x1', Buffer.from('yek'))]).size).toBe(3);
  });
});

describe('payload', () => {
  it('is cut into pieces within the limit that join to it, each with its checksum', () => {
    const sizes = fc.constantFrom(0, 1, CONFIG_MAP_BYTES - 1, CONFIG_MAP_BYTES, CONFIG_MAP_BYTES + 1, MAX_PARTS * CONFIG_MAP_BYTES);
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 255 }), (size, seed) => {
        const payload = Buffer.alloc(size).map((_, index) => (index * seed) & 255);
        const parts = cutPayload(payload);
        const plan = planOf(payload, parts);
        expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(payload)).toBe(true);
        expect(parts.every(({ bytes }) => bytes.length <= CONFIG_MAP_BYTES)).toBe(true);
        expect(parts.map(({ sha256 }) => sha256)).toEqual(parts.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')));
        expect(new Set(parts.map(({ file }) => file)).size).toBe(parts.length);
        expect(plan.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(plan.bytes);
      }),
      { numRuns: 20 },
    );
  });

  it('is refused beyond eight pieces, with what to do', () => {
    expect(() => cutPayload(Buffer.alloc(MAX_PARTS * CONFIG_MAP_BYTES + 1))).toThrow(
      expect.objectContaining({ code: 'config-invalid', hint: expect.stringContaining('local sandbox') as string }),
    );
  });
});

describe('objects of an execution', () => {
  it('are a root and a Job where everything fits into the root', () => {
    const { root, parts, service, policy, job } = objects();
    expect([parts, service, policy]).toEqual([[], null, null]);
    expect(Buffer.from(root.binaryData['payload.0'] ?? '', 'base64').toString()).toBe('payload');
    expect(job.spec.template.spec.volumes[0]).toEqual({
      name: 'input',
      projected: { defaultMode: 0o444, sources: [{ configMap: { name: root.metadata.name } }] },
    });
  });

  it('have parts beside the root otherwise, each below the limit and all of them mounted', () => {
    const payload = Buffer.alloc(2 * CONFIG_MAP_BYTES + 1, 7);
    const { root, parts, job, name } = objects({ payload });
    expect(root.binaryData).toEqual({});
    expect(parts.map(({ metadata, binaryData }) => [metadata.name, Object.keys(binaryData)])).toEqual([
      [`${name}-p0`, ['payload.0']],
      [`${name}-p1`, ['payload.1']],
      [`${name}-p2`, ['payload.2']],
    ]);
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(1.5 * 1024 ** 2);
    expect(job.spec.template.spec.volumes[0]).toMatchObject({
      projected: { sources: [name, `${name}-p0`, `${name}-p1`, `${name}-p2`].map((map) => ({ configMap: { name: map } })) },
    });
    expect(JSON.parse(root.data['run.json'] ?? '')).toMatchObject({ executionId: name, payload: { bytes: payload.length }, ranks: null });
  });

  it('never start anything again: one rank fails the Job, one of several fails itself', () => {
    const one = objects().job.spec;
    const four = objects({ ranks: 4 }).job.spec;
    expect([one.backoffLimit, one.backoffLimitPerIndex, four.backoffLimit, four.backoffLimitPerIndex]).toEqual([
      0,
      undefined,
      undefined,
      0,
    ]);
    expect([four.completions, four.parallelism, four.template.spec.restartPolicy]).toEqual([4, 4, 'Never']);
    for (const [spec, action] of [[one, 'FailJob'] as const, [four, 'FailIndex'] as const]) {
      expect(spec.podFailurePolicy.rules.map((rule) => rule.action)).toEqual([action, action, action, action]);
      expect(spec.podFailurePolicy.rules.map((rule) => rule.onExitCodes?.values)).toEqual([
        undefined,
        [64, 65, 66, 67, 68, 70, 75],
        [137],
        [0],
      ]);
      expect(spec.podReplacementPolicy).toBe('Failed');
    }
  });

  it('have a Service and a policy for several ranks, which lead to the ranks alone', () => {
    const { name, service, policy, job, root } = objects({ ranks: 2 });
    const own = { podSelector: { matchLabels: { 'reenact.dev/execution-id': name } } };
    expect(service?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true, selector: own.podSelector.matchLabels });
    expect(policy?.spec).toEqual({ ...own, policyTypes: ['Ingress', 'Egress'], ingress: [{ from: [own] }], egress: [{ to: [own] }] });
    const pod = job.spec.template;
    expect(pod.metadata.labels).toMatchObject({ 'reenact.dev/execution-id': name, 'reenact.dev/net-profile': 'ranks' });
    expect([pod.spec.subdomain, pod.spec.dnsPolicy]).toEqual([name, 'ClusterFirst']);
    const run = JSON.parse(root.data['run.json'] ?? '') as { ranks: { hosts: string[] } };
    expect(run.ranks).toMatchObject({ masterPort: 29_500, sidePort: 29_399, joinSeconds: 30, beatSeconds: 1, lostSeconds: 10 });
    expect(run.ranks.hosts[1]).toBe(`${name}-1.${name}.reenact-runs.svc.cluster.local`);
  });

  it('give one rank no names and no network of its own', () => {
    const { job } = objects();
    expect(job.spec.template.spec).toMatchObject({ dnsPolicy: 'None', dnsConfig: { nameservers: ['127.0.0.1'] } });
    expect(job.spec.template.metadata.labels['reenact.dev/net-profile']).toBe('isolated');
  });

  it('leave more room than the trial’s own limits, twice as much with headroom, and as much as is asked for', () => {
    const [plain, large] = [objects(), objects({ headroom: 2 })].map(({ job }) => job.spec.template.spec.containers[0].resources);
    expect(plain?.requests).toEqual(plain?.limits);
    expect(Number(plain?.limits['memory'])).toBeGreaterThan(2 ** 30 + 256 * 1024 ** 2);
    expect(Number(large?.limits['memory'])).toBe(2 * Number(plain?.limits['memory']));
    expect(Number(large?.limits['ephemeral-storage'])).toBeGreaterThan(1.5 * Number(plain?.limits['ephemeral-storage']));
    const { job } = objects();
    const scratch = job.spec.template.spec.volumes.find(({ name }) => name === 'scratch');
    const size = scratch !== undefined && 'emptyDir' in scratch ? Number(scratch.emptyDir.sizeLimit) : 0;
    expect(Number(plain?.limits['ephemeral-storage'])).toBeGreaterThanOrEqual(size + 1024 ** 3);
  });

  it('ask for GPUs, a queue and a runtime class where the pool has them', () => {
    const pool = { ...executionSpec().pool, gpus: 2, queue: 'gpu', runtimeClass: 'gvisor', priorityClass: 'normal' };
    const { job } = objects({ pool });
    expect(job.metadata.labels['kueue.x-k8s.io/queue-name']).toBe('gpu');
    expect(job.spec.suspend).toBe(true);
    expect(job.spec.template.spec).toMatchObject({ runtimeClassName: 'gvisor', priorityClassName: 'normal' });
    expect(job.spec.template.spec.containers[0].resources.limits['nvidia.com/gpu']).toBe('2');
    expect(objects().job.spec.suspend).toBe(false);
  });

  it('meet the restricted profile of Pod Security', () => {
    for (const ranks of [1, 3]) expect(restrictedProblems(objects({ ranks }).job.spec.template.spec)).toEqual([]);
  });

  it('have label values that a server takes, and nothing of a workflow’s id in them', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const { root, job } = executionObjects(executionSpec({ key }), LATER);
        for (const labels of [root.metadata.labels, job.metadata.labels, job.spec.template.metadata.labels])
          for (const value of Object.values(labels)) expect(value).toMatch(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
        expect(root.metadata.annotations['reenact.dev/workflow-id']).toBe(key.workflowId);
      }),
    );
  });

  it('tell the supervisor what its pod was given, by the numbers of the manifest', () => {
    const { root, job } = objects({ pool: { ...executionSpec().pool, gpus: 2, runtimeClass: 'gvisor' } });
    const { node } = JSON.parse(root.data['run.json'] ?? '') as { node: Record<string, unknown> };
    const pod = job.spec.template.spec;
    const sizes = pod.volumes.flatMap((volume) => ('emptyDir' in volume ? [Number(volume.emptyDir.sizeLimit)] : []));
    expect([node['scratchBytes'], node['sharedMemoryBytes']]).toEqual(sizes);
    expect(String(node['memoryBytes'])).toBe(pod.containers[0].resources.limits['memory']);
    expect([node['gpus'], node['limitMayHide']]).toEqual([2, true]);
  });

  it('are the same execution wherever the canary is', () => {
    const canary = { instance: 'ab'.repeat(8), targets: [{ host: '10.0.0.1', port: 1 }], budgetSeconds: 10 };
    const large = { host: '10.0.0.2', port: 2 };
    const { root } = objects({ canary });
    expect(JSON.parse(root.data['run.json'] ?? '')).toMatchObject({ canary });
    const edge = { payload: Buffer.alloc(CONFIG_MAP_BYTES - 3_500) };
    for (const parts of [{}, edge]) {
      const all = [null, canary, { ...canary, targets: [large, large] }].map((one) => objects({ ...parts, canary: one }));
      expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    }
  });

  it('are owned by the root, whose deletion waits for none of them', () => {
    const { job, root } = objects();
    expect(ownedBy(job, { name: root.metadata.name, uid: 'u1' }).metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', name: root.metadata.name, uid: 'u1', controller: false, blockOwnerDeletion: false },
    ]);
    expect(job.metadata.ownerReferences).toBeUndefined();
  });

  it('carry one fingerprint, equal at another time and different for anything that runs differently', () => {
    const { fingerprint, root, job } = objects();
    expect([root, job].map(({ metadata }) => metadata.annotations['reenact.dev/spec-sha256'])).toEqual([fingerprint, fingerprint]);
    expect(executionObjects(executionSpec(), new Date(0)).fingerprint).toBe(fingerprint);
    const { run, pool } = executionSpec();
    const others: Partial<ExecutionSpec>[] = [
      { payload: Buffer.from('other') },
      { nonce: '11'.repeat(32) },
      { ranks: 2 },
      { headroom: 2 },
      { image: imageOf({ image: `registry.example/reenact/run@sha256:${'cd'.repeat(32)}` }) },
      { run: { ...run, importRoots: ['src'] } },
      { pool: { ...pool, cpuMillis: 2000 } },
    ];
    expect(new Set([fingerprint, ...others.map((parts) => objects(parts).fingerprint)]).size).toBe(others.length + 1);
  });
});

describe('a specification that cannot be carried out', () => {
  const { key, run, pool } = executionSpec();
  const steps = [1, 3].map((ranks) => ({ argv: ['python', '@script/main.py'], ranks, continueOnError: false }));
  const uneven = { ...run.launch, steps };
  it.each<[string, Partial<ExecutionSpec>, string]>([
    ['a tag instead of a digest', { image: imageOf({ image: 'registry.example/reenact/run:latest' }) }, 'digest'],
    ['an image that is text for a shell', { image: imageOf({ image: `$(x)@sha256:${'ab'.repeat(32)}` }) }, 'digest'],
    ['a namespace', { key: { ...key, namespace: 'a/b' } }, 'namespace'],
    ['a trial', { key: { ...key, trial: 'a b' } }, 'trial'],
    ['a run token', { key: { ...key, runToken: '' } }, 'token'],
    ['a pool', { pool: { ...pool, name: 'a=b' } }, 'pool'],
    ['no rank', { ranks: 0 }, 'ranks'],
    ['half a rank', { ranks: 1.5 }, 'ranks'],
    ['ranks that pods cannot share', { ranks: 2, run: { ...run, launch: uneven } }, 'step 1 do not spread evenly over 2 pods'],
    ['a relative interpreter', { image: imageOf({ supervisorPython: 'python3' }) }, 'absolute'],
    ['a network', { run: { ...run, launch: { ...run.launch, network: true } } }, 'no way out'],
    [
      'variables beyond a ConfigMap',
      { run: { ...run, launch: { ...run.launch, env: { BIG: 'x'.repeat(CONFIG_MAP_BYTES) } } } },
      'too large',
    ],
  ])('%s is refused', (_, parts, words) => {
    expect(() => objects(parts)).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(words) as string }),
    );
  });
});
