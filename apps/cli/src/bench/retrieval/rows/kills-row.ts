import { missingLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';

/** Kills spread over every write of the index and of the engine. */
export async function killsRow(): Promise<BenchLine[]> {
  const measure = '100 kills spread over every write and rename: results equal a clean build';
  return [missingLine('kills', measure, 'no such part')];
}
