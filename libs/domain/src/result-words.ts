import type { ContextRanking, Verdict } from './schemas/index.js';

/** What each depth means (verdict.md section 5): how far a run came, told on every answer and above all on a miss. */
export const DEPTH_WORDS: Record<Verdict['depth'], string> = {
  L0: 'nothing ran',
  L1: 'a trial ran, and did not come as far as the reported phase',
  L2: "the subject's code ran to where the symptom could be decided, and it did not come",
  L3: 'a failure of the reported type came, and not the reported one',
  L4: 'the reported symptom was seen, though not as a whole or not often enough for a rate',
  L5: 'the whole claim was shown, with a rate and its interval',
  L6: 'it fails here and passes with the fix or the good version',
  L7: 'it was made smaller and traced to a change',
};

/** Digits of a model's digest that are shown. */
const DIGEST_DIGITS = 12;

/** By what a tree's chunks were ranked, for the run's story and the result; names of models are as they were configured. */
export function rankingWords({ engine, chunks, embedder, reranker }: ContextRanking): string {
  const by = embedder === null ? 'words alone, since no embedding model is configured' : `words and ${modelWords(embedder)}`;
  const order = reranker === null ? '' : `, the best ordered by ${modelWords(reranker)}`;
  const vectors = embedder === null ? '' : `; ${embedder.embedded} embedded now, ${embedder.pending} without a vector`;
  return `${chunks} chunks ranked by ${by}${order} (${engine} engine${vectors})`;
}

function modelWords({ name, digest }: { name: string; digest: string }): string {
  return `${name} (${digest.slice(0, DIGEST_DIGITS)})`;
}
