import { AppError } from '@reenact/domain';

/** What a refused request means; nothing of the answer's text is shown, since servers repeat keys and inputs in it. */
export function refusal(where: string, { status, headers }: { status: number; headers: Headers }): AppError {
  if (status === 401 || status === 403)
    return new AppError('llm-auth', `The ${where} refused the key (${status}).`, { hint: 'Check EMBEDDER_API_KEY and its rights.' });
  if (status === 429) {
    const after = headers.get('retry-after');
    const hint = after !== null && /^\d{1,6}$/.test(after) ? `Try again in ${after} s.` : 'Try again later.';
    return new AppError('llm-rate-limited', `The ${where} limits the rate (429).`, { hint });
  }
  if (status === 408 || status >= 500) return new AppError('llm-unreachable', `The ${where} answered with status ${status}.`);
  return new AppError('config-invalid', `The ${where} refused the request (${status}).`, {
    hint: 'Check EMBEDDER_BASE_URL and EMBEDDER_MODEL, and that the model is one for embeddings.',
  });
}
