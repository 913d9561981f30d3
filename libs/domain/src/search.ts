/** What a chunk holds. `run` is a contiguous run of module-level statements, `window` a piece of text that does not parse. */
export type ChunkKind =
  'function' | 'method' | 'class' | 'run' | 'window' | 'cell' | 'configuration' | 'launcher' | 'readme' | 'requirements';

/** Where a chunk stands in its tree. */
export interface ChunkPlace {
  /** SHA-256 of path, span and text in hexadecimal: byte-identical functions at two places stay two chunks. */
  id: string;
  /** Path relative to the tree, with `/`. */
  file: string;
  kind: ChunkKind;
  /** `Class.method`, `function`; the dotted module name for runs and windows; the file's stem otherwise. */
  name: string;
  /** First and last line, counted from 1, both inclusive; decorators belong to the span. */
  startLine: number;
  endLine: number;
}

/** A chunk as every engine indexes it. */
export interface SearchableChunk extends ChunkPlace {
  text: string;
  /** Tokens by field, in order and with repetition; the fields' weights belong to the formula. */
  tokens: { text: string[]; name: string[]; path: string[] };
  /** Unit vector of the text; null where it is not embedded yet. */
  vector: Float32Array | null;
}

/** Narrows a search; the maximum that scores are divided by is taken over the chunks that pass. */
export interface ChunkFilter {
  /** Files, or folders with everything below; relative to the tree, with `/` and without one at the end. */
  paths?: string[];
  kinds?: ChunkKind[];
  withoutTests?: boolean;
}

export interface SearchRequest {
  /** Query tokens, with repetition: one that comes twice counts twice. */
  tokens: string[];
  /** Unit vector of the query; null for a lexical search. */
  vector: Float32Array | null;
  limit: number;
  filter?: ChunkFilter;
  /** Share of the similarity in the score, 0 to 1; 0.55 when not given (method.md section 1.5). Not used without a vector. */
  alpha?: number;
  /** Whether every hit tells how its score came about. */
  explain?: boolean;
}

/** What one query term gives to a chunk's raw BM25 score. */
export interface TermScore {
  term: string;
  /** How often the query holds it. */
  times: number;
  inverseDocumentFrequency: number;
  /** How often the chunk holds it, fields weighted. */
  frequency: number;
  score: number;
}

export interface SearchHit extends ChunkPlace {
  /** 0 to 1: the formula's value. */
  score: number;
  /** Raw BM25. */
  lexical: number;
  /** 1 − acos(cos)/π; null for a chunk without a vector, which is reckoned with the mean of the others, and in a lexical search. */
  similarity: number | null;
  /** With `explain`: the terms that the chunk holds, the weightiest first. */
  terms?: TermScore[];
}

export interface SearchAnswer {
  /** Best first; ties by file, then by line. */
  hits: SearchHit[];
  /** The largest raw BM25 of any chunk that passes the filter; 0 where no term is known. */
  maximum: number;
  /** Mean similarity of the chunks that have a vector; null in a lexical search and where none has one. */
  meanSimilarity: number | null;
  /** Chunks that pass the filter, and those of them without a vector. */
  chunks: number;
  pending: number;
}

/** One published state of a repository. */
export interface IndexName {
  repository: string;
  /** Branch, commit or tree hash. */
  revision: string;
}

/** A published revision, open for searching; what is published afterwards does not change it. */
export interface ChunkSearch {
  search(request: SearchRequest, options?: { signal?: AbortSignal }): Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** The chunks of a tree file by file, so that an engine need not read those of files that it has in an earlier revision of the repository. */
export interface FiledChunks {
  /** By file what its chunks are known by: equal digest, equal chunks with equal tokens. */
  digests: ReadonlyMap<string, string>;
  /** All chunks of one of these files, without vectors. */
  chunksOf(file: string): Iterable<SearchableChunk>;
}

/** What an engine takes chunks from. */
export type ChunkSource = Iterable<SearchableChunk> | AsyncIterable<SearchableChunk> | FiledChunks;

/**
 * An engine that searches chunks: the embedded one, or a search cluster. Both rank by one formula, so that equal chunks and
 * requests give the same order (a cluster rounds lengths, so its last places may differ).
 */
export interface ChunkIndex {
  /** For people: what kind of engine this is. */
  readonly kind: string;
  /**
   * Makes the chunks of a revision searchable, all or nothing; the same name again replaces what was there. Vectors have one
   * length. `embedding` is the digest of the model that made them; null where there are none.
   */
  publish(name: IndexName, chunks: ChunkSource, options: { embedding: string | null; signal?: AbortSignal }): Promise<void>;
  /** Opens a revision; null where nothing is published under its name. */
  open(name: IndexName): Promise<ChunkSearch | null>;
  /** Takes a revision out; nothing happens where there is none. */
  remove(name: IndexName): Promise<void>;
}
