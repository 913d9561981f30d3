import { describe, expect, it } from 'vitest';
import type { Environment, EvidenceOf } from '@reenact/domain';
import { assertSameEnvironment } from './same-environment.js';

const ENVIRONMENT: Environment = {
  ...{ schemaVersion: 1, id: 'e', interpreter: '/env/bin/python', pythonVersion: '3.11.2', implementation: 'CPython', platform: 'linux' },
  distributions: [
    { name: 'torch', version: '2.6.0' },
    { name: 'typing-extensions', version: '4.1' },
  ],
  ...{ source: 'given', lock: '', distance: [], cutOffDate: null },
};

function record(parts: Partial<EvidenceOf<'environment'>> = {}): EvidenceOf<'environment'> {
  const distributions = [
    { name: 'typing_extensions', version: '4.1' },
    { name: 'Torch', version: '2.6.0' },
  ];
  return {
    ...{ seq: 1, t: 0, source: 'supervisor', kind: 'environment' },
    ...{ python: '3.11.2', platform: 'x', distributions },
    ...parts,
  };
}

describe('the environment of a trial', () => {
  it('is the one of the verdict, however its names are spelled and ordered', () => {
    expect(() => assertSameEnvironment(ENVIRONMENT, [record()])).not.toThrow();
  });

  it.each<[string, Partial<EvidenceOf<'environment'>>, RegExp]>([
    ['another Python', { python: '3.12.0' }, /Python 3\.12\.0 instead of 3\.11\.2/],
    ['a missing package', { distributions: [{ name: 'torch', version: '2.6.0' }] }, /typing-extensions missing instead of 4\.1/],
    ['another version', { distributions: [{ name: 'torch', version: '1.13' }] }, /torch 1\.13 instead of 2\.6\.0/],
    ['a package too many', { distributions: [...ENVIRONMENT.distributions, { name: 'jax', version: '1' }] }, /jax 1 instead of none/],
  ])('is refused with %s', (_, parts, words) => {
    expect(() => assertSameEnvironment(ENVIRONMENT, [record(parts)])).toThrow(words);
  });

  it('is refused where the evidence does not tell it', () => {
    expect(() => assertSameEnvironment(ENVIRONMENT, [])).toThrow(expect.objectContaining({ code: 'config-invalid' }));
  });
});
