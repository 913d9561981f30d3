import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRetrievalModels } from '@reenact/domain/schemas';
import { createEmbedder, createReranker, openSharedEmbeddings } from './create-models.js';
import { writeTinyEncoder } from './testing/tiny-model.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'reenact-models-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const models = (variables: Record<string, string>) => readRetrievalModels(variables).models!;
const onnx = (directory: string) => models({ EMBEDDER_TYPE: 'onnx', EMBEDDER_DIRECTORY: directory, ONNX_RUNTIME_DIRECTORY: folder });

describe('createEmbedder', () => {
  it('is none where none is configured', async () => {
    expect(await createEmbedder(models({}))).toBeNull();
  });

  it('tells the one command where the runtime is not installed', async () => {
    await writeTinyEncoder(folder);
    await expect(createEmbedder(onnx(folder))).rejects.toMatchObject({
      code: 'config-invalid',
      hint: expect.stringMatching(/^Run: npm install .* onnxruntime-node@/) as string,
    });
  });

  const MAXIMUM = '{"pooling_mode_max_tokens":true}';
  it.each<[string, Record<string, string>, RegExp]>([
    ['no model', {}, /has no model\.onnx/],
    ['no tokeniser', { 'model.onnx': '' }, /neither tokenizer\.json nor vocab\.txt/],
    ['a tokeniser of another kind', { 'model.onnx': '', 'tokenizer.json': '{"model":{"type":"BPE"}}' }, /not a BERT/],
    ['a tokeniser that is no JSON', { 'model.onnx': '', 'tokenizer.json': '{"model":' }, /tokenizer\.json is not a JSON object/],
    ['no special tokens', { 'model.onnx': '', 'vocab.txt': 'a\nb\n' }, /has no piece \[UNK\]/],
    [
      'max pooling',
      { 'model.onnx': '', 'vocab.txt': '[UNK]\n[CLS]\n[SEP]', '1_Pooling/config.json': MAXIMUM },
      /neither mean nor first token/,
    ],
  ])('says that a directory has %s', async (_, files, message) => {
    await mkdir(path.join(folder, '1_Pooling'));
    for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content);
    await expect(createEmbedder(onnx(folder))).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('createReranker', () => {
  it('weighs features where no model is configured', async () => {
    expect((await createReranker(models({}))).name).toBe('features');
  });
});

describe('openSharedEmbeddings', () => {
  it('lies in the state directory, which it makes', () => {
    const cache = openSharedEmbeddings(path.join(folder, 'state'), models({}), () => undefined);
    expect(cache.size().vectors).toBe(0);
    cache.close();
  });
});
