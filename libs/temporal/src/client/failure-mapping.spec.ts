import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, CancelledFailure, RetryState } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { AppError, ERROR_CODES, ERROR_GROUPS } from '@reenact/domain';
import type { ErrorCode } from '@reenact/domain';
import { toActivityFailure, truncateUtf8 } from '../worker/activity-failures.js';
import { tlsConfig } from './connection.js';
import { isCancelled, toAppError } from './failure-mapping.js';

/** What a client gets when an activity failed so. */
function throughWorkflow(cause: Error): Error {
  const activity = new ActivityFailure('Activity task failed', 'step', '1', RetryState.NON_RETRYABLE_FAILURE, 'worker', cause);
  return new WorkflowFailedError('Workflow execution failed', activity, RetryState.RETRY_POLICY_NOT_SET);
}

function mapped(error: unknown): ApplicationFailure {
  const failure = toActivityFailure(error);
  if (!(failure instanceof ApplicationFailure)) throw new Error('not an ApplicationFailure');
  return failure;
}

describe('AppError over the activity boundary', () => {
  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('keeps the code %s, its hint and its retryability', (code) => {
    const failure = mapped(new AppError(code, 'what happened', { hint: 'what to do' }));
    expect(failure.nonRetryable).toBe(!ERROR_GROUPS[ERROR_CODES[code]].retryable);
    expect(toAppError(throughWorkflow(failure))).toMatchObject({ code, message: 'what happened', hint: 'what to do' });
  });

  it('bounds the message', () => {
    const failure = mapped(new AppError('internal', 'é'.repeat(5000)));
    expect(Buffer.byteLength(failure.message)).toBeLessThanOrEqual(2048);
    expect(failure.message).toMatch(/^é+…$/u);
  });

  it('takes a foreign error for ours, and retries only where the system says so', () => {
    expect(mapped(new TypeError('x is not a function'))).toMatchObject({
      type: 'internal',
      nonRetryable: true,
      message: 'TypeError: x is not a function',
    });
    expect(mapped(Object.assign(new Error('reset'), { code: 'ECONNRESET' })).nonRetryable).toBe(false);
    expect(mapped(Object.assign(new Error('busy'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })).nonRetryable).toBe(false);
    expect(mapped(Object.assign(new Error('gone'), { code: 'ENOENT' })).nonRetryable).toBe(true);
    expect(mapped('a string').message).toBe('a string');
  });

  it('lets cancellation and ready failures pass', () => {
    const abort = Object.assign(new Error('aborted'), { name: 'AbortError' });
    for (const error of [new CancelledFailure('stop'), ApplicationFailure.nonRetryable('x', 'y'), abort])
      expect(toActivityFailure(error)).toBe(error);
  });
});

describe('toAppError', () => {
  it('knows a missing workflow and takes the rest for internal', () => {
    expect(toAppError(new WorkflowNotFoundError('no', 'repro/a', undefined))).toMatchObject({ code: 'run-not-found' });
    expect(toAppError(throughWorkflow(ApplicationFailure.nonRetryable('strange', 'constructor')))).toMatchObject({
      code: 'internal',
      message: 'strange',
    });
    expect(toAppError(undefined)).toMatchObject({ code: 'internal' });
    const loop = new Error('loop');
    loop.cause = loop;
    expect(toAppError(loop)).toMatchObject({ code: 'internal', message: 'loop' });
  });

  it('tells a cancellation from an error', () => {
    expect(isCancelled(throughWorkflow(new CancelledFailure('by a person')))).toBe(true);
    expect(isCancelled(throughWorkflow(ApplicationFailure.nonRetryable('x')))).toBe(false);
  });
});

describe('truncateUtf8', () => {
  it('never cuts inside a character', () => {
    for (let bytes = 3; bytes < 40; bytes += 1) {
      const text = truncateUtf8('aé€😀'.repeat(5), bytes);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
      expect(text).not.toContain('\uFFFD');
    }
    expect(truncateUtf8('short', 100)).toBe('short');
  });
});

describe('tlsConfig', () => {
  const address = { address: 'host:7233', namespace: 'default' };

  it('is off by default, on with an API key, and never half a client certificate', () => {
    expect(tlsConfig(address)).toBeUndefined();
    expect(tlsConfig({ ...address, apiKey: 'k' })).toBe(true);
    expect(tlsConfig({ ...address, apiKey: 'k', tls: false })).toBeUndefined();
    expect(() => tlsConfig({ ...address, tls: { clientCertificate: new Uint8Array(1) } })).toThrow('both');
    const whole = tlsConfig({ ...address, tls: { clientCertificate: new Uint8Array(1), clientKey: new Uint8Array(2), serverName: 'n' } });
    expect(whole).toMatchObject({ serverNameOverride: 'n', clientCertPair: { crt: Buffer.alloc(1), key: Buffer.alloc(2) } });
  });
});
