import { createHash } from 'node:crypto';
import { AppError, isAppError } from '@reenact/domain';
import type { Embedder, ModelOptions } from '@reenact/domain';
import { readVectors } from './read-vectors.js';
import { refusal } from './endpoint-errors.js';

/** How to reach an OpenAI-compatible endpoint. Everything is handed in; no variable of the process is read. */
export interface OpenAiEmbedderSettings {
  /** Up to and without `/embeddings`. */
  baseUrl: string;
  /** Null for local servers that ask for none. Never logged, never part of an error or a digest. */
  apiKey: string | null;
  model: string;
  /** Length of the model's vectors: a change of the model behind its name is seen by it. */
  dimensions: number;
  timeoutSeconds: number;
}

/** Texts of one request. */
const BATCH = 32;
/** About 2,000 tokens: servers refuse, rather than cut, what is longer than their model. */
const LONGEST_TEXT = 6_000;
/** Empty input is refused by most servers. */
const EMPTY = ' ';
const LARGEST_ANSWER_BYTES = 64 * 1024 ** 2;

/**
 * Embedder over an OpenAI-compatible `/embeddings` endpoint: the texts go to that address. Redirects are not followed, so that texts
 * and key go to no other host. Retries belong to the caller's layer (Temporal).
 * @throws AppError llm-auth, llm-unreachable, llm-rate-limited, config-invalid (also where the vectors have another length).
 */
export function createOpenAiEmbedder(settings: OpenAiEmbedderSettings): Embedder {
  const address = new URL(`${settings.baseUrl.replace(/\/+$/, '')}/embeddings`);
  return {
    name: settings.model,
    digest: createHash('sha256')
      .update(JSON.stringify(['openai', settings.model, settings.dimensions, address.host, address.pathname, LONGEST_TEXT]))
      .digest('hex'),
    dimensions: settings.dimensions,
    embed: (texts, _role, options = {}) => embedTexts(address, settings, texts, options),
    close: async () => undefined,
  };
}

async function embedTexts(address: URL, settings: OpenAiEmbedderSettings, texts: string[], options: ModelOptions): Promise<Float32Array[]> {
  options.signal?.throwIfAborted();
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH).map((text) => (text.trim() === '' ? EMPTY : text.slice(0, LONGEST_TEXT)));
    vectors.push(...(await askEndpoint(address, settings, batch, options.signal)));
    options.onProgress?.(vectors.length);
  }
  return vectors;
}

async function askEndpoint(
  address: URL,
  settings: OpenAiEmbedderSettings,
  input: string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const timeout = AbortSignal.timeout(settings.timeoutSeconds * 1000);
  const where = `embedding model ${settings.model} at ${address.protocol}//${address.host}${address.pathname}`;
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(settings.apiKey !== null && { authorization: `Bearer ${settings.apiKey}` }) },
      body: JSON.stringify({ model: settings.model, input, encoding_format: 'float' }),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusal(where, response);
    }
    return readVectors(await readBody(response, where), { count: input.length, dimensions: settings.dimensions, where });
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (isAppError(error)) throw error;
    const detail = timeout.aborted ? `did not answer within ${settings.timeoutSeconds} s` : 'cannot be reached';
    throw new AppError('llm-unreachable', `The ${where} ${detail}.`, {
      hint: 'Check the base URL and that the server runs; what was embedded is kept, and the next call goes on.',
    });
  }
}

async function readBody(response: Response, where: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > LARGEST_ANSWER_BYTES)
      throw new AppError('llm-output-invalid', `The ${where} answered with more than ${LARGEST_ANSWER_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
