import { createHash, randomBytes } from 'node:crypto';
import { createConnection, isIP } from 'node:net';
import { AppError } from '@reenact/domain';
import { parseJson, wordsOf } from './kube-request.js';

/** An address under which something listens. */
export interface Endpoint {
  /** IP address, or a name where a resolver is at hand. */
  host: string;
  port: number;
}

/** A listener that answered, as run pods are told to try it and must not reach it. */
export interface CanaryWitness {
  /** Drawn by the canary's process when it began. */
  instance: string;
  /** Addresses, never names, since a pod of one rank resolves none: the one that was asked, and the canary's own behind it. */
  targets: Endpoint[];
}

/** What a run pod is told of the canary. */
export interface CanaryCheck extends CanaryWitness {
  /** `policySeconds` of the timings. */
  budgetSeconds: number;
}

const LONGEST_ANSWER_BYTES = 1024;

/**
 * Asks the canary whether it is there, also under the address that it has itself, since a broken translation of addresses looks like a
 * policy from inside a run pod. Asked before an execution is made and again at its end: only when the same process answered both times
 * does a pod that could not reach it prove anything (`isIsolationProven`).
 *
 * @throws AppError `cluster-unreachable` where it does not answer, or something else does.
 */
export async function assertCanaryAnswers(endpoint: Endpoint, timeoutMilliseconds: number, signal?: AbortSignal): Promise<CanaryWitness> {
  const first = await askCanary(endpoint, timeoutMilliseconds, signal);
  if (sameEndpoint(first.asked, first.own)) return { instance: first.instance, targets: [first.asked] };
  const second = await askCanary(first.own, timeoutMilliseconds, signal);
  if (second.instance !== first.instance) throw noCanary(first.own, 'another process answers there');
  return { instance: first.instance, targets: [first.asked, first.own] };
}

/**
 * Whether the evidence of a run pod proves that it was cut off: it could not reach the canary, and that one was there all the time.
 *
 * @param isolation facts of the BEGIN record.
 * @param after what answered when the pod had ended.
 */
export function isIsolationProven(isolation: readonly string[], after: CanaryWitness): boolean {
  return isolation.includes('network-denied') && isolation.includes(`canary=${after.instance}`);
}

interface CanaryAnswer {
  instance: string;
  asked: Endpoint;
  own: Endpoint;
}

/** The protocol of `supervisor/reenact_supervisor/pod/canary.py`. */
async function askCanary(endpoint: Endpoint, timeoutMilliseconds: number, signal?: AbortSignal): Promise<CanaryAnswer> {
  const nonce = randomBytes(16).toString('hex');
  const { line, address } = await exchange(endpoint, `reenact-canary 1 ${nonce}\n`, { timeoutMilliseconds, signal }).catch(
    (cause: unknown) => {
      signal?.throwIfAborted();
      throw noCanary(endpoint, wordsOf(cause), cause);
    },
  );
  const answer = (parseJson(line) ?? {}) as Record<string, unknown>;
  const proof = createHash('sha256').update(`reenact-canary-1\n${nonce}`).digest('hex');
  const { instance, host, port } = answer;
  if (answer['canary'] !== 1 || answer['proof'] !== proof) throw noCanary(endpoint, 'something else answers there');
  if (typeof instance !== 'string' || !/^[0-9a-f]{16}$/.test(instance)) throw noCanary(endpoint, 'its answer names no process');
  if (typeof host !== 'string' || isIP(host) === 0 || typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw noCanary(endpoint, 'its answer names no address');
  return { instance, asked: { host: address, port: endpoint.port }, own: { host, port } };
}

function exchange(
  { host, port }: Endpoint,
  question: string,
  { timeoutMilliseconds, signal }: { timeoutMilliseconds: number; signal: AbortSignal | undefined },
): Promise<{ line: string; address: string }> {
  return new Promise((settle, reject) => {
    const socket = createConnection({ host, port, ...(signal === undefined ? {} : { signal }) });
    const chunks: Buffer[] = [];
    let address = '';
    const timer = setTimeout(
      () => socket.destroy(new Error(`no whole answer within ${timeoutMilliseconds / 1000} s`)),
      timeoutMilliseconds,
    );
    socket.on('connect', () => {
      address = socket.remoteAddress ?? '';
      socket.write(question);
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const size = chunks.reduce((sum, { length }) => sum + length, 0);
      if (size > LONGEST_ANSWER_BYTES) socket.destroy(new Error('the answer does not end'));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      settle({ line: Buffer.concat(chunks).toString('utf8'), address });
    });
  });
}

function sameEndpoint(one: Endpoint, other: Endpoint): boolean {
  return one.host === other.host && one.port === other.port;
}

function noCanary({ host, port }: Endpoint, words: string, cause?: unknown): AppError {
  return new AppError('cluster-unreachable', `the canary does not answer at ${host} port ${port}: ${words}`, {
    cause,
    hint: 'without it no run pod can prove that it is cut off: look at Deployment reenact-canary in namespace reenact-system',
  });
}
