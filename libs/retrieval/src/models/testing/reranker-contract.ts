import { expect, it } from 'vitest';
import type { RerankCandidate, RerankQuery, Reranker } from '@reenact/domain';

const QUERY: RerankQuery = {
  title: 'cuda error',
  errors: ['cuda memory error'],
  frames: [{ file: 'a.py', function: 'loss', line: 1 }],
  symbols: ['batch'],
};

function candidate(text: string): RerankCandidate {
  return { file: 'a.py', kind: 'function', name: 'f', startLine: 1, endLine: 2, text, score: 0.5 };
}

const CANDIDATES = ['cuda memory', 'loss', 'cuda memory', '', 'loss '.repeat(2000)].map(candidate);

/** What every reranker keeps to. */
export function rerankerContract(open: () => Promise<Reranker>): void {
  async function withReranker(work: (reranker: Reranker) => Promise<void>): Promise<void> {
    const reranker = await open();
    try {
      await work(reranker);
    } finally {
      await reranker.close();
    }
  }

  it('gives one finite score for each candidate, the same for equal ones, in any company', () =>
    withReranker(async (reranker) => {
      const scores = await reranker.rerank(QUERY, CANDIDATES);
      expect(scores).toHaveLength(CANDIDATES.length);
      expect(scores.every((score) => Number.isFinite(score))).toBe(true);
      expect(scores[2]).toBe(scores[0]);
      for (const [index, one] of CANDIDATES.entries()) expect(await reranker.rerank(QUERY, [one])).toEqual([scores[index]]);
    }));

  it('puts what the report speaks of first', () =>
    withReranker(async (reranker) => {
      const [near, far] = await reranker.rerank(QUERY, CANDIDATES);
      expect(near).toBeGreaterThan(far!);
    }));

  it('has nothing to do for no candidates, and an empty report is one', () =>
    withReranker(async (reranker) => {
      expect(await reranker.rerank(QUERY, [])).toEqual([]);
      expect(await reranker.rerank({ title: '', errors: [], frames: [], symbols: [] }, CANDIDATES)).toHaveLength(CANDIDATES.length);
    }));

  it("ends with the signal's reason", () =>
    withReranker(async (reranker) => {
      const reason = new Error('enough');
      await expect(reranker.rerank(QUERY, CANDIDATES, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    }));
}
