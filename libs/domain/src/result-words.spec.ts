import { describe, expect, it } from 'vitest';
import { rankingWords } from './result-words.js';

describe('rankingWords', () => {
  it('says that words alone ranked, and why', () => {
    expect(rankingWords({ engine: 'embedded', chunks: 12, embedder: null, reranker: null })).toBe(
      '12 chunks ranked by words alone, since no embedding model is configured (embedded engine)',
    );
  });

  it('names models with their digests, and what was embedded', () => {
    const embedder = { name: 'mini', digest: 'a'.repeat(64), embedded: 30, pending: 5 };
    const reranker = { name: 'cross', digest: 'b'.repeat(64) };
    expect(rankingWords({ engine: 'elasticsearch', chunks: 100, embedder, reranker })).toBe(
      '100 chunks ranked by words and mini (aaaaaaaaaaaa), the best ordered by cross (bbbbbbbbbbbb) (elasticsearch engine; 30 embedded now, 5 without a vector)',
    );
  });
});
