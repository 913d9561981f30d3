import { createHash } from 'node:crypto';
import { tokenise } from '@reenact/code-index';
import type { ChunkKind, RerankCandidate, RerankQuery, Reranker } from '@reenact/domain';
import { isTestFile } from '../chunk-filter.js';
import { frameFeatures } from './frame-features.js';
import { longestSharedRun, shareOf } from './token-overlap.js';

/** What is known about a candidate, each from 0 to 1. */
export interface RerankFeatures {
  /** The search's own score. */
  search: number;
  /** Its file is a frame's: 1 by whole path, 0.5 by name alone. */
  frameFile: number;
  /** It is the function of a frame of its file. */
  frameFunction: number;
  /** A frame's line lies in it. */
  frameLine: number;
  /** It defines a named symbol: share of 1 by the whole name, 0.5 by the last part. */
  definesSymbol: number;
  /** Share of the named symbols that stand in its text. */
  usesSymbols: number;
  /** Longest run of words that an error line shares with it; eight are all. */
  errorText: number;
  /** How often a chunk of its kind is what a report is about. */
  kind: number;
  /** It is a test. */
  test: number;
}

/**
 * What each feature adds; every one but `test` raises the score. The search's score stays the largest single part, since it holds
 * most of the same signals already; the frames come next, since their place is exact. Words of the title are left out: the search
 * ranked by them already, and a second count of them made a hybrid ranking worse (docs/models.md). Judged by hand, not fitted.
 */
export const FEATURE_WEIGHTS: Readonly<Record<keyof RerankFeatures, number>> = {
  search: 1,
  frameFile: 0.15,
  frameFunction: 0.4,
  frameLine: 0.4,
  definesSymbol: 0.3,
  usesSymbols: 0.1,
  errorText: 0.3,
  kind: 0.05,
  test: -0.15,
};

const KIND_PRIORS: Readonly<Record<ChunkKind, number>> = {
  function: 1,
  method: 1,
  class: 0.8,
  cell: 0.8,
  run: 0.6,
  window: 0.5,
  launcher: 0.4,
  configuration: 0.3,
  readme: 0.1,
  requirements: 0.1,
};

/** A run of this many words is no chance. */
const WHOLE_RUN = 8;
/** Symbols and error lines of a report that are looked at. */
const LOOKED_AT = 50;
const VERSION = 1;

/** The reranker without weights: a weighted sum of plain features. The same on every machine, and nothing leaves it. */
export function createFeatureReranker(): Reranker {
  return {
    name: 'features',
    digest: createHash('sha256')
      .update(JSON.stringify([VERSION, FEATURE_WEIGHTS, KIND_PRIORS]))
      .digest('hex'),
    rerank: async (query, candidates, { signal, onProgress } = {}) => {
      signal?.throwIfAborted();
      const prepared = prepareQuery(query);
      const scores = candidates.map((candidate) => scoreFeatures(preparedFeatures(prepared, candidate)));
      if (candidates.length > 0) onProgress?.(candidates.length);
      return scores;
    },
    close: async () => undefined,
  };
}

/** Σ weight · feature. */
export function scoreFeatures(features: RerankFeatures): number {
  const names = Object.keys(FEATURE_WEIGHTS) as (keyof RerankFeatures)[];
  return names.reduce((sum, name) => sum + FEATURE_WEIGHTS[name] * features[name], 0);
}

/** Each feature of a candidate, for explaining its score. */
export function rerankFeatures(query: RerankQuery, candidate: RerankCandidate): RerankFeatures {
  return preparedFeatures(prepareQuery(query), candidate);
}

interface PreparedQuery {
  query: RerankQuery;
  errors: string[][];
  symbols: string[];
}

function prepareQuery(query: RerankQuery): PreparedQuery {
  return {
    query,
    errors: query.errors.slice(0, LOOKED_AT).map(tokenise),
    symbols: [...new Set(query.symbols)].slice(0, LOOKED_AT),
  };
}

function preparedFeatures({ query, errors, symbols }: PreparedQuery, candidate: RerankCandidate): RerankFeatures {
  const tokens = tokenise(candidate.text);
  const known = new Set([...tokens, ...tokenise(candidate.name)]);
  return {
    search: candidate.score,
    ...frameFeatures(query.frames, candidate),
    definesSymbol: Math.max(0, ...symbols.map((symbol) => definition(symbol, candidate))),
    usesSymbols: shareOf(symbols, (symbol) => known.has(lastPart(symbol).toLowerCase())),
    errorText: Math.max(0, ...errors.map((line) => Math.min(1, longestSharedRun(line, tokens) / WHOLE_RUN))),
    kind: KIND_PRIORS[candidate.kind],
    test: isTestFile(candidate.file) ? 1 : 0,
  };
}

function definition(symbol: string, { kind, name }: RerankCandidate): number {
  if (kind !== 'function' && kind !== 'method' && kind !== 'class') return 0;
  if (symbol === name || symbol.endsWith(`.${name}`)) return 1;
  return lastPart(symbol) === lastPart(name) ? 0.5 : 0;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
