import { describe, expect, it } from 'vitest';
import { parseOracleFile } from './parse-oracle-file.js';

describe('parseOracleFile', () => {
  it('turns a list of checks into one facet that all of them must show', () => {
    const [facet, ...rest] = parseOracleFile(
      JSON.stringify({
        reproduced_if_all: [
          { obs: 'acc', op: '>', value: 1 },
          { regex: 'IndexError: x', on: 'combined' },
          { exit_code: true, op: '==', value: 1 },
        ],
        absent_if_all: [],
      }),
    );
    expect(rest).toEqual([]);
    expect(facet?.shownBy).toBe('measurement');
    expect(facet?.oracles.map((oracle) => oracle.kind)).toEqual(['relation', 'output', 'exit']);
  });

  it('takes facets and bare oracles, and knows which ones the harness shows', () => {
    expect(parseOracleFile('{"kind":"exception","types":["ValueError"]}')[0]).toMatchObject({ shownBy: 'harness' });
    expect(parseOracleFile('[{"kind":"exit","code":1}]')[0]).toMatchObject({ shownBy: 'measurement' });
    expect(parseOracleFile('{"kind":"oom"}')[0]).toMatchObject({ shownBy: 'harness' });
    expect(parseOracleFile('{"kind":"memory_peak","bytes":5}')[0]).toMatchObject({ shownBy: 'harness' });
    expect(parseOracleFile('{"kind":"trend","of":"rss"}')[0]).toMatchObject({ shownBy: 'harness' });
    expect(parseOracleFile('{"kind":"trend","name":"loss"}')[0]).toMatchObject({ shownBy: 'measurement' });
    expect(parseOracleFile('{"facets":[{"oracles":[{"kind":"hang"}]},{"oracles":[{"kind":"nonfinite"}]}]}').map((one) => one.id)).toEqual([
      'given-1',
      'given-2',
    ]);
  });

  it('prefers facets that name a kind to the checks beside them', () => {
    const [facet, ...rest] = parseOracleFile(
      '{"reproduced_if_all":[{"obs":"fell","op":"==","value":false}],"facets":[{"kind":"trend","name":"loss"}]}',
    );
    expect(rest).toEqual([]);
    expect(facet?.oracles.map((oracle) => oracle.kind)).toEqual(['trend']);
  });

  it.each([
    '',
    '{"reproduced_if_all":[{"obs":"a","op":"==","value":1}],"facets":[]}',
    '[]',
    '{}',
    '{"reproduced_if_all":[]}',
    '{"reproduced_if_all":[{"obs":"a"}]}',
    '[{"kind":"made-up"}]',
    '{"kind":"memory_peak","bytes":-1}',
    '{"kind":"trend","name":"x","warmUpShare":2}',
    'null',
  ])('refuses %s with one clear error', (text) => {
    expect(() => parseOracleFile(text)).toThrowError(expect.objectContaining({ code: 'oracle-invalid' }));
  });
});
