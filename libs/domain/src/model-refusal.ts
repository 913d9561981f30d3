import { AppError } from './errors.js';

/** How a model server answered, and what a user should look at. */
export interface ModelRefusal {
  /** The server, in words that follow "The". */
  where: string;
  /** Status of HTTP, none of success (RFC 9110, section 15). */
  status: number;
  /** The header `Retry-After`, as it came. */
  retryAfter: string | null;
  /** Where the key is set. */
  keyHint: string;
}

/**
 * What a refused request to a server of models means: 401 and 403 `llm-auth`, 429 `llm-rate-limited`, 408 and from 500 on
 * `llm-unreachable`; null for what was wrong with the request itself. Nothing of the answer's text is taken, since servers repeat keys
 * and inputs in it.
 */
export function modelRefusal({ where, status, retryAfter, keyHint }: ModelRefusal): AppError | null {
  if (status === 401 || status === 403) return new AppError('llm-auth', `The ${where} refused the key (${status}).`, { hint: keyHint });
  if (status === 429) {
    const hint = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? `Try again in ${retryAfter} s.` : 'Try again later.';
    return new AppError('llm-rate-limited', `The ${where} limits the rate (429).`, { hint });
  }
  if (status === 408 || status >= 500) return new AppError('llm-unreachable', `The ${where} answered with status ${status}.`);
  return null;
}
