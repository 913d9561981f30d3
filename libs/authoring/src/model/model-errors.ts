import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { AppError, isAppError } from '@reenact/domain';
import { redactSecrets } from '../prompts/redact-secrets.js';

const DETAIL_LENGTH = 200;

/**
 * Maps whatever a model call threw to an AppError: 401 and 403 `llm-auth`, 429 `llm-rate-limited`, other 4xx
 * `config-invalid`, everything else `llm-unreachable`. The key and anything that looks like one never gets into the text.
 * A cancelled call gives back the signal's own reason.
 */
export function mapModelError(error: unknown, about: { endpoint: string; model: string; apiKey: string; signal: AbortSignal }): unknown {
  if (about.signal.aborted || error instanceof APIUserAbortError) return about.signal.reason ?? error;
  if (isAppError(error)) return error;
  const detail = cleanDetail(error, about.apiKey);
  const where = `model ${about.model} at ${about.endpoint}`;
  if (error instanceof APIConnectionTimeoutError) return new AppError('llm-unreachable', `The ${where} did not answer in time.`);
  if (error instanceof APIConnectionError) {
    return new AppError('llm-unreachable', `The ${where} cannot be reached: ${detail}.`, {
      hint: 'Check the base URL and that the server runs; the run can be resumed.',
    });
  }
  if (!(error instanceof APIError) || error.status === undefined)
    return new AppError('llm-unreachable', `The call of ${where} failed: ${detail}.`);
  if (error.status === 401 || error.status === 403)
    return new AppError('llm-auth', `The ${where} refused the key (${error.status}).`, { hint: 'Check the API key and its rights.' });
  if (error.status === 429) return new AppError('llm-rate-limited', `The ${where} limits the rate (429).`, { hint: retryHint(error) });
  if (error.status >= 400 && error.status < 500)
    return new AppError('config-invalid', `The ${where} refused the request (${error.status}): ${detail}.`, {
      hint: 'Check the model name and the protocol.',
    });
  return new AppError('llm-unreachable', `The ${where} answered with status ${error.status}.`);
}

function retryHint(error: { headers?: unknown }): string {
  const after = error.headers instanceof Headers ? error.headers.get('retry-after') : null;
  return after !== null && /^\d{1,6}$/.test(after) ? `Try again in ${after} s.` : 'Try again later.';
}

function cleanDetail(error: unknown, apiKey: string): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  const text = `${error instanceof Error ? error.message : 'unknown error'} ${cause}`.trim();
  const withoutKey = apiKey.length > 0 ? text.replaceAll(apiKey, '***') : text;
  return redactSecrets(withoutKey)
    .replace(/\s+/g, ' ')
    .slice(0, DETAIL_LENGTH)
    .replace(/[.\s]+$/, '');
}
