import { describe, expect, it } from 'vitest';
import { sampleChunks } from '../testing/index.js';
import { encodeVector, toDocument } from './chunk-document.js';
import { readTerms } from './explain-terms.js';
import { aliasOf, isLoadingAlias, loadingAliasOf, newIndexName } from './index-names.js';
import { countSearch, filterClauses, lexicalSearch, nearestSearch, sampleSearch, similaritySearch, termClauses } from './query.js';

describe('names of indices', () => {
  it('hold digests only, keep revisions apart and sort by time', () => {
    const alias = aliasOf('reenact-chunks', { repository: '../UPPER "x"', revision: 'a/b' });
    expect(alias).toMatch(/^reenact-chunks-[0-9a-f]{20}-[0-9a-f]{20}$/);
    expect(aliasOf('reenact-chunks', { repository: '../UPPER "x"a', revision: '/b' })).not.toBe(alias);
    const [old, young] = [newIndexName(alias, 1), newIndexName(alias, Date.UTC(2026, 0))];
    expect([young, old].sort()).toEqual([old, young]);
    expect([isLoadingAlias(loadingAliasOf(old)), isLoadingAlias(alias)]).toEqual([true, false]);
  });
});

describe('a document', () => {
  const [chunk] = sampleChunks({ seed: 4, files: 3, chunksPerFile: 1, dimensions: 2, pendingShare: 0 }).slice(2);

  it('holds tokens by their weight, every folder above, and no text', () => {
    if (chunk === undefined) throw new Error('no chunk');
    const document = toDocument({ ...chunk, tokens: { text: ['a', 'b'], name: ['n'], path: ['p'] } }, true);
    expect(document).toMatchObject({ tk: 'a b n n n n p', paths: ['tests', chunk.file], isTest: true, isPending: false });
    expect(JSON.stringify(document)).not.toContain(chunk.text);
    expect(toDocument({ ...chunk, vector: null }, true)).toMatchObject({ isPending: true });
    expect('vector' in toDocument({ ...chunk, vector: null }, true)).toBe(false);
    expect(toDocument({ ...chunk, vector: Float32Array.of(0.5, -1) }, false).vector).toEqual([0.5, -1]);
  });

  it('holds its vector as big-endian floats in base64', () => {
    expect(encodeVector(Float32Array.of(1, -2))).toBe(Buffer.from([0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0]).toString('base64'));
  });
});

describe('requests', () => {
  it('filter by folders, kinds and tests', () => {
    expect(filterClauses(undefined)).toEqual([]);
    expect(filterClauses({ paths: ['src', ''] })).toEqual([]);
    expect(filterClauses({ paths: ['src'], kinds: ['class'], withoutTests: true })).toEqual([
      { terms: { paths: ['src'] } },
      { terms: { kind: ['class'] } },
      { term: { isTest: false } },
    ]);
    expect(countSearch([]).size).toBe(0);
  });

  it('weigh a term by how often the question holds it, and leave out what no server takes', () => {
    expect(termClauses(['a', 'b', 'a', 'x'.repeat(256)])).toEqual([
      { term: { tk: { value: 'a', boost: 2 } } },
      { term: { tk: { value: 'b', boost: 1 } } },
    ]);
    expect(termClauses([])).toBeNull();
    const many = termClauses([...Array.from({ length: 3000 }, (_, number) => `t${number}`), 't2999']);
    expect(many).toHaveLength(1000);
    expect(many?.[0]).toEqual({ term: { tk: { value: 't2999', boost: 2 } } });
  });

  it('ask quantised vectors for exact values', () => {
    const vector = Float32Array.of(1, 0);
    const flat = nearestSearch({ vector, search: 'flat' }, [], 200);
    expect(flat.knn).toEqual({ field: 'vector', query_vector: [1, 0], k: 200, num_candidates: 400, filter: [] });
    const graph = { vector, search: 'int8_hnsw' } as const;
    expect(nearestSearch(graph, [], 200).knn).toMatchObject({ rescore_vector: { oversample: 2 } });
    expect(nearestSearch(graph, [], 5001).knn).toMatchObject({ num_candidates: 10_000 });
    expect(similaritySearch(graph, ['x', 'y']).knn).toMatchObject({ k: 2, num_candidates: 2, rescore_vector: { oversample: 1 } });
    expect(sampleSearch(graph, [], 500).knn).toMatchObject({ filter: [{ range: { sample: { lt: 2 ** 28 } } }] });
    expect(sampleSearch(graph, [], 4000).knn).toMatchObject({ filter: [{ range: { sample: { lt: 2 ** 26 } } }] });
    expect(lexicalSearch([], [], 7).size).toBe(7);
  });
});

describe('an explanation', () => {
  const term = (name: string, value: number, parts: { description: string; value: number }[]) => ({
    description: `weight(tk:${name} in 3) [PerFieldSimilarity], result of:`,
    value,
    details: [
      {
        description: 'score(freq=2.0), computed as boost * idf * tf from:',
        value,
        details: parts.map((part) => ({ ...part, details: [] })),
      },
    ],
  });
  const parts = [
    { description: 'idf, computed as …', value: 1.5 },
    { description: 'freq, occurrences of term within document', value: 2 },
  ];

  it('is read as terms, the weightiest first', () => {
    const explanation = { description: 'sum of:', value: 5, details: [term('a', 2, parts), term('in', 3, parts)] };
    expect(readTerms(explanation, ['a', 'in', 'a'])).toEqual([
      { term: 'in', times: 1, inverseDocumentFrequency: 1.5, frequency: 2, score: 3 },
      { term: 'a', times: 2, inverseDocumentFrequency: 1.5, frequency: 2, score: 2 },
    ]);
    expect(readTerms(undefined, ['a'])).toEqual([]);
  });

  it('of another form is not guessed at', () => {
    expect(() => readTerms(term('a', 2, []), ['a'])).toThrow(expect.objectContaining({ code: 'search-unsupported' }));
  });
});
