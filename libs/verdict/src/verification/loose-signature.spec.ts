import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { exceptionOracle, observedFacet, relationOracle } from '../testing/index.js';
import { isDeterministic, isMeasured, readsValues } from './live-facets.js';
import { hasLooseSignature } from './loose-signature.js';

describe('hasLooseSignature', () => {
  it('wants more than an everyday type', () => {
    const loose = (oracle: Parameters<typeof observedFacet>[0][number]) => hasLooseSignature(observedFacet([oracle]));
    expect(loose(exceptionOracle({ types: ['TypeError'] }))).toBe(true);
    expect(loose(exceptionOracle({ types: ['TypeError'], through: ['torch.save'] }))).toBe(true);
    expect(loose(exceptionOracle({ types: ['IndexError'], message: { text: 'out of range', match: 'contains' } }))).toBe(true);
    expect(loose(exceptionOracle({ types: ['TypeError'], message: { text: 'object cannot be pickled', match: 'keywords' } }))).toBe(false);
    const word = { text: 'pickled', match: 'keywords' as const };
    expect(loose(exceptionOracle({ types: ['TypeError'], message: word }))).toBe(true);
    expect(loose(exceptionOracle({ types: ['TypeError'], message: word, through: ['torch.save'] }))).toBe(false);
    expect(loose(exceptionOracle({ types: ['pickle.UnpicklingError'] }))).toBe(false);
    expect(loose({ kind: 'warning', category: 'UserWarning' })).toBe(true);
    expect(loose({ kind: 'warning', category: 'UserWarning', pattern: 'lr' })).toBe(false);
    expect(loose({ kind: 'hang', silentSeconds: 20 })).toBe(true);
    expect(loose({ kind: 'hang', silentSeconds: 20, lastLine: 'epoch 1 done' })).toBe(false);
    expect(loose({ kind: 'exit', op: '!=', code: 0 })).toBe(true);
    expect(loose({ kind: 'exit', op: '==', signal: 'SIGFPE' })).toBe(false);
  });
});

describe('isMeasured', () => {
  it('does not take the facet by its word', () => {
    expect(isMeasured(observedFacet([relationOracle('acc', '>', 1)], { shownBy: 'harness' }))).toBe(true);
    expect(isMeasured(observedFacet([{ kind: 'exit', op: '==', code: 1 }]))).toBe(true);
    expect(isMeasured(observedFacet([exceptionOracle({ types: ['TypeError'] })]))).toBe(false);
    expect(isMeasured(observedFacet([exceptionOracle({ types: ['TypeError'] })], { shownBy: 'measurement' }))).toBe(true);
  });
});

describe('isDeterministic', () => {
  it('is exception, shape, import and exact relation, with output and status beside them', () => {
    const exception = exceptionOracle({ types: ['TypeError'] });
    const output = { kind: 'output' as const, pattern: 'x', flags: '', stream: 'any' as const, atLeast: 1 };
    expect(isDeterministic(observedFacet([exception, output, { kind: 'exit', op: '==', code: 1 }]))).toBe(true);
    expect(isDeterministic(observedFacet([relationOracle('acc', '>', 1)]))).toBe(true);
    expect(isDeterministic(observedFacet([relationOracle('acc', 'approx', 1)]))).toBe(false);
    expect(isDeterministic(observedFacet([output]))).toBe(false);
    expect(isDeterministic(observedFacet([exception, { kind: 'hang', silentSeconds: 20 }]))).toBe(false);
  });
});

describe('kinds about sizes, series and comparisons', () => {
  const seen = [{ kind: 'oom' }, { kind: 'memory_peak', bytes: 5 }, { kind: 'trend', of: 'rss' }];
  const measured = [
    { kind: 'memory_peak', obs: 'used', bytes: 5 },
    { kind: 'trend', name: 'loss' },
    { kind: 'nondeterminism', name: 'loss' },
    { kind: 'slow', name: 'seconds', slowArm: 'a', fastArm: 'b' },
    { kind: 'distribution', name: 'acc', greaterArm: 'a', lesserArm: 'b' },
    { kind: 'differential', candidate: 'a', reference: 'b', referee: 'c' },
    { kind: 'roundtrip', before: 'a', after: 'b' },
    { kind: 'desync', name: 'hash' },
  ];
  const facetOf = (oracle: object) => observedFacet([Oracle.parse(oracle)], { shownBy: 'harness' });

  it.each(seen)('is seen by the supervisor: %j', (oracle) => {
    expect([isMeasured(facetOf(oracle)), readsValues(facetOf(oracle))]).toEqual([false, false]);
  });

  it.each(measured)('rests on the script, whatever the facet says: %j', (oracle) => {
    expect([isMeasured(facetOf(oracle)), readsValues(facetOf(oracle))]).toEqual([true, true]);
  });

  it.each([...seen, ...measured])('needs a control and more than three trials: %j', (oracle) => {
    expect([hasLooseSignature(facetOf(oracle)), isDeterministic(facetOf(oracle))]).toEqual([true, false]);
  });
});
