import type { BenchGround } from './bench-ground.js';
import type { BenchLine } from './bench-row.js';
import type { RetrievalProduct } from './product.js';

export interface RetrievalBenchOptions {
  /** Chunks of the main and of the large size; the bars are meant for 50,000 and 200,000. */
  chunks: number;
  largeChunks: number;
  /** Chunks of the size at which real vectors are made; the costly part of the bench. */
  denseChunks: number;
  /** Docstring queries taken at most. */
  docstrings: number;
  /** Long queries timed at each size. */
  queries: number;
  seed: number;
  /** Address of a running Elasticsearch node; null = none. */
  elasticsearchUrl: string | null;
  /** Folder of cases for the report row; null = none. */
  casesDirectory: string | null;
}

/** What a row works with. */
export interface RowContext {
  options: RetrievalBenchOptions;
  product: RetrievalProduct;
  ground: BenchGround;
  report: (message: string) => void;
}

/** Makes the lines of one row. */
export type MakeRow = (context: RowContext) => Promise<BenchLine[]>;
