import type { RerankCandidate, RerankQuery, Reranker } from '@reenact/domain';
import { condenseQuery } from './condense-query.js';
import { readModelDirectory } from './model-directory.js';
import type { ModelDirectory } from './model-directory.js';
import type { OnnxModelSettings } from './onnx-embedder.js';
import { openOnnxLanes } from './onnx-lanes.js';
import type { ModelInput } from './onnx-lanes.js';
import { runLimited } from './run-limited.js';

/** Tokens of a pair (the positions of BERT). */
const LONGEST_PAIR = 512;
/** Tokens of the query in it (retrieval.md section 5.3), so that the code has room. */
const LONGEST_QUERY = 96;
/** Windows of a long chunk that are scored, and how much of one the next repeats. */
const WINDOWS_AT_MOST = 3;
const OVERLAP_SHARE = 0.25;

/**
 * Cross-encoder over a directory with an ONNX export of a BERT-like pair classifier with one logit (ms-marco MiniLM shape). The score
 * is the raw logit; of a long chunk the largest of its windows. Nothing leaves the machine.
 * @throws AppError `config-invalid` where directory, runtime or model is not usable.
 */
export async function createOnnxReranker({ directory, runtimeDirectory, threads }: OnnxModelSettings): Promise<Reranker> {
  const model = await readModelDirectory(directory, LONGEST_PAIR);
  const lanes = await openOnnxLanes({ modelFile: model.modelFile, pooling: 'logit', runtimeDirectory, lanes: threads });
  const score = async (inputs: ModelInput[]): Promise<number> => {
    const logits = await Promise.all(inputs.map((input) => lanes.run(input)));
    return Math.max(...logits.map((logit) => logit[0]!));
  };
  try {
    await score(pairInputs(model, [], ''));
  } catch (error) {
    await lanes.close();
    throw error;
  }
  return {
    name: model.name,
    digest: model.digest,
    rerank: async (query: RerankQuery, candidates: RerankCandidate[], options = {}) => {
      const condensed = condenseQuery(query, model.tokenizer, Math.min(LONGEST_QUERY, Math.floor(model.maxTokens / 3)));
      return runLimited(candidates, ({ text }) => score(pairInputs(model, condensed, text)), { ...options, limit: threads });
    },
    close: () => lanes.close(),
  };
}

/** [CLS] query [SEP] window [SEP], the second part of type 1; one input for each window of the text. */
export function pairInputs(
  { tokenizer, maxTokens }: Pick<ModelDirectory, 'tokenizer' | 'maxTokens'>,
  query: number[],
  text: string,
): ModelInput[] {
  const room = maxTokens - query.length - 3;
  const step = Math.max(1, Math.floor(room * (1 - OVERLAP_SHARE)));
  const ids = tokenizer.encode(text, room + step * (WINDOWS_AT_MOST - 1));
  const first = [tokenizer.classId, ...query, tokenizer.separatorId];
  const windows: ModelInput[] = [];
  for (let from = 0; from === 0 || from + room - step < ids.length; from += step) {
    const second = [...ids.slice(from, from + room), tokenizer.separatorId];
    windows.push({ ids: [...first, ...second], types: [...first.map(() => 0), ...second.map(() => 1)] });
  }
  return windows;
}
