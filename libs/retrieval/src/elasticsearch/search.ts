import type { estypes } from '@elastic/elasticsearch';
import type { ChunkSearch, SearchAnswer, SearchRequest } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import { combineScore } from '../formula.js';
import { readHit, searchMany } from './answers.js';
import type { ServerAnswer } from './answers.js';
import { Candidates, similarityOf } from './candidates.js';
import type { Connection } from './connection.js';
import { addTerms } from './explain-terms.js';
import type { IndexMeta } from './mapping.js';
import * as query from './query.js';

/** Chunks asked for by words and by vector each (retrieval.md section 6); the most asked for, below the 10,000 that a server gives. */
const FIRST_WINDOW = 200;
const LARGEST_WINDOW = 5000;
const GROWTH = 5;

/** An index that is searched. */
export interface SearchTarget {
  connection: Connection;
  index: string;
  meta: IndexMeta;
}

/** A question as the server is asked it. */
interface Question {
  target: SearchTarget;
  request: SearchRequest;
  signal: AbortSignal | undefined;
  terms: estypes.QueryDslQueryContainer[] | null;
  filter: estypes.QueryDslQueryContainer[];
  /** null in a lexical search, and where no chunk has a vector. */
  vector: query.VectorQuery | null;
}

/**
 * Searches one index. A hybrid search takes the best by words and the nearest by vector, asks for what each of them lacks, and
 * combines by the formula. As no chunk outside can come above the last of both lists, it knows whether the answer is the one over
 * every chunk; where not, it asks for longer lists. Gives 5,000 hits at most, whatever the limit.
 */
export function openSearch(target: SearchTarget): ChunkSearch {
  return {
    async search(request, options) {
      options?.signal?.throwIfAborted();
      const question = ask(target, request, options?.signal);
      const answer = await searchBest(question);
      return request.explain === true ? { ...answer, hits: await addTerms({ ...question, index: target.index }, answer.hits) } : answer;
    },
    async close() {},
  };
}

function ask(target: SearchTarget, request: SearchRequest, signal: AbortSignal | undefined): Question {
  const { dimensions, vectorSearch } = target.meta;
  const { vector } = request;
  const isHybrid = vector !== null && dimensions !== null && vectorSearch !== null;
  if (isHybrid && vector.length !== dimensions) {
    throw new AppError('internal', `A query vector of ${vector.length} numbers for an index with ${dimensions}.`);
  }
  return {
    target,
    request: { ...request, limit: Math.min(request.limit, LARGEST_WINDOW) },
    signal,
    terms: query.termClauses(request.tokens),
    filter: query.filterClauses(request.filter),
    vector: isHybrid ? { vector, search: vectorSearch } : null,
  };
}

async function searchBest(question: Question): Promise<SearchAnswer> {
  let window = Math.min(LARGEST_WINDOW, Math.max(FIRST_WINDOW, 2 * question.request.limit));
  for (;;) {
    const { answer, isWhole } = await lookInto(question, window);
    if (isWhole || window === LARGEST_WINDOW) return answer;
    window = Math.min(LARGEST_WINDOW, window * GROWTH);
  }
}

/** The answer out of the `window` best by words and by vector; `isWhole` where no chunk outside can belong to it. */
async function lookInto(question: Question, window: number): Promise<{ answer: SearchAnswer; isWhole: boolean }> {
  const { target, request, terms, filter, vector } = question;
  const first = await askAll(question, {
    count: filter.length === 0 ? null : query.countSearch(filter),
    lexical: terms === null ? null : query.lexicalSearch(terms, filter, window),
    nearest: vector === null ? null : query.nearestSearch(vector, filter, window),
    pending: vector === null || target.meta.pending === 0 ? null : query.pendingSearch(terms, filter, request.limit),
  });
  const chunks = filter.length === 0 ? target.meta.chunks : first.count.total;
  const pending = filter.length === 0 ? target.meta.pending : first.count.pending;
  const lexical = first.lexical.hits.map(readHit);
  const nearest = first.nearest.hits.map(readHit);
  const maximum = lexical[0]?.score ?? 0;
  const candidates = new Candidates();
  candidates.addLexical(lexical);
  candidates.addNearest(nearest);
  candidates.addPending(first.pending.hits.map(readHit));
  const isAllLexical = lexical.length < window;
  const isAllNearest = nearest.length < window;

  let mean: number | null = null;
  if (vector !== null && chunks > pending) {
    const missing = candidates.missing();
    const byId = { ids: { values: missing.lexical } };
    const second = await askAll(question, {
      lexical:
        terms === null || isAllLexical || missing.lexical.length === 0 ? null : query.lexicalSearch(terms, [byId], missing.lexical.length),
      similarity: missing.similarity.length === 0 ? null : query.similaritySearch(vector, missing.similarity),
      sample: isAllNearest ? null : query.sampleSearch(vector, filter, chunks - pending),
    });
    candidates.addLexical(second.lexical.hits.map(readHit));
    candidates.addNearest(second.similarity.hits.map(readHit));
    mean = meanOf((isAllNearest ? first.nearest : second.sample).hits);
  }
  const hits = candidates.rank({ maximum, mean, alpha: request.alpha, limit: request.limit });
  const outside = { lexical: isAllLexical ? 0 : (lexical.at(-1)?.score ?? 0), maximum };
  const bounds: number[] = [];
  if (mean !== null && !isAllNearest)
    bounds.push(combineScore({ ...outside, similarity: similarityOf(nearest.at(-1)?.score ?? 0) }, request.alpha));
  if (mean !== null && !isAllLexical && pending > 0) bounds.push(combineScore({ ...outside, similarity: mean }, request.alpha));
  const last = hits.length < request.limit ? 0 : (hits.at(-1)?.score ?? 0);
  return { answer: { hits, maximum, meanSimilarity: mean, chunks, pending }, isWhole: bounds.every((bound) => bound <= last) };
}

/** Sends the searches that there are in one request; where there is none, an empty answer. */
async function askAll<Key extends string>(
  { target, signal }: Question,
  bodies: Record<Key, query.SearchBody | null>,
): Promise<Record<Key, ServerAnswer>> {
  const entries = Object.entries(bodies) as [Key, query.SearchBody | null][];
  const sent = entries.flatMap(([, body]) => body ?? []);
  const answers = (await searchMany({ ...target, signal }, sent)).values();
  const named = entries.map(([key, body]) => [key, (body === null ? null : answers.next().value) ?? { hits: [], total: 0, pending: 0 }]);
  return Object.fromEntries(named) as Record<Key, ServerAnswer>;
}

function meanOf(hits: estypes.SearchHit[]): number | null {
  if (hits.length === 0) return null;
  return hits.reduce((sum, { _score }) => sum + similarityOf(_score ?? 0), 0) / hits.length;
}
