import { z } from 'zod';

/**
 * JSON schema in the subset that strict structured output takes: `anyOf` instead of `oneOf`, no `$schema`, no bounds that
 * only say "safe integer". Every key is required already, since our answer schemas use `null` for "not used".
 */
export function strictJsonSchema(schema: z.ZodType): Record<string, unknown> {
  return simplify(z.toJSONSchema(schema)) as Record<string, unknown>;
}

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, member]) => key !== '$schema' && !(/^(?:minimum|maximum)$/.test(key) && Math.abs(Number(member)) === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(entries.map(([key, member]) => [key === 'oneOf' ? 'anyOf' : key, simplify(member)]));
}
