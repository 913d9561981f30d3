import type { estypes } from '@elastic/elasticsearch';
import type { ChunkKind, ChunkPlace } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import type { Connection } from './connection.js';
import { describeFailure, readCause } from './failures.js';
import type { SearchBody } from './query.js';

/** A hit of one search: its place, whether it has no vector, and the server's score. */
export interface ServerHit {
  place: ChunkPlace;
  isPending: boolean;
  score: number;
}

/** What one search of a multi-search answered. */
export interface ServerAnswer {
  hits: estypes.SearchHit[];
  total: number;
  pending: number;
}

const NEEDED = ['responses.status', 'responses.error', 'responses.hits.total.value', 'responses.aggregations.pending.doc_count'];
const OF_HITS = ['_id', '_score', '_source', '_explanation'].map((field) => `responses.hits.hits.${field}`);

/** Sends searches over one index in one request; an answer for each, in order. @throws AppError where any of them failed. */
export async function searchMany(
  { connection, index, signal }: { connection: Connection; index: string; signal: AbortSignal | undefined },
  bodies: SearchBody[],
): Promise<ServerAnswer[]> {
  if (bodies.length === 0) return [];
  const searches = bodies.flatMap((body) => [{}, body]);
  const answer = await connection.send(
    (options) => connection.client.msearch({ index, searches, filter_path: [...NEEDED, ...OF_HITS] }, options),
    signal,
  );
  return bodies.map((_, place) => readAnswer(answer.responses[place], connection.settings.url));
}

/** A cluster's answer is checked before it is used: proxies and other versions may give another shape. */
export function readHit({ _id, _score, _source }: estypes.SearchHit): ServerHit {
  const source = (_source ?? {}) as Partial<Record<string, unknown>>;
  const { file, kind, name, startLine, endLine, isPending } = source;
  const isWhole =
    typeof _id === 'string' &&
    typeof file === 'string' &&
    typeof kind === 'string' &&
    typeof name === 'string' &&
    typeof startLine === 'number' &&
    typeof endLine === 'number' &&
    typeof isPending === 'boolean';
  if (!isWhole) throw oddAnswer();
  const place = { id: _id, file, kind: kind as ChunkKind, name, startLine, endLine };
  return { place, isPending, score: _score ?? 0 };
}

/** An answer of another shape than ours. */
export function oddAnswer(): AppError {
  return new AppError('search-unsupported', 'Elasticsearch answered a search in a form that is not known here.', {
    hint: 'Check what stands between, and the version of the server.',
  });
}

function readAnswer(item: estypes.MsearchResponseItem | undefined, url: string): ServerAnswer {
  if (item === undefined) throw oddAnswer();
  if ('error' in item) throw describeFailure({ status: item.status, ...readCause(item.error) }, url);
  const { total } = item.hits ?? {};
  const pending = (item.aggregations?.['pending'] as { doc_count?: unknown } | undefined)?.doc_count;
  return {
    hits: item.hits?.hits ?? [],
    total: typeof total === 'object' ? total.value : 0,
    pending: typeof pending === 'number' ? pending : 0,
  };
}
