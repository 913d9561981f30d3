import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RerankCandidate } from '@reenact/domain';
import { createOnnxReranker } from './onnx-reranker.js';
import { onnxRuntimeBed } from './testing/onnx-bed.js';
import { rerankerContract } from './testing/reranker-contract.js';
import { writeTinyCrossEncoder, writeTinyEncoder } from './testing/tiny-model.js';

let folder = '';
let runtimeDirectory = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reenact-onnx-'));
  runtimeDirectory = await onnxRuntimeBed();
  await writeTinyCrossEncoder(path.join(folder, 'tiny'));
  await writeTinyEncoder(path.join(folder, 'encoder'));
}, 600_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string) => createOnnxReranker({ directory: path.join(folder, name), runtimeDirectory, threads: 2 });
const candidate = (text: string): RerankCandidate => ({
  file: 'a.py',
  kind: 'function',
  name: 'f',
  startLine: 1,
  endLine: 2,
  text,
  score: 0,
});

describe('a cross-encoder over a tiny ONNX model', () => {
  rerankerContract(() => open('tiny'));

  it('gives the raw logit, of a long chunk the one of its best window', async () => {
    const reranker = await open('tiny');
    const query = { title: '', errors: [], frames: [], symbols: [] };
    const texts = ['cuda memory loss', `${'batch '.repeat(35)}cuda cuda cuda`, 'batch '.repeat(500) + 'cuda'];
    const scores = await reranker.rerank(query, texts.map(candidate));
    await reranker.close();
    // The last one's beyond the third window: only so much of a chunk is read.
    expect(scores).toEqual([1, 3, 0]);
  });

  it('refuses a model that gives no single score', async () => {
    await expect(open('encoder')).rejects.toMatchObject({ code: 'config-invalid', message: expect.stringContaining('cross-encoder') });
  });
});
