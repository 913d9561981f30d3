import type { Facet } from '@reenact/domain';
import { Oracle } from '@reenact/domain/schemas';
import { describe, expect, it } from 'vitest';
import { createEvidence, observedFacet } from '../testing/index.js';
import { claimsException, isImportOnly, lastName, observedNames, recordAt, textMatchers } from './claimed-signal.js';

const facetOf = (...oracles: object[]): Facet => observedFacet(oracles.map((one) => Oracle.parse(one)));
const holds = (oracle: object, text: string): boolean => textMatchers(facetOf(oracle)).some((matches) => matches(text));

describe('observedNames', () => {
  it.each([
    [{ kind: 'shape', obs: 'out', shape: [1] }, ['out']],
    [{ kind: 'memory_peak', obs: 'used', bytes: 1 }, ['used']],
    [{ kind: 'memory_peak', bytes: 1 }, null],
    [{ kind: 'nonfinite', name: 'loss' }, ['loss']],
    [{ kind: 'trend', name: 'loss' }, ['loss']],
    [{ kind: 'differential', candidate: 'a', reference: 'b', referee: 'c' }, ['a', 'b', 'c']],
    [{ kind: 'roundtrip', before: 'a', after: 'b' }, ['a', 'b']],
    [{ kind: 'relation', left: { obs: 'a' }, op: '>', right: { obs: 'b' } }, ['a', 'b']],
    [{ kind: 'relation', left: 1, op: '>', right: { obs: 'b' } }, ['b']],
    [{ kind: 'relation', left: [1], op: '>', right: null }, null],
    [{ kind: 'exit', code: 1 }, null],
  ])('of %j are %j', (oracle, names) => {
    expect(observedNames(Oracle.parse(oracle))).toEqual(names);
  });
});

describe('textMatchers', () => {
  it.each([
    [{ kind: 'output', pattern: 'acc \\d' }, 'an acc 3', 'an acc x'],
    [{ kind: 'printed', pattern: 'acc (\\d)', op: '>', right: 1 }, 'ACC 3', 'acc x'],
    [{ kind: 'warning', pattern: 'deprecated' }, 'is DEPRECATED now', 'is gone'],
    [{ kind: 'import', message: 'No module named x' }, 'ImportError: No module named x', 'No module'],
    [{ kind: 'build', message: 'no version' }, 'error: no version here', 'no'],
    [{ kind: 'hang', lastLine: 'epoch done' }, 'the epoch done now', 'epoch'],
    [{ kind: 'exception', types: ['tool.Full'] }, 'Traceback (most recent call last)\nFull: x', 'Full: x'],
    [{ kind: 'exception', types: ['Full'], message: { text: 'no room left' } }, 'Full: no room left', 'Empty: no room left'],
    [{ kind: 'exception', types: ['Full'], message: { text: 'no room left' } }, 'Full("no room left', 'Full: something else'],
    [{ kind: 'exception', message: { text: 'no room left' } }, 'no room left', 'something else'],
  ])('of %j hold for %j and not for %j', (oracle, text, other) => {
    expect([holds(oracle, text), holds(oracle, other)]).toEqual([true, false]);
  });

  it.each([{ kind: 'warning', category: 'UserWarning' }, { kind: 'hang' }, { kind: 'exit', code: 1 }, { kind: 'output', pattern: '(' }])(
    'are none for %j',
    (oracle) => {
      expect(textMatchers(facetOf(oracle))).toEqual([]);
    },
  );

  it('take no text of five letters or fewer for a message', () => {
    expect([holds({ kind: 'import', message: 'abcde' }, 'abcde'), holds({ kind: 'import', message: 'abcdef' }, 'abcdef')]).toEqual([
      false,
      true,
    ]);
    expect(holds({ kind: 'import' }, 'anything at all')).toBe(false);
  });

  it('look at each of 2,000 lines and at the first 20,000 characters as a whole', () => {
    const oracle = { kind: 'output', pattern: '^hit$' };
    expect([holds(oracle, `${'\n'.repeat(1_999)}hit`), holds(oracle, `${'\n'.repeat(2_000)}hit`)]).toEqual([true, false]);
    const over = { kind: 'output', pattern: 'a\\nb' };
    expect([holds(over, 'a\nb'), holds(over, 'ab')]).toEqual([true, false]);
    expect([holds(over, 'a\nb'.padStart(20_000)), holds(over, 'a\nb'.padStart(20_001))]).toEqual([true, false]);
  });
});

describe('claimsException', () => {
  const exception = (types: string[], text?: string) =>
    facetOf({ kind: 'exception', types, ...(text === undefined ? {} : { message: { text } }) });

  it('tells type and message apart, and nothing of a message that is computed', () => {
    const facet = exception(['torch.Full'], 'no room left');
    expect(claimsException(facet, 'tool.Full', 'no room left')).toBe('type-and-message');
    expect(claimsException(facet, 'Full', 'else')).toBe('type');
    expect(claimsException(facet, 'Full', null)).toBe('type');
    expect(claimsException(facet, 'Empty', 'no room left')).toBe('no');
    expect(claimsException(exception(['Full']), 'Full', 'anything')).toBe('type-and-message');
    expect(claimsException(exception(['Full']), 'Full', null)).toBe('type');
    expect(claimsException(exception([], 'no room left'), 'Empty', 'no room left')).toBe('type-and-message');
    expect(claimsException(exception([], 'no room left'), 'Empty', 'else')).toBe('type');
  });

  it('takes an import for an import error unless it names a type, and lets one of several oracles suffice', () => {
    const load = { kind: 'import', message: 'No module named x' };
    expect(claimsException(facetOf(load), 'ModuleNotFoundError', 'No module named x')).toBe('type-and-message');
    expect(claimsException(facetOf(load), 'ImportError', 'else')).toBe('type');
    expect(claimsException(facetOf(load), 'ValueError', 'No module named x')).toBe('no');
    expect(claimsException(facetOf({ ...load, types: ['OSError'] }), 'ImportError', 'No module named x')).toBe('no');
    expect(claimsException(facetOf({ kind: 'import' }), 'ImportError', 'anything')).toBe('type-and-message');
    expect(claimsException(facetOf({ kind: 'exit', code: 1 }), 'ValueError', 'x')).toBe('no');
    expect(claimsException(facetOf({ kind: 'exit', code: 1 }, load), 'ImportError', 'No module named x')).toBe('type-and-message');
  });
});

describe('isImportOnly', () => {
  it('asks it of every oracle of every facet, and of one at least', () => {
    const load = { kind: 'import', message: 'x' };
    expect(isImportOnly([facetOf(load), facetOf({ kind: 'build', message: 'x' })])).toBe(true);
    expect(isImportOnly([facetOf(load), facetOf({ kind: 'exit', code: 1 })])).toBe(false);
    expect(isImportOnly([])).toBe(false);
  });
});

describe('recordAt and lastName', () => {
  it('finds a record by its number, also where some are left out', () => {
    const records = createEvidence().stdout('a').stdout('b').build();
    expect(recordAt(records, 2)).toBe(records[2]);
    expect(recordAt(records.slice(1), 2)).toBe(records[2]);
    expect(recordAt(records, 99)).toBeUndefined();
  });

  it('takes the last part of a name, without signs', () => {
    expect([lastName('a.b.C'), lastName('C()'), lastName('')]).toEqual(['C', 'C', '']);
  });
});
