import type { z } from 'zod';

const MAX_TURNS = 8;

/**
 * Validates a value, and mends what models commonly get wrong about types: numbers and booleans as strings, left-out keys
 * that may be null. Nothing else is changed; the value handed in stays as it is.
 */
export function mendTypes<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  let current = structuredClone(value);
  let result = schema.safeParse(current);
  for (let turn = 0; turn < MAX_TURNS && !result.success; turn += 1) {
    const issues = result.error.issues.flatMap((issue) => deepIssues(issue, []));
    const changed = issues.filter((issue) => mendAt(current, issue.path, issue.expected)).length;
    if (changed === 0) return result;
    current = structuredClone(current);
    result = schema.safeParse(current);
  }
  return result;
}

interface TypeIssue {
  path: PropertyKey[];
  expected: string;
}

/** Type issues with their full paths; those inside a union come from the branch that fits best: right shape first, then fewest issues. */
function deepIssues(issue: z.core.$ZodIssue, base: PropertyKey[]): TypeIssue[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'invalid_type') return [{ path, expected: issue.expected }];
  if (issue.code !== 'invalid_union') return [];
  const branches = issue.errors.map((errors) => errors.flatMap((inner) => deepIssues(inner, path))).filter((branch) => branch.length > 0);
  // Issues about the value itself mean that it is of another kind than this branch.
  const foreign = (branch: TypeIssue[]): number => Number(branch.some((inner) => inner.path.length === path.length));
  return branches.toSorted((a, b) => foreign(a) - foreign(b) || a.length - b.length)[0] ?? [];
}

function mendAt(root: unknown, path: PropertyKey[], expected: string): boolean {
  const key = path.at(-1);
  let parent: unknown = root;
  for (const step of path.slice(0, -1)) parent = (parent as Record<PropertyKey, unknown> | null | undefined)?.[step];
  if (key === undefined || typeof parent !== 'object' || parent === null || key === '__proto__') return false;
  const holder = parent as Record<PropertyKey, unknown>;
  const mended = mendValue(holder[key], expected);
  if (mended === undefined) return false;
  holder[key] = mended;
  return true;
}

function mendValue(value: unknown, expected: string): unknown {
  // A left-out key is taken as null; where null is not allowed either, validation says so in the next turn.
  if (value === undefined) return null;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if ((expected === 'number' || expected === 'int') && text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (expected === 'boolean' && /^(?:true|yes)$/i.test(text)) return true;
  if (expected === 'boolean' && /^(?:false|no)$/i.test(text)) return false;
  return undefined;
}
