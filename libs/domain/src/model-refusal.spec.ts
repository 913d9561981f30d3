import { describe, expect, it } from 'vitest';
import { modelRefusal } from './model-refusal.js';

describe('modelRefusal', () => {
  const answered = (status: number, retryAfter: string | null = null) =>
    modelRefusal({ where: 'server at x', status, retryAfter, keyHint: 'Check KEY.' });

  it.each([
    [401, { code: 'llm-auth', message: 'The server at x refused the key (401).', hint: 'Check KEY.' }],
    [403, { code: 'llm-auth' }],
    [408, { code: 'llm-unreachable' }],
    [429, { code: 'llm-rate-limited', hint: 'Try again later.' }],
    [500, { code: 'llm-unreachable', message: 'The server at x answered with status 500.' }],
    [529, { code: 'llm-unreachable' }],
  ])('says what %i means', (status, expected) => {
    expect(answered(status)).toMatchObject(expected);
  });

  it('repeats how long to wait only where it is a number of seconds', () => {
    expect(answered(429, '7')?.hint).toBe('Try again in 7 s.');
    expect(answered(429, '7 <b>')?.hint).toBe('Try again later.');
  });

  it.each([400, 404, 413, 422])('leaves %i to whoever made the request', (status) => {
    expect(answered(status)).toBeNull();
  });
});
