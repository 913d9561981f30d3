import { missingLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import type { RowContext } from '../row-context.js';

/** A real Elasticsearch node: overlap with the embedded engine, and a node killed in the middle of a bulk. */
export async function clusterRow({ product, options, report }: RowContext): Promise<BenchLine[]> {
  if (product.measureCluster === null)
    return [missingLine('cluster', 'Elasticsearch: top-20 overlap; node killed in a bulk', 'no adapter')];
  return product.measureCluster(options, report);
}

/** Kills spread over every write of the index and of the engine. */
export async function killsRow({ product, options, report }: RowContext): Promise<BenchLine[]> {
  if (product.measureKills === null)
    return [missingLine('kills', '100 kills spread over every write: results equal a clean build', 'no durable index')];
  return product.measureKills(options, report);
}
