import type { Embedder, ModelOptions } from '@reenact/domain';
import { readModelDirectory } from './model-directory.js';
import type { ModelDirectory } from './model-directory.js';
import { openOnnxLanes } from './onnx-lanes.js';
import type { OnnxLanes } from './onnx-lanes.js';
import { runLimited } from './run-limited.js';

/** Where a model lies and what it may use. */
export interface OnnxModelSettings {
  /** Model, tokeniser and settings; docs/models.md lists the files. */
  directory: string;
  /** Folder whose `node_modules` holds `onnxruntime-node`; null = where this package finds it. */
  runtimeDirectory: string | null;
  /** Threads, each with the model in memory. */
  threads: number;
}

/** Tokens of a text that are looked at (retrieval.md section 5.4): signature, docstring and head of the body. */
const LONGEST_TEXT = 256;

/**
 * Embedder over a directory with an ONNX export of a BERT-like sentence encoder: pooled, L2-normalised. Nothing leaves the machine.
 * @throws AppError `config-invalid` where directory, runtime or model is not usable.
 */
export async function createOnnxEmbedder({ directory, runtimeDirectory, threads }: OnnxModelSettings): Promise<Embedder> {
  const model = await readModelDirectory(directory, LONGEST_TEXT);
  const lanes = await openOnnxLanes({ modelFile: model.modelFile, pooling: model.pooling, runtimeDirectory, lanes: threads });
  try {
    const sample = await lanes.run(inputOf(model, 'x'));
    return {
      name: model.name,
      digest: model.digest,
      dimensions: sample.length,
      embed: (texts, role, options = {}) => embedTexts({ model, lanes, threads }, texts, role, options),
      close: () => lanes.close(),
    };
  } catch (error) {
    await lanes.close();
    throw error;
  }
}

interface OpenModel {
  model: ModelDirectory;
  lanes: OnnxLanes;
  threads: number;
}

async function embedTexts(
  { model, lanes, threads }: OpenModel,
  texts: string[],
  role: 'query' | 'document',
  options: ModelOptions,
): Promise<Float32Array[]> {
  const prompt = model.prompts[role];
  return runLimited(texts, (text) => lanes.run(inputOf(model, prompt + text)), { ...options, limit: threads });
}

/** [CLS] text [SEP]; what is too long loses its end. */
function inputOf({ tokenizer, maxTokens }: ModelDirectory, text: string): { ids: number[] } {
  return { ids: [tokenizer.classId, ...tokenizer.encode(text, maxTokens - 2), tokenizer.separatorId] };
}
