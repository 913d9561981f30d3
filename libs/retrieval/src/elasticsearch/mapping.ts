import type { estypes } from '@elastic/elasticsearch';
import { B, K1 } from '../formula.js';

/** Layout of an index; one of another format counts as not published and is made again. */
export const INDEX_FORMAT = 1;
/** Vectors are searched one by one, or by a graph over quantised ones. */
export type VectorSearch = 'flat' | 'int8_hnsw';

/** What an index tells about itself, kept in the mapping's `_meta`. */
export interface IndexMeta {
  format: number;
  /** Last sign of life, when loaded; moment of the replacement, when replaced; last day of use, when published. ISO 8601. */
  at: string;
  embedding: string | null;
  /** Numbers of a vector, and how they are searched; null where no chunk has one. */
  dimensions: number | null;
  vectorSearch: VectorSearch | null;
  chunks: number;
  pending: number;
}

/**
 * An index of one shard, so that document frequencies are those of the whole revision. Tokens come split and with their weight in
 * repetitions; of a document only its place is kept in the source. It is refreshed once, after the load.
 */
export function indexDefinition(meta: IndexMeta): { settings: estypes.IndicesIndexSettings; mappings: estypes.MappingTypeMapping } {
  return {
    settings: {
      number_of_shards: 1,
      refresh_interval: '-1',
      similarity: { formula: { type: 'BM25', k1: K1, b: B } },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { ...meta },
      _source: { includes: ['file', 'kind', 'name', 'startLine', 'endLine', 'isPending'] },
      properties: {
        file: { type: 'keyword', index: false },
        paths: { type: 'keyword', doc_values: false },
        kind: { type: 'keyword', doc_values: false },
        name: { type: 'keyword', index: false, doc_values: false },
        startLine: { type: 'integer', index: false },
        endLine: { type: 'integer', index: false },
        isTest: { type: 'boolean', doc_values: false },
        isPending: { type: 'boolean' },
        sample: { type: 'integer', doc_values: false },
        tk: { type: 'text', analyzer: 'whitespace', similarity: 'formula', index_options: 'freqs' },
      },
    },
  };
}

/**
 * The field of the vectors. `index_options` are always named: the server's default for 384 numbers keeps one bit of each.
 * The change from `flat` to `int8_hnsw` is one that a server allows on a living index.
 */
export function vectorField(dimensions: number, search: VectorSearch): estypes.MappingTypeMapping {
  return {
    properties: { vector: { type: 'dense_vector', dims: dimensions, similarity: 'cosine', index: true, index_options: { type: search } } },
  };
}
