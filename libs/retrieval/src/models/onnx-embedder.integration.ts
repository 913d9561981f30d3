import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOnnxEmbedder } from './onnx-embedder.js';
import { readTokenizer } from './read-tokenizer.js';
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

  it('has the digest of its bytes and settings: each that changes a vector changes it', async () => {
    const digests: string[] = [];
    for (const change of [
      {},
      { 'config.json': '{"max_position_embeddings":16}' },
      { 'vocab.txt': `${TINY_VOCABULARY.join('\n')}\nmore\n` },
    ]) {
      await writeTinyEncoder(path.join(folder, 'changed'));
      for (const [file, content] of Object.entries(change)) await writeFile(path.join(folder, 'changed', file), content);
      const embedder = await open('changed', 1);
      digests.push(embedder.digest);
      await embedder.close();
    }
    const tiny = await open('tiny', 1);
    await tiny.close();
    expect(tiny.digest).toBe(digests[0]);
    expect(new Set(digests).size).toBe(3);
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
  it('gives the similarities that the documentation of sentence-transformers shows for the model', { timeout: 600_000 }, async () => {
    const embedder = await createOnnxEmbedder({ directory: await miniLmBed(), runtimeDirectory, threads: 1 });
    const published = ['The weather is lovely today.', "It's so sunny outside!", 'He drove to the stadium.'];
    const report = ['CUDA out of memory, batch size 64', 'GPU memory exhausted during model training'];
    const [lovely, sunny, stadium, cuda, gpu] = await embedder.embed([...published, ...report], 'document');
    await embedder.close();
    expect(embedder.dimensions).toBe(384);
    const cosine = (left: Float32Array, right: Float32Array) => left.reduce((sum, value, index) => sum + value * right[index]!, 0);
    // The weights are rounded to int8, so that the third digit moves.
    expect(cosine(lovely!, sunny!)).toBeCloseTo(0.666, 2);
    expect(cosine(lovely!, stadium!)).toBeCloseTo(0.1046, 2);
    expect(cosine(sunny!, stadium!)).toBeCloseTo(0.1411, 2);
    expect(cosine(cuda!, gpu!)).toBeGreaterThan(0.5);
    expect(cosine(cuda!, sunny!)).toBeLessThan(0.1);
  });

  it("reads the model's own tokeniser as the reference implementation does, on code", { timeout: 600_000 }, async () => {
    const directory = await miniLmBed();
    const read = async (name: string) => JSON.parse(await readFile(path.join(directory, name), 'utf8')) as Record<string, unknown>;
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const oracle = new Tokenizer(await read('tokenizer.json'), await read('tokenizer_config.json'));
    const { tokenizer } = await readTokenizer(directory);
    for (const file of ['onnx-embedder.ts', 'word-piece.spec.ts', 'read-tokenizer.ts', 'embedding-cache.ts']) {
      for (const line of (await readFile(path.join(import.meta.dirname, file), 'utf8')).split('\n')) {
        if (line.includes('[')) continue;
        expect(tokenizer.encode(line, 10_000)).toEqual(oracle.encode(line, { add_special_tokens: false }).ids);
      }
    }
  });
});
