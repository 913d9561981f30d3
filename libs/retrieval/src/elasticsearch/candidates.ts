import type { ChunkPlace, SearchHit } from '@reenact/domain';
import { angularSimilarity, combineScore } from '../formula.js';
import type { ServerHit } from './answers.js';

/** A chunk that may come among the best; null where its part is not known yet. */
export interface Candidate {
  place: ChunkPlace;
  isPending: boolean;
  lexical: number | null;
  similarity: number | null;
}

/** Chunks by id, with what several searches told about each. */
export class Candidates {
  private readonly byId = new Map<string, Candidate>();

  addLexical(hits: ServerHit[]): void {
    for (const hit of hits) this.candidateOf(hit).lexical = hit.score;
  }

  addNearest(hits: ServerHit[]): void {
    for (const hit of hits) this.candidateOf(hit).similarity = similarityOf(hit.score);
  }

  addPending(hits: ServerHit[]): void {
    for (const hit of hits) this.candidateOf(hit).lexical = 0;
  }

  /** Ids of chunks whose raw BM25, and of those whose similarity, is still to be asked. */
  missing(): { lexical: string[]; similarity: string[] } {
    const all = [...this.byId.values()];
    return {
      lexical: all.filter(({ lexical }) => lexical === null).map(({ place }) => place.id),
      similarity: all.filter(({ similarity, isPending }) => similarity === null && !isPending).map(({ place }) => place.id),
    };
  }

  /** The best by the formula, with a score above 0; what no search gave a BM25 for holds no term. */
  rank({ maximum, mean, alpha, limit }: { maximum: number; mean: number | null; alpha: number | undefined; limit: number }): SearchHit[] {
    const hits = [...this.byId.values()].map(({ place, lexical, similarity }) => {
      const parts = { lexical: lexical ?? 0, maximum, similarity: mean === null ? null : (similarity ?? mean) };
      return { ...place, score: combineScore(parts, alpha), lexical: parts.lexical, similarity: mean === null ? null : similarity };
    });
    return hits
      .filter(({ score }) => score > 0)
      .sort(compareHits)
      .slice(0, limit);
  }

  private candidateOf({ place, isPending }: ServerHit): Candidate {
    const known = this.byId.get(place.id) ?? { place, isPending, lexical: null, similarity: null };
    this.byId.set(place.id, known);
    return known;
  }
}

/** The server scores a cosine as (1 + cos) / 2. */
export function similarityOf(score: number): number {
  return angularSimilarity(2 * score - 1);
}

function compareHits(left: SearchHit, right: SearchHit): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.startLine - right.startLine || left.endLine - right.endLine;
}
