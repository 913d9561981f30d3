import type { SearchAnswer, SearchHit, SearchRequest } from '@reenact/domain';
import { chunkMask, countChunks } from './chunk-mask.js';
import type { Generation } from './generation.js';
import { explainChunk, largestScore, lexicalScores, queryTerms } from './lexical-scores.js';
import { unpackText } from './packed-text.js';
import { rankByBoth, rankLexically } from './rank-generation.js';
import type { RankedChunk } from './top-chunks.js';

/**
 * Answers a request over every chunk of a generation, exactly. Takes some milliseconds and does not yield.
 * @throws AppError `config-invalid` for a vector of another length than the index's, `index-damaged`.
 */
export function searchGeneration(generation: Generation, request: SearchRequest): SearchAnswer {
  const mask = chunkMask(generation, request.filter);
  const terms = queryTerms(generation, request.tokens);
  const scores = lexicalScores(generation, terms);
  const maximum = largestScore(scores, mask);
  const input = { generation, scores, maximum, mask, limit: request.limit };
  const { best, similarities, meanSimilarity } =
    request.vector === null ? rankLexically(input) : rankByBoth(input, request.vector, request.alpha);
  const hits = best.map((ranked) => {
    const hit = describeHit(generation, ranked, scores[ranked.chunk] ?? 0, similarities.get(ranked.chunk) ?? null);
    return request.explain === true ? { ...hit, terms: explainChunk(generation, terms, ranked.chunk) } : hit;
  });
  return { hits, maximum, meanSimilarity, ...countChunks(generation, mask) };
}

function describeHit(
  { sections, shape }: Generation,
  { chunk, score }: RankedChunk,
  lexical: number,
  similarity: number | null,
): SearchHit {
  return {
    id: Buffer.from(sections.ids.slice(32 * chunk, 32 * chunk + 32)).toString('hex'),
    file: unpackText({ offsets: sections.pathOffsets, bytes: sections.pathBytes }, sections.files[chunk] ?? 0),
    kind: (shape.kinds[sections.kinds[chunk] ?? 0] ?? 'window') as SearchHit['kind'],
    name: unpackText({ offsets: sections.nameOffsets, bytes: sections.nameBytes }, chunk),
    startLine: sections.startLines[chunk] ?? 0,
    endLine: sections.endLines[chunk] ?? 0,
    score,
    lexical,
    similarity,
  };
}
