import type { Oracle } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { exceptionOracle, observedFacet } from '../testing/claim-builder.js';
import { checkOracles } from './check-oracles.js';

const output = { kind: 'output', pattern: 'loss', flags: '', stream: 'any', atLeast: 1 } as const;
const file = { kind: 'file', path: 'a.txt', exists: true } as unknown as Extract<Oracle, { kind: 'file' }>;
const warning = { kind: 'warning' } as unknown as Extract<Oracle, { kind: 'warning' }>;
const check = (oracle: Oracle) => () => {
  checkOracles([observedFacet([hang, oracle])]);
};
const hang: Oracle = { kind: 'hang', silentSeconds: 5 };

describe('checkOracles', () => {
  it.each<[string, Oracle]>([
    ['of an output', { ...output, pattern: '(' }],
    ['that must not follow', { ...output, notFollowedBy: '(' }],
    ['of a message', exceptionOracle({ message: { text: '(', match: 'regex' } })],
    ['of a warning', { ...warning, pattern: '(' }],
    ['of a file', { ...file, pattern: '(' }],
    ['that a file must lack', { ...file, missingPattern: '(' }],
  ])('refuses a broken pattern %s', (_what, oracle) => {
    expect(check(oracle)).toThrow();
  });

  it.each<[string, Oracle]>([
    ['patterns that can be read', { ...output, notFollowedBy: 'nan' }],
    ['a message that is a text', exceptionOracle({ message: { text: '(', match: 'signature' } })],
    ['an error of any message', exceptionOracle({})],
    ['a warning of any text', warning],
    ['a file of any text', file],
    ['no pattern at all', hang],
  ])('takes %s', (_what, oracle) => {
    expect(check(oracle)).not.toThrow();
  });
});
