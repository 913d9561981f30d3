import { AppError } from '@reenact/domain';
import { angularSimilarity, combineScore } from '../formula.js';
import { similarityAbove, similarityBelow, similarityNear } from './angular-table.js';
import type { Generation } from './generation.js';
import { exactCosine, scanCodes, scanError, scanRows } from './similarity-scan.js';
import type { SimilarityScan } from './similarity-scan.js';
import type { RankedChunk } from './top-chunks.js';
import { createTopChunks } from './top-chunks.js';

/** What a ranking goes by. */
export interface RankingInput {
  generation: Generation;
  /** Raw BM25 of every chunk, and its maximum over the chunks that pass. */
  scores: Float64Array;
  maximum: number;
  mask: Uint8Array | null;
  limit: number;
}

/** The best chunks, best first. */
export interface RankedChunks {
  best: RankedChunk[];
  /** Similarity of the best chunks that have a row, by chunk. */
  similarities: Map<number, number>;
  meanSimilarity: number | null;
}

/** Doubles round in the sixteenth place; bounds are widened by a little more. */
const SLACK = 1e-12;
/** So many true rows are scanned in half a millisecond. */
const FEW_ROWS = 4096;

/** Ranks by words alone: the chunks that hold one. */
export function rankLexically({ scores, maximum, mask, limit }: RankingInput): RankedChunks {
  const top = createTopChunks(limit);
  const perLexical = combineScore({ lexical: 1, maximum, similarity: null });
  let reached = top.threshold();
  for (let chunk = 0; chunk < scores.length; chunk++) {
    const lexical = scores[chunk] ?? 0;
    if (lexical === 0 || lexical * perLexical + SLACK < reached || (mask !== null && mask[chunk] !== 1)) continue;
    top.push(chunk, combineScore({ lexical, maximum, similarity: null }));
    reached = top.threshold();
  }
  return { best: top.ranked(), similarities: new Map(), meanSimilarity: null };
}

/**
 * Ranks by words and vectors, exactly, over every chunk. The int8 scan gives each chunk's similarity within a proven error, so its
 * score lies between two bounds; every chunk whose upper bound reaches the lowest bound that `limit` chunks surely reach is reckoned
 * anew from its true row. No other chunk can be among the best.
 */
export function rankByBoth(input: RankingInput, query: Float32Array, alpha: number | undefined): RankedChunks {
  const { generation, scores, maximum, mask, limit } = input;
  const { rowChunks, rows } = generation.sections;
  if (rowChunks.length === 0) return rankLexically(input);
  checkQuery(generation, query);
  const isPartly = rowChunks.length < generation.shape.chunks;
  // The mean is what chunks without a vector are scored with, and few errors do not cancel out: both ask for the true rows.
  const scansRows = rows.length > 0 && (isPartly || rowChunks.length <= FEW_ROWS);
  const scan = scansRows ? scanRows(generation, query) : scanCodes(generation, query);
  const meanSimilarity = meanOf(scan, rowChunks, mask);
  if (meanSimilarity === null) return rankLexically(input);
  const combine = (chunk: number, similarity: number): number => combineScore({ lexical: scores[chunk] ?? 0, maximum, similarity }, alpha);
  const bounds = boundScores(input, scan, { meanSimilarity, alpha });
  const top = createTopChunks(limit);
  const similarities = new Map<number, number>();
  for (let row = 0; row < rowChunks.length; row++) {
    const chunk = rowChunks[row] ?? 0;
    if ((bounds.upper[row] ?? -1) < bounds.reached) continue;
    const similarity = angularSimilarity(rowCosine(generation, scan, row, query));
    similarities.set(chunk, similarity);
    top.push(chunk, combine(chunk, similarity));
  }
  for (const chunk of bounds.pending) top.push(chunk, combine(chunk, meanSimilarity));
  return { best: top.ranked().filter(({ score }) => score > 0), similarities, meanSimilarity };
}

function checkQuery({ shape }: Generation, query: Float32Array): void {
  if (shape.dimensions === null || query.length === shape.dimensions) return;
  const message = `The query's vector has ${query.length} numbers, those of the index have ${shape.dimensions}.`;
  throw new AppError('config-invalid', message, { hint: 'Search with the model that the index was made with, or index again.' });
}

function meanOf({ cosines }: SimilarityScan, rowChunks: Uint32Array, mask: Uint8Array | null): number | null {
  let sum = 0;
  let count = 0;
  for (let row = 0; row < cosines.length; row++) {
    if (mask !== null && mask[rowChunks[row] ?? 0] !== 1) continue;
    sum += similarityNear(cosines[row] ?? 0);
    count++;
  }
  return count === 0 ? null : sum / count;
}

/** Upper bound of each row's score (−1 where its chunk does not pass), and a score that `limit` chunks surely reach. */
interface ScoreBounds {
  upper: Float64Array;
  reached: number;
  /** Chunks that pass and have no row; their score is known already. */
  pending: number[];
}

function boundScores(
  { generation, scores, maximum, mask, limit }: RankingInput,
  scan: SimilarityScan,
  { meanSimilarity, alpha }: { meanSimilarity: number; alpha: number | undefined },
): ScoreBounds {
  // The formula is linear in both of its parts: what each weighs is taken out of it once.
  const perLexical = combineScore({ lexical: 1, maximum, similarity: 0 }, alpha);
  const perSimilarity = combineScore({ lexical: 0, maximum, similarity: 1 }, alpha);
  const { rowChunks } = generation.sections;
  const { cosines } = scan;
  const upper = new Float64Array(rowChunks.length).fill(-1);
  const lowest = createTopChunks(limit);
  let reached = lowest.threshold();
  for (let row = 0; row < cosines.length; row++) {
    const chunk = rowChunks[row] ?? 0;
    if (mask !== null && mask[chunk] !== 1) continue;
    const cosine = cosines[row] ?? 0;
    const error = scanError(scan, row);
    const lexical = perLexical * (scores[chunk] ?? 0);
    const most = lexical + perSimilarity * similarityAbove(cosine + error) + SLACK;
    upper[row] = most;
    if (most < reached) continue;
    lowest.push(chunk, lexical + perSimilarity * similarityBelow(cosine - error) - SLACK);
    reached = lowest.threshold();
  }
  const pending = pendingChunks(generation, mask);
  for (const chunk of pending) lowest.push(chunk, perLexical * (scores[chunk] ?? 0) + perSimilarity * meanSimilarity - SLACK);
  return { upper, reached: lowest.threshold(), pending };
}

function pendingChunks({ sections, shape }: Generation, mask: Uint8Array | null): number[] {
  if (sections.rowChunks.length === shape.chunks) return [];
  const hasRow = new Uint8Array(shape.chunks);
  for (const chunk of sections.rowChunks) hasRow[chunk] = 1;
  const pending: number[] = [];
  for (let chunk = 0; chunk < hasRow.length; chunk++) if (hasRow[chunk] === 0 && (mask === null || mask[chunk] === 1)) pending.push(chunk);
  return pending;
}

/** The exact cosine of a row. One outside the scan's bounds means that file and codes are not of one make. */
function rowCosine(generation: Generation, scan: SimilarityScan, row: number, query: Float32Array): number {
  const cosine = exactCosine(generation.readRow(row), query);
  if (!(Math.abs(cosine - (scan.cosines[row] ?? 0)) <= scanError(scan, row)))
    throw new AppError('index-damaged', `Vector ${row} of the search index does not fit its codes.`, {
      hint: 'The file was changed or cut; make the index anew.',
    });
  return cosine;
}
