import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ModelClient, ModelRequest } from '@reenact/domain';
import { quoteData } from '../prompts/quoted-data.js';
import { createMemoryStores, createScriptedModelClient } from '../testing/index.js';
import { completeJson } from './complete-json.js';
import { createMeteredModelClient } from './metered-model-client.js';
import { createOpenAiModelClient } from './openai-model-client.js';
import type { OpenAiSettings } from './openai-model-client.js';
import { LIST_PRICES } from './prices.js';
import { createRecordingModelClient, createReplayingModelClient } from './recorded-model-client.js';
import { createStoredModelClient, storedSpend } from './stored-model-client.js';

type Body = Record<string, unknown>;
type Reply = { status: number; body: unknown; headers?: Record<string, string> } | 'never';

const KEY = 'sk-test-0123456789abcdef0123';
const ask: ModelRequest = {
  purpose: 'ask',
  system: 'be brief',
  user: 'what?',
  schema: { type: 'object' },
  schemaName: 'answer',
  maxOutputTokens: 100,
  temperature: 0,
};
const options = (signal: AbortSignal = new AbortController().signal) => ({ signal, onProgress: () => undefined });
const servers: Server[] = [];
const folders: string[] = [];

async function serve(reply: (body: Body, count: number) => Reply): Promise<{ baseUrl: string; bodies: Body[] }> {
  const bodies: Body[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as Body;
      bodies.push(body);
      const answer = reply(body, bodies.length);
      if (answer === 'never') return;
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(JSON.stringify(answer.body));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies };
}

function answerOf(body: Body, text: string): Reply {
  if (body['messages']) {
    return {
      status: 200,
      body: {
        id: 'c',
        object: 'chat.completion',
        model: 'm-1',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
        usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
      },
    };
  }
  return {
    status: 200,
    body: {
      id: 'r',
      object: 'response',
      model: 'm-1',
      status: 'completed',
      output: [{ id: 'o', type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }],
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    },
  };
}

function openAi(baseUrl: string, parts: Partial<OpenAiSettings> = {}): ModelClient {
  return createOpenAiModelClient({
    api: 'chat',
    baseUrl,
    apiKey: KEY,
    model: 'm',
    timeoutSeconds: 30,
    prices: { asOf: '2026-01-01', models: { m: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } } },
    ...parts,
  });
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'reenact-model-'));
  folders.push(path);
  return path;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

const clients: [string, (text: string) => Promise<ModelClient>][] = [
  ['the scripted client', async (text) => createScriptedModelClient([text])],
  ['the real client, chat protocol', async (text) => openAi((await serve((body) => answerOf(body, text))).baseUrl)],
  [
    'the real client, responses protocol',
    async (text) => openAi((await serve((body) => answerOf(body, text))).baseUrl, { api: 'responses' }),
  ],
];

describe.each(clients)('contract of the model port: %s', (_name, create) => {
  it('gives the text with its usage and the model that answered', async () => {
    const answer = await (await create('{"ok": true}')).complete(ask, options());
    expect(answer.text).toBe('{"ok": true}');
    expect(answer.inputTokens).toBeGreaterThan(0);
    expect(answer.outputTokens).toBeGreaterThan(0);
    expect(answer.model).not.toBe('');
  });

  it('keeps to the signal and throws its reason', async () => {
    const reason = new Error('stopped by a person');
    await expect((await create('x')).complete(ask, options(AbortSignal.abort(reason)))).rejects.toBe(reason);
  });
});

describe('createOpenAiModelClient', () => {
  it('sends a strict schema and counts the cost', async () => {
    const { baseUrl, bodies } = await serve((body) => answerOf(body, 'x'));
    const answer = await openAi(baseUrl).complete(ask, options());
    expect(answer.costUsd).toBeCloseTo((11 + 2 * 7) / 1_000_000, 12);
    expect(bodies[0]).toMatchObject({
      model: 'm',
      max_tokens: 100,
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { strict: true, schema: { type: 'object' } } },
    });
  });

  it('puts the schema into the prompt for a gateway that refuses the parameter, and remembers it', async () => {
    const { baseUrl, bodies } = await serve((body) =>
      body['response_format'] ? { status: 400, body: { error: { message: "unknown field 'response_format'" } } } : answerOf(body, 'x'),
    );
    const client = openAi(baseUrl);
    await client.complete(ask, options());
    await client.complete({ ...ask, user: 'more?' }, options());
    expect(bodies).toHaveLength(3);
    expect(JSON.stringify(bodies[1]!['messages'])).toContain('It must fit this JSON schema');
  });

  it('leaves out a temperature and changes the token field where the endpoint asks for it', async () => {
    const { baseUrl, bodies } = await serve((body) => {
      if (body['max_tokens']) return { status: 400, body: { error: { message: "Use 'max_completion_tokens' instead of 'max_tokens'" } } };
      if ('temperature' in body) return { status: 400, body: { error: { message: "'temperature' does not support 0" } } };
      return answerOf(body, 'x');
    });
    await openAi(baseUrl).complete(ask, options());
    expect(bodies.at(-1)).toMatchObject({ max_completion_tokens: 100 });
  });

  it.each([
    [401, 'llm-auth'],
    [403, 'llm-auth'],
    [404, 'config-invalid'],
    [429, 'llm-rate-limited'],
    [500, 'llm-unreachable'],
    [503, 'llm-unreachable'],
  ])('maps status %i to %s and makes no second call', async (status, code) => {
    const { baseUrl, bodies } = await serve(() => ({
      status,
      body: { error: { message: `bad key ${KEY}` } },
      headers: { 'retry-after': '7' },
    }));
    const error = await openAi(baseUrl)
      .complete(ask, options())
      .catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify([(error as Error).message, (error as { hint?: string }).hint])).not.toContain(KEY);
    expect(bodies).toHaveLength(1);
  });

  it('says that nothing listens', async () => {
    const { baseUrl } = await serve(() => 'never');
    await new Promise((resolve) => servers.pop()!.close(resolve));
    await expect(openAi(baseUrl).complete(ask, options())).rejects.toMatchObject({ code: 'llm-unreachable' });
  });

  it('ends a call that gets no answer', async () => {
    const { baseUrl } = await serve(() => 'never');
    await expect(openAi(baseUrl, { timeoutSeconds: 0.2 }).complete(ask, options())).rejects.toMatchObject({ code: 'llm-unreachable' });
  });

  it('lets a cancel through while it waits', async () => {
    const aborter = new AbortController();
    const { baseUrl } = await serve(() => {
      aborter.abort(new Error('cancelled'));
      return 'never';
    });
    await expect(openAi(baseUrl).complete(ask, options(aborter.signal))).rejects.toThrow('cancelled');
  });
});

describe('completeJson', () => {
  const question = {
    purpose: 'ask',
    system: 's',
    user: 'u',
    schema: z.strictObject({ a: z.number() }),
    schemaName: 'answer',
    maxOutputTokens: 10,
    temperature: 0,
  };

  it('repairs an invalid answer in one turn that shows it', async () => {
    const client = createScriptedModelClient(['{"a": "one"}', '```json\n{"a": 1}\n```']);
    expect((await completeJson(client, question, options())).value).toEqual({ a: 1 });
    expect(client.requests[1]!.user).toContain('{"a": "one"}');
    expect(client.requests[1]!.user.startsWith('u')).toBe(true);
  });

  it('gives up after two invalid answers', async () => {
    const client = createScriptedModelClient(['no', 'no again']);
    await expect(completeJson(client, question, options())).rejects.toMatchObject({ code: 'llm-output-invalid' });
    expect(client.requests).toHaveLength(2);
  });
});

describe('createMeteredModelClient', () => {
  const prices = { asOf: '2026-01-01', models: { scripted: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } } };
  const none = async () => ({ tokens: 0, costUsd: 0 });

  it('reserves the worst case before a call and refuses what does not fit', async () => {
    const client = createScriptedModelClient(['x', 'y']);
    const metered = createMeteredModelClient({ client, prices, budget: { tokens: 112, costUsd: null }, spent: none });
    await metered.complete({ ...ask, schema: null }, options());
    await expect(metered.complete({ ...ask, schema: null }, options())).rejects.toMatchObject({ code: 'budget-exceeded' });
    expect(client.requests).toHaveLength(1);
  });

  it('counts calls that run at the same time', async () => {
    const client = createScriptedModelClient(['x', 'y']);
    const metered = createMeteredModelClient({ client, prices, budget: { tokens: null, costUsd: 0.00015 }, spent: none });
    const results = await Promise.allSettled([metered.complete(ask, options()), metered.complete(ask, options())]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('goes on from what the store says was spent', async () => {
    const metered = createMeteredModelClient({
      client: createScriptedModelClient(['x']),
      prices,
      budget: { tokens: 1000, costUsd: null },
      spent: async () => ({ tokens: 950, costUsd: 0 }),
    });
    await expect(metered.complete(ask, options())).rejects.toMatchObject({ code: 'budget-exceeded' });
  });

  it('stops a model of unknown price under a money limit unless tokens are limited too', async () => {
    const metered = (tokens: number | null) =>
      createMeteredModelClient({
        client: createScriptedModelClient(['x'], 'mystery'),
        prices: LIST_PRICES,
        budget: { tokens, costUsd: 5 },
        spent: none,
      });
    await expect(metered(null).complete(ask, options())).rejects.toMatchObject({ code: 'budget-exceeded' });
    expect((await metered(10_000).complete(ask, options())).text).toBe('x');
  });
});

describe('recording and replay', () => {
  it('gives the recorded answer without a model, and pays nothing', async () => {
    const path = folder();
    await createRecordingModelClient(createScriptedModelClient(['the answer']), path).complete(ask, options());
    expect(await createReplayingModelClient(path).complete(ask, options())).toMatchObject({ text: 'the answer', costUsd: 0 });
  });

  it('takes the answer to a prompt that differs in program output alone, and none where anything else differs', async () => {
    const path = folder();
    const prompt = (plan: string, printed: string) => `${quoteData('plan', plan, 500)}\n\n${quoteData('memory', printed, 500)}\nGo on.`;
    const asked = { ...ask, user: prompt('run it', 'observed in 0.1: 12.3 updates per second') };
    await createRecordingModelClient(createScriptedModelClient(['the answer']), path).complete(asked, options());
    writeFileSync(join(path, '0.json'), '{}');
    const replay = createReplayingModelClient(path);
    const later = { ...ask, user: prompt('run it', 'observed in 0.1: 11.9 updates per second\nobserved in 0.2: 12.0') };
    expect(await replay.complete(later, options())).toMatchObject({ text: 'the answer' });
    const missing = { code: 'model-call-not-recorded' };
    await expect(replay.complete({ ...later, user: prompt('run it twice', 'x') }, options())).rejects.toMatchObject(missing);
    await expect(replay.complete({ ...later, system: 'other' }, options())).rejects.toMatchObject(missing);
  });

  it('says clearly what is missing', async () => {
    await expect(createReplayingModelClient(folder()).complete(ask, options())).rejects.toMatchObject({ code: 'model-call-not-recorded' });
  });

  it('records no key', async () => {
    const path = folder();
    const { baseUrl } = await serve((body) => answerOf(body, 'x'));
    await createRecordingModelClient(openAi(baseUrl), path).complete(ask, options());
    const [file] = readdirSync(path);
    expect(readFileSync(join(path, file!), 'utf8')).not.toContain(KEY);
  });
});

describe('createStoredModelClient', () => {
  it('makes an equal call once, also after a restart', async () => {
    const stores = createMemoryStores();
    const client = createScriptedModelClient(['first']);
    const make = () => createStoredModelClient({ client, ...stores, clock: { now: () => new Date(0) }, runId: 'r1' });
    expect((await make().complete(ask, options())).text).toBe('first');
    expect((await make().complete(ask, options())).text).toBe('first');
    expect(client.requests).toHaveLength(1);
    expect((await storedSpend(stores.runs, 'r1')).tokens).toBeGreaterThan(0);
  });

  it('stores a failure and lets the call be made again', async () => {
    const stores = createMemoryStores();
    const client = createScriptedModelClient([new Error('down'), 'second']);
    const stored = createStoredModelClient({ client, ...stores, clock: { now: () => new Date(0) }, runId: 'r1' });
    await expect(stored.complete(ask, options())).rejects.toThrow('down');
    expect((await stores.runs.listModelCalls('r1'))[0]).toMatchObject({ answer: null, error: 'internal' });
    expect((await stored.complete(ask, options())).text).toBe('second');
  });
});
