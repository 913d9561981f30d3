import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import { readRecord, recordOf } from './model-json.js';
import { readTokenizer } from './read-tokenizer.js';
import type { BertTokenizer } from './read-tokenizer.js';

/** A model as it lies in a directory, in the layout of the hubs' ONNX exports. */
export interface ModelDirectory {
  name: string;
  modelFile: string;
  tokenizer: BertTokenizer;
  /** SHA-256 in hexadecimal over the bytes of model and tokeniser and over the settings that decide about its answers. */
  digest: string;
  /** Longest input in tokens, special ones included. */
  maxTokens: number;
  pooling: 'mean' | 'cls';
  /** What is put before a query and a document, for models that were trained so. */
  prompts: { query: string; document: string };
}

/** In this order: whoever wants the quantised one of two leaves the other out. */
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];
/** Of what this code makes of a text; a change that moves vectors raises it. */
const SCHEME = 1;
/** Position embeddings of BERT. */
const BERT_POSITIONS = 512;

/**
 * Reads what a directory says about its model; the model itself is opened later.
 * @param limit most tokens of an input that are wanted, whatever the model takes.
 * @throws AppError `config-invalid` naming what is missing or not understood.
 */
export async function readModelDirectory(directory: string, limit: number): Promise<ModelDirectory> {
  const relative = MODEL_FILES.find((file) => existsSync(path.join(directory, file)));
  if (relative === undefined) {
    throw new AppError('config-invalid', `The model directory ${directory} has no ${MODEL_FILES.join(', ')}.`, {
      hint: 'Export the model to ONNX, or fetch one; docs/models.md tells how.',
    });
  }
  const modelFile = path.join(directory, relative);
  const config = (await readRecord(path.join(directory, 'config.json'))) ?? {};
  const sentence = (await readRecord(path.join(directory, 'sentence_bert_config.json'))) ?? {};
  const prompts = recordOf((await readRecord(path.join(directory, 'config_sentence_transformers.json')))?.['prompts']);
  const { tokenizer, files } = await readTokenizer(directory);
  const settings = {
    maxTokens: Math.min(
      limit,
      positive(config['max_position_embeddings']) ?? BERT_POSITIONS,
      positive(sentence['max_seq_length']) ?? limit,
    ),
    pooling: await readPooling(directory),
    prompts: { query: text(prompts['query']), document: text(prompts['document']) },
  };
  const modelFiles = [modelFile, `${modelFile}_data`].filter((file) => existsSync(file));
  return { name: path.basename(directory), modelFile, tokenizer, ...settings, digest: await digestOf([...modelFiles, ...files], settings) };
}

async function readPooling(directory: string): Promise<'mean' | 'cls'> {
  const config = (await readRecord(path.join(directory, '1_Pooling', 'config.json'))) ?? {};
  const modes = Object.entries(config).filter(([name, value]) => name.startsWith('pooling_mode_') && value === true);
  const names = modes.map(([name]) => name.slice('pooling_mode_'.length));
  if (names.length === 0 || (names.length === 1 && names[0] === 'mean_tokens')) return 'mean';
  if (names.length === 1 && names[0] === 'cls_token') return 'cls';
  throw new AppError('config-invalid', `${directory}/1_Pooling/config.json asks for a pooling that is neither mean nor first token.`, {
    hint: 'Take a model with mean or CLS pooling.',
  });
}

async function digestOf(files: string[], settings: object): Promise<string> {
  const whole = createHash('sha256').update(JSON.stringify([SCHEME, settings]));
  for (const file of files) whole.update(await fileDigest(file));
  return whole.digest('hex');
}

async function fileDigest(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) hash.update(bytes);
  return hash.digest();
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 2 ? value : null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
