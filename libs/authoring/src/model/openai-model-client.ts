import { APIError, OpenAI } from 'openai';
import type { ModelAnswer, ModelClient, ModelRequest } from '@reenact/domain';
import { mapModelError } from './model-errors.js';
import { patientFetch } from './patient-fetch.js';
import { costOf } from './prices.js';
import type { PriceTable } from './prices.js';

/** How to reach an OpenAI-compatible endpoint. Everything is handed in; no variable of the process is read. */
export interface OpenAiSettings {
  /** `responses` is OpenAI's own protocol; `chat` is what gateways and local servers speak. */
  api: 'chat' | 'responses';
  baseUrl: string;
  /** Local servers that ask for none take any word. Never logged, never part of an error or a stored call. */
  apiKey: string;
  model: string;
  /** Whole call, answer included. */
  timeoutSeconds: number;
  prices: PriceTable;
  headers?: Record<string, string>;
}

/** What an endpoint turned out not to accept; learned from its refusals and kept for the client's life. */
interface Dialect {
  schema: boolean;
  temperature: boolean;
  tokenField: 'max_completion_tokens' | 'max_tokens';
}

interface RawAnswer {
  text: string;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  model: string;
}

const PROGRESS_EVERY_MS = 5_000;
const MAX_DIALECT_CHANGES = 3;

/**
 * Model client over the `openai` package. Retries belong to the caller's layer (Temporal), so there are none here, except
 * that a parameter which the endpoint refuses by name is left out and the call made once more.
 * @throws AppError llm-auth, llm-unreachable (within 10 s when nothing listens), llm-rate-limited, config-invalid
 */
export function createOpenAiModelClient(settings: OpenAiSettings): ModelClient {
  const client = new OpenAI({
    apiKey: settings.apiKey || 'none',
    baseURL: settings.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: settings.timeoutSeconds * 1000,
    fetch: patientFetch,
    logLevel: 'off',
    ...(settings.headers && { defaultHeaders: settings.headers }),
  });
  const dialect: Dialect = {
    schema: true,
    temperature: true,
    tokenField: isOpenAi(settings.baseUrl) ? 'max_completion_tokens' : 'max_tokens',
  };
  return {
    name: settings.model,
    complete: async (request, { signal, onProgress }) => {
      signal.throwIfAborted();
      const ticker = setInterval(onProgress, PROGRESS_EVERY_MS);
      try {
        return finish(await callWithDialect(client, settings, { request, signal, dialect }), request, settings);
      } catch (error) {
        throw mapModelError(error, { endpoint: displayAddress(settings.baseUrl), model: settings.model, apiKey: settings.apiKey, signal });
      } finally {
        clearInterval(ticker);
      }
    },
  };
}

interface Call {
  request: ModelRequest;
  signal: AbortSignal;
  dialect: Dialect;
}

async function callWithDialect(client: OpenAI, settings: OpenAiSettings, call: Call): Promise<RawAnswer> {
  for (let change = 0; ; change += 1) {
    try {
      return await (settings.api === 'chat' ? callChat(client, settings.model, call) : callResponses(client, settings.model, call));
    } catch (error) {
      if (change >= MAX_DIALECT_CHANGES || !(error instanceof APIError) || !adapt(call.dialect, error)) throw error;
    }
  }
}

/** Leaves out the parameter that a 400 or 422 names; false where the refusal is about something else. */
function adapt(dialect: Dialect, error: { status?: unknown; message: string }): boolean {
  if (error.status !== 400 && error.status !== 422) return false;
  if (dialect.schema && /response_format|json_schema|text\.format|\bschema\b/i.test(error.message)) dialect.schema = false;
  else if (dialect.temperature && /temperature/i.test(error.message)) dialect.temperature = false;
  else if (dialect.tokenField === 'max_tokens' && /max_completion_tokens/.test(error.message)) dialect.tokenField = 'max_completion_tokens';
  else if (dialect.tokenField === 'max_completion_tokens' && /max_completion_tokens/.test(error.message)) dialect.tokenField = 'max_tokens';
  else return false;
  return true;
}

async function callChat(client: OpenAI, model: string, { request, signal, dialect }: Call): Promise<RawAnswer> {
  const schema = dialect.schema ? request.schema : null;
  const answer = await client.chat.completions.create(
    {
      model,
      messages: [
        { role: 'system', content: systemText(request, dialect) },
        { role: 'user', content: request.user },
      ],
      [dialect.tokenField]: request.maxOutputTokens,
      ...(dialect.temperature && { temperature: request.temperature }),
      ...(schema && {
        response_format: { type: 'json_schema' as const, json_schema: { name: request.schemaName ?? 'answer', strict: true, schema } },
      }),
    },
    { signal },
  );
  const text = answer.choices?.[0]?.message?.content ?? '';
  return { text, inputTokens: answer.usage?.prompt_tokens, outputTokens: answer.usage?.completion_tokens, model: answer.model ?? model };
}

async function callResponses(client: OpenAI, model: string, { request, signal, dialect }: Call): Promise<RawAnswer> {
  const schema = dialect.schema ? request.schema : null;
  const answer = await client.responses.create(
    {
      model,
      instructions: systemText(request, dialect),
      input: request.user,
      max_output_tokens: request.maxOutputTokens,
      store: false,
      ...(dialect.temperature && { temperature: request.temperature }),
      ...(schema && { text: { format: { type: 'json_schema' as const, name: request.schemaName ?? 'answer', strict: true, schema } } }),
    },
    { signal },
  );
  return {
    text: answer.output_text ?? '',
    inputTokens: answer.usage?.input_tokens,
    outputTokens: answer.usage?.output_tokens,
    model: answer.model ?? model,
  };
}

/** Where the schema cannot be sent as a parameter, it stands in the prompt. */
function systemText(request: ModelRequest, dialect: Dialect): string {
  if (request.schema === null || dialect.schema) return request.system;
  return `${request.system}\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(request.schema)}`;
}

function finish(raw: RawAnswer, request: ModelRequest, settings: OpenAiSettings): ModelAnswer {
  const inputTokens = raw.inputTokens ?? estimateTokens(request.system + request.user);
  const outputTokens = raw.outputTokens ?? estimateTokens(raw.text);
  return {
    text: raw.text,
    inputTokens,
    outputTokens,
    costUsd: costOf(settings.prices, settings.model, { inputTokens, outputTokens }),
    model: raw.model,
  };
}

/** Usual estimate for text without a tokeniser: four bytes a token. */
function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
}

/** Host and path of an address, without user, password and query. */
function displayAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'the configured address';
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname}`;
}
