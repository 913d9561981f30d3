import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { AppError, isAppError, modelRefusal } from '@reenact/domain';
import { redactSecrets } from '../prompts/redact-secrets.js';

const DETAIL_LENGTH = 200;

/**
 * Maps whatever a model call threw to an AppError: a refusal as {@link modelRefusal} has it, `config-invalid` where the request was
 * wrong, everything else `llm-unreachable`. The key and anything that looks like one never gets into the text.
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
  const status: number = error.status;
  const headers: unknown = error.headers;
  const retryAfter = headers instanceof Headers ? headers.get('retry-after') : null;
  const request = new AppError('config-invalid', `The ${where} refused the request (${status}): ${detail}.`, {
    hint: 'Check the model name and the protocol.',
  });
  return modelRefusal({ where, status, retryAfter, keyHint: 'Check the API key and its rights.' }) ?? request;
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
