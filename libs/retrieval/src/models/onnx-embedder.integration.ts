import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOnnxEmbedder } from './onnx-embedder.js';
import { embedderContract } from './testing/embedder-contract.js';
import { miniLmBed, onnxRuntimeBed } from './testing/onnx-bed.js';
import { TINY_VOCABULARY, TINY_WIDTH, tinyRow, writeTinyEncoder } from './testing/tiny-model.js';

let folder = '';
let runtimeDirectory = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reenact-onnx-'));
  runtimeDirectory = await onnxRuntimeBed();
  await writeTinyEncoder(path.join(folder, 'tiny'));
}, 600_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string, threads = 2) => createOnnxEmbedder({ directory: path.join(folder, name), runtimeDirectory, threads });

describe('an embedder over a tiny ONNX model', () => {
  embedderContract(() => open('tiny'));

  it('takes the mean of the tokens, special ones included, cut at what the model takes', async () => {
    const embedder = await open('tiny');
    const [vector] = await embedder.embed(['loss '.repeat(100)], 'document');
    await embedder.close();
    const ids = ['[CLS]', ...Array.from({ length: 30 }, () => 'loss'), '[SEP]'].map((piece) => TINY_VOCABULARY.indexOf(piece));
    const sums = Array.from({ length: TINY_WIDTH }, (_, column) => ids.reduce((sum, id) => sum + tinyRow(id)[column]!, 0));
    const length = Math.hypot(...sums);
    for (const [column, sum] of sums.entries()) expect(vector![column]).toBeCloseTo(sum / length, 5);
  });

  it('says what is wrong with a file that is no model', async () => {
    await writeTinyEncoder(path.join(folder, 'broken'));
    await writeFile(path.join(folder, 'broken', 'model.onnx'), 'no model');
    await expect(open('broken')).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('model.onnx cannot be run'),
    });
  });

  it('ends what waits when it is closed', async () => {
    const embedder = await open('tiny', 1);
    const waiting = embedder.embed(
      Array.from({ length: 1000 }, (_, index) => `loss ${index}`),
      'document',
    );
    await embedder.close();
    await expect(waiting).rejects.toMatchObject({ code: 'config-invalid' });
  });
});

describe("an embedder over MiniLM's real weights", () => {
  it('finds near what means the same', { timeout: 600_000 }, async () => {
    const embedder = await createOnnxEmbedder({ directory: await miniLmBed(), runtimeDirectory, threads: 1 });
    const texts = [
      'CUDA out of memory, batch size 64',
      'GPU memory exhausted during model training',
      'The weather in Paris is lovely today',
    ];
    const [query, near, far] = await embedder.embed(texts, 'document');
    await embedder.close();
    expect(embedder.dimensions).toBe(384);
    const cosine = (left: Float32Array, right: Float32Array) => left.reduce((sum, value, index) => sum + value * right[index]!, 0);
    expect(cosine(query!, near!)).toBeGreaterThan(0.5);
    expect(cosine(query!, far!)).toBeLessThan(0.1);
  });
});
