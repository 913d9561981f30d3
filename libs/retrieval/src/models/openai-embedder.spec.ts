import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Embedder } from '@reenact/domain';
import { createOpenAiEmbedder } from './openai-embedder.js';
import { embedderContract } from './testing/embedder-contract.js';

interface Asked {
  url: string;
  headers: IncomingHttpHeaders;
  body: { model: string; input: string[] };
}
type Reply = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> } | 'never';

const KEY = 'sk-test-0123456789abcdef0123';
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Four numbers from the text's hash, not of length 1. */
const vectorOf = (text: string) => Array.from(createHash('sha256').update(text).digest().subarray(0, 4), (byte) => byte - 127.5);
const answer = ({ input }: { input: string[] }) => ({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) });

async function serve(
  reply: (asked: Asked) => Reply = ({ body }) => ({ body: answer(body) }),
): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const one = { url: request.url!, headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) as Asked['body'] };
      asked.push(one);
      const given = reply(one);
      if (given === 'never') return;
      response.writeHead(given.status ?? 200, given.headers).end(given.text ?? JSON.stringify(given.body ?? {}));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, asked };
}

const open = (
  baseUrl: string,
  changes: { apiKey?: string | null; model?: string; dimensions?: number; timeoutSeconds?: number } = {},
): Embedder => createOpenAiEmbedder({ baseUrl, apiKey: KEY, model: 'm', dimensions: 4, timeoutSeconds: 20, ...changes });

describe('createOpenAiEmbedder', () => {
  embedderContract(async () => open((await serve()).baseUrl));

  it('asks in batches, with model and key', async () => {
    const { baseUrl, asked } = await serve();
    await open(baseUrl).embed(
      Array.from({ length: 70 }, (_, index) => `text ${index}`),
      'document',
    );
    expect(asked.map(({ body }) => body.input.length)).toEqual([32, 32, 6]);
    expect(asked[0]).toMatchObject({ url: '/v1/embeddings', body: { model: 'm' }, headers: { authorization: `Bearer ${KEY}` } });
  });

  it('sends no key where there is none', async () => {
    const { baseUrl, asked } = await serve();
    await open(baseUrl, { apiKey: null }).embed(['a'], 'query');
    expect(asked[0]!.headers.authorization).toBeUndefined();
  });

  it('puts vectors in the order of the texts, whatever the order of the answer', async () => {
    const { baseUrl } = await serve(({ body }) => ({ body: { data: answer(body).data.toReversed() } }));
    const straight = await open((await serve()).baseUrl).embed(['a', 'b', 'c'], 'document');
    expect(await open(baseUrl).embed(['a', 'b', 'c'], 'document')).toEqual(straight);
  });

  it.each([
    [401, 'llm-auth', /refused the key/],
    [429, 'llm-rate-limited', /limits the rate/],
    [404, 'config-invalid', /refused the request \(404\)/],
    [307, 'config-invalid', /refused the request \(307\)/],
    [503, 'llm-unreachable', /status 503/],
  ])('maps status %i to %s, and never shows the key', async (status, code, message) => {
    const other = await serve();
    const { baseUrl } = await serve(() => ({
      status,
      body: { error: `wrong key ${KEY}` },
      headers: { location: other.baseUrl, 'retry-after': '7' },
    }));
    const error: unknown = await open(baseUrl)
      .embed(['a'], 'document')
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain(KEY);
    expect(other.asked).toEqual([]);
  });

  it.each([
    ['no JSON', { text: '<html>' }, 'llm-output-invalid'],
    ['no data', { body: { data: 'x' } }, 'llm-output-invalid'],
    ['one too few', { body: { data: [] } }, 'llm-output-invalid'],
    ['words for numbers', { body: { data: [{ index: 0, embedding: ['1', 2, 3, 4] }] } }, 'llm-output-invalid'],
    ['a place that was not asked', { body: { data: [{ index: 5, embedding: [1, 2, 3, 4] }] } }, 'llm-output-invalid'],
    ['no direction', { body: { data: [{ index: 0, embedding: [0, 0, 0, 0] }] } }, 'llm-output-invalid'],
    ['another length', { body: { data: [{ index: 0, embedding: [1, 2, 3] }] } }, 'config-invalid'],
  ])('refuses an answer with %s', async (_, reply, code) => {
    const { baseUrl } = await serve(() => reply);
    await expect(open(baseUrl).embed(['a'], 'document')).rejects.toMatchObject({ code });
  });

  it('says which length to set', async () => {
    await expect(open((await serve()).baseUrl, { dimensions: 384 }).embed(['a'], 'document')).rejects.toMatchObject({
      message: expect.stringContaining('a vector of 4 numbers, not 384') as string,
      hint: expect.stringContaining('EMBEDDER_DIMENSIONS=4') as string,
    });
  });

  it('gives up on a server that is not there or does not answer', async () => {
    await expect(open('http://127.0.0.1:9/v1').embed(['a'], 'document')).rejects.toMatchObject({ code: 'llm-unreachable' });
    const { baseUrl } = await serve(() => 'never');
    await expect(open(baseUrl, { timeoutSeconds: 0.2 }).embed(['a'], 'document')).rejects.toMatchObject({ code: 'llm-unreachable' });
  });

  it('ends a call on the way with the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { baseUrl } = await serve(() => {
      controller.abort(reason);
      return 'never';
    });
    await expect(open(baseUrl).embed(['a'], 'document', { signal: controller.signal })).rejects.toBe(reason);
  });

  it('has a digest of model, length and address, not of the key', () => {
    const digest = open('http://host/v1').digest;
    expect(open('http://host/v1/', { apiKey: null }).digest).toBe(digest);
    const others = [open('http://host/v1', { model: 'n' }), open('http://host/v1', { dimensions: 8 }), open('http://other/v1')];
    expect(new Set([digest, ...others.map((one) => one.digest)]).size).toBe(4);
  });
});
