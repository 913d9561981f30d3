import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tinyCrossEncoder, tinyEncoder } from './tiny-onnx.js';

/** Words that the tiny models know; the ids are their places. */
export const TINY_VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  'loss',
  'cuda',
  'memory',
  'batch',
  'error',
  ':',
  '.',
  'def',
  '##s',
];
export const TINY_WIDTH = 4;

/** Row of a token: told apart by its id, the same on every machine. */
export function tinyRow(id: number): number[] {
  return Array.from({ length: TINY_WIDTH }, (_, column) => Math.sin(1 + id * 3 + column * 7));
}

/** Writes a sentence encoder of a few hundred bytes into a directory, with its tokeniser. */
export async function writeTinyEncoder(directory: string): Promise<void> {
  const table = Float32Array.from(TINY_VOCABULARY.flatMap((_, id) => tinyRow(id)));
  await writeModel(directory, tinyEncoder(table, TINY_WIDTH));
}

/** Writes a cross-encoder: `cuda` and `memory` give a point each, `loss` takes one. */
export async function writeTinyCrossEncoder(directory: string): Promise<void> {
  const points: Record<string, number> = { cuda: 1, memory: 1, loss: -1 };
  await writeModel(directory, tinyCrossEncoder(Float32Array.from(TINY_VOCABULARY, (piece) => points[piece] ?? 0)));
}

async function writeModel(directory: string, model: Uint8Array): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, 'model.onnx'), model);
  await writeFile(path.join(directory, 'vocab.txt'), `${TINY_VOCABULARY.join('\n')}\n`);
  await writeFile(path.join(directory, 'config.json'), JSON.stringify({ model_type: 'bert', max_position_embeddings: 32 }));
}
