import { AppError } from '@reenact/domain';

/** The part of a zod schema that the border needs. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/**
 * Checks what enters or leaves a store.
 * @throws AppError `internal` naming the record and its first fault; the content itself is never quoted.
 */
export function checked<T>(schema: Schema<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new AppError('internal', `${what} is not valid: ${issue?.path.map(String).join('.') || 'it'}: ${issue?.message ?? 'unknown'}`);
}

/** {@link checked} for a stored JSON text. */
export function checkedJson<T>(schema: Schema<T>, text: string, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError('internal', `${what} is stored damaged.`, { cause: error });
  }
  return checked(schema, value, what);
}

/**
 * The one run with this id, or with an id that begins so.
 * @throws AppError `usage` when the beginning fits several.
 */
export function pickRun<T extends { runId: string }>(matches: readonly T[], runIdOrPrefix: string): T | null {
  const exact = matches.find((row) => row.runId === runIdOrPrefix);
  if (exact !== undefined) return exact;
  if (matches.length > 1) {
    const some = matches.slice(0, 5).map((row) => row.runId);
    throw new AppError('usage', `Several runs begin with ${runIdOrPrefix}: ${some.join(', ')}.`, { hint: 'Give more of the id.' });
  }
  return matches[0] ?? null;
}
