import { AppError, modelRefusal } from '@reenact/domain';

/** What a refused request means; nothing of the answer's text is shown, since servers repeat keys and inputs in it. */
export function refusal(where: string, { status, headers }: { status: number; headers: Headers }): AppError {
  const request = new AppError('config-invalid', `The ${where} refused the request (${status}).`, {
    hint: 'Check EMBEDDER_BASE_URL and EMBEDDER_MODEL, and that the model is one for embeddings.',
  });
  return (
    modelRefusal({ where, status, retryAfter: headers.get('retry-after'), keyHint: 'Check EMBEDDER_API_KEY and its rights.' }) ?? request
  );
}
