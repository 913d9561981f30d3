import type { estypes } from '@elastic/elasticsearch';
import type { ChunkFilter } from '@reenact/domain';
import { SAMPLE_RANGE } from './chunk-document.js';
import type { VectorSearch } from './mapping.js';

type Query = estypes.QueryDslQueryContainer;
/** One search of a multi-search; hits come with their place. */
export type SearchBody = estypes.SearchSearchRequestBody;

/** A server takes at least 1,024 clauses in one query; the terms that come most often are kept. */
const MOST_TERMS = 1000;
/** The whitespace analyser cuts longer tokens, so no chunk holds them. */
const LONGEST_TERM = 255;
/** More neighbours than asked are looked at, and their quantised distances reckoned anew from the whole vectors. */
const OVERSAMPLE = 2;
const MOST_CANDIDATES = 10_000;
/** So many similarities give their mean within about 0.002: their deviation is about 0.05. */
const SAMPLE_SIZE = 1000;

/** Clauses of a filter; a chunk passes when each does. */
export function filterClauses(filter: ChunkFilter | undefined): Query[] {
  const clauses: Query[] = [];
  if (filter?.paths !== undefined && !filter.paths.includes('')) clauses.push({ terms: { paths: filter.paths } });
  if (filter?.kinds !== undefined) clauses.push({ terms: { kind: filter.kinds } });
  if (filter?.withoutTests === true) clauses.push({ term: { isTest: false } });
  return clauses;
}

/** Query terms with how often each comes; the server multiplies a term's score by it. Null where there is none. */
export function termClauses(tokens: string[]): Query[] | null {
  const times = new Map<string, number>();
  for (const token of tokens) if (token.length <= LONGEST_TERM) times.set(token, (times.get(token) ?? 0) + 1);
  if (times.size === 0) return null;
  const kept = times.size <= MOST_TERMS ? [...times] : [...times].sort((left, right) => right[1] - left[1]).slice(0, MOST_TERMS);
  return kept.map(([value, boost]) => ({ term: { tk: { value, boost } } }));
}

/** The chunks with the largest raw BM25 of those that pass; a filter does not change a score. */
export function lexicalSearch(terms: Query[], filter: Query[], size: number): SearchBody {
  return { query: { bool: { should: terms, minimum_should_match: 1, filter } }, size, track_total_hits: false };
}

/** How vectors are asked for. */
export interface VectorQuery {
  vector: Float32Array;
  search: VectorSearch;
}

/** The chunks nearest to the query of those that pass, with their exact similarities. */
export function nearestSearch(query: VectorQuery, filter: Query[], size: number): SearchBody {
  return { ...knn(query, { filter, count: size, candidates: OVERSAMPLE * size, oversample: OVERSAMPLE }), size, track_total_hits: false };
}

/** Exact similarities of chosen chunks; those without a vector are left out. */
export function similaritySearch(query: VectorQuery, ids: string[]): SearchBody {
  return exactSearch(query, [{ ids: { values: ids } }], ids.length);
}

/** Exact similarities of about a thousand of the chunks that pass, evenly chosen out of `embedded`; of all where there are fewer. */
export function sampleSearch(query: VectorQuery, filter: Query[], embedded: number): SearchBody {
  const share = Math.min(1, SAMPLE_SIZE / Math.max(1, embedded));
  const chosen: Query = { range: { sample: { lt: Math.ceil(SAMPLE_RANGE * share) } } };
  return { ...exactSearch(query, [...filter, chosen], 2 * SAMPLE_SIZE), _source: false };
}

/** How many chunks pass, and how many of them have no vector. */
export function countSearch(filter: Query[]): SearchBody {
  return { query: { bool: { filter } }, size: 0, track_total_hits: true, aggs: { pending: { filter: { term: { isPending: true } } } } };
}

/** Chunks without a vector that hold no query term: all have one score, so the first by place are the best. */
export function pendingSearch(terms: Query[] | null, filter: Query[], size: number): SearchBody {
  const query = { bool: { filter: [...filter, { term: { isPending: true } }], must_not: terms ?? [] } };
  return { query, size, track_total_hits: false, sort: ['file', 'startLine', 'endLine'] };
}

function exactSearch(query: VectorQuery, filter: Query[], size: number): SearchBody {
  // With every candidate looked at and each distance reckoned anew, quantised vectors give exact values too.
  return { ...knn(query, { filter, count: size, candidates: size, oversample: 1 }), size, track_total_hits: false };
}

interface Neighbours {
  filter: Query[];
  count: number;
  candidates: number;
  oversample: number;
}

function knn({ vector, search }: VectorQuery, { filter, count, candidates, oversample }: Neighbours): SearchBody {
  return {
    knn: {
      field: 'vector',
      query_vector: Array.from(vector),
      k: count,
      num_candidates: Math.min(candidates, MOST_CANDIDATES),
      filter,
      ...(search === 'flat' ? {} : { rescore_vector: { oversample } }),
    },
  };
}
