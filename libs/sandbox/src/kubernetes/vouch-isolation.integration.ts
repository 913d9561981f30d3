import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { formatEvidence } from '../evidence-writer.js';
import type { Endpoint } from './canary.js';
import { classified } from './outcome-class.js';
import type { ExecutionResult } from './run-execution.js';
import { TEST_TIMINGS } from './timings.js';
import { canaryNow, vouchIsolation } from './vouch-isolation.js';

const INSTANCE = 'ab'.repeat(8);
const signal = AbortSignal.timeout(60_000);
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A listener that speaks the canary's protocol, under an identity of the test's choice. */
async function listen(identity = () => INSTANCE): Promise<Endpoint> {
  const server = createServer((socket) => {
    socket.once('data', (question) => {
      const nonce = /^reenact-canary 1 ([0-9a-f]{32})\n$/.exec(question.toString())?.[1] ?? '';
      const proof = createHash('sha256').update(`reenact-canary-1\n${nonce}`).digest('hex');
      socket.end(JSON.stringify({ canary: 1, proof, instance: identity(), host: '127.0.0.1', port }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { host: '127.0.0.1', port };
}

function resultWith(isolation: string[]): ExecutionResult {
  const begin = { kind: 'begin' as const, protocol: 1 as const, sandbox: 'pod' as const, isolation, kernel: '6', cpus: 1 };
  return {
    classification: classified('script', ''),
    evidence: Buffer.from(formatEvidence([begin])),
    scriptSeconds: 1,
    nodeNames: ['node1'],
  };
}

describe('isolation of a pod', () => {
  it('is tried against the canary that answers, for as long as policies may take', async () => {
    const canary = await listen();
    const check = { instance: INSTANCE, targets: [canary], budgetSeconds: TEST_TIMINGS.policySeconds };
    expect(await canaryNow(canary, TEST_TIMINGS, signal)).toEqual(check);
    expect(await canaryNow(null, TEST_TIMINGS, signal)).toBeNull();
  });

  it('is vouched for where the same canary answers afterwards', async () => {
    const result = resultWith(['uid=10001', 'network-denied', `canary=${INSTANCE}`]);
    expect(await vouchIsolation(result, await listen(), signal)).toBe(result);
  });

  it.each([
    ['missed another canary', ['network-denied', 'canary=0123456789abcdef']],
    ['did not look', ['network-check=skipped: there is no canary']],
    ['said nothing', []],
  ])('is not believed where the pod %s', async (_, isolation) => {
    const judged = await vouchIsolation(resultWith(isolation), await listen(), signal);
    expect(judged).toMatchObject({ evidence: null, classification: { class: 'infra-isolation', outcome: 'infra', next: 'repeat' } });
  });

  it('is not decided where the canary does not answer any more', async () => {
    const canary = await listen();
    for (const close of closing.splice(0)) close();
    const result = resultWith(['network-denied', `canary=${INSTANCE}`]);
    await expect(vouchIsolation(result, canary, signal)).rejects.toMatchObject({ code: 'cluster-unreachable' });
  });

  it('is not asked about a result that nobody judges, or where there is no canary', async () => {
    const spoiled = { ...resultWith([]), classification: classified('infra-lost', ''), evidence: null };
    expect(await vouchIsolation(spoiled, { host: '127.0.0.1', port: 1 }, signal)).toBe(spoiled);
    const result = resultWith([]);
    expect(await vouchIsolation(result, null, signal)).toBe(result);
  });
});
