import { z } from 'zod';
import { AppError, isSeenBySupervisor } from '@reenact/domain';
import { Facet, Oracle } from '@reenact/domain/schemas';

const Scalar = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** A check over a script's output: an observation, a pattern, or the exit code. */
const Check = z.union([
  z.strictObject({ obs: z.string(), op: z.enum(['==', '!=', '<', '<=', '>', '>=']), value: Scalar }),
  z.strictObject({ regex: z.string(), on: z.enum(['stdout', 'stderr', 'combined']).default('combined') }),
  z.strictObject({ exit_code: z.literal(true), op: z.enum(['==', '!=']), value: z.int() }),
]);
type Check = z.infer<typeof Check>;

const Checks = z.object({ reproduced_if_all: z.array(Check).min(1), absent_if_all: z.array(Check).default([]) });

/** Facets as they are written by hand: what has a natural default may be left out. */
const HandFacet = z.object({
  id: z.string().default('given'),
  statement: z.string().default('the oracle given'),
  shownBy: z.enum(['harness', 'measurement']).optional(),
  oracles: z.array(Oracle).min(1),
});

/** Kinds that supervisor or probe record by themselves; the others rest on what the script prints. */
const BY_HARNESS: ReadonlySet<string> = new Set(['exception', 'warning', 'hang', 'import', 'build', 'exit']);

/**
 * Reads the facets of an oracle file. Three forms are taken: `{reproduced_if_all: [checks]}`, a list of facets or
 * `{facets: [...]}`, and a list of oracles or a single one, which make one facet that is shown when all of them are.
 * Facets that stand beside checks win: they name a kind with its parameters, the checks only what a run prints.
 *
 * @throws AppError `oracle-invalid`, naming what is wrong where.
 */
export function parseOracleFile(text: string): Facet[] {
  const value = parseJson(text);
  if (isRecord(value) && 'reproduced_if_all' in value && !('facets' in value)) {
    const checks = validate(Checks, value).reproduced_if_all;
    return [facet({ id: 'checks', statement: checks.map(describeCheck).join(' and '), oracles: checks.map(checkToOracle) })];
  }
  const list = isRecord(value) && Array.isArray(value['facets']) ? value['facets'] : Array.isArray(value) ? value : [value];
  if (list.length === 0) throw invalid('it is empty');
  if (list.every((item) => isRecord(item) && 'oracles' in item)) {
    return validate(z.array(HandFacet), list).map((item, index) =>
      facet({ ...item, id: list.length > 1 && item.id === 'given' ? `given-${index + 1}` : item.id }),
    );
  }
  if (list.some((item) => !isRecord(item) || !('kind' in item))) throw invalid('it names no oracle kind');
  const oracles = validate(z.array(Oracle), list);
  return [facet({ id: 'given', statement: 'the oracle given', oracles })];
}

function facet(parts: {
  id: string;
  statement: string;
  shownBy?: 'harness' | 'measurement' | undefined;
  oracles: z.infer<typeof Oracle>[];
}): Facet {
  const byHarness =
    parts.oracles.every((oracle) => BY_HARNESS.has(oracle.kind) || isSeenBySupervisor(oracle)) &&
    parts.oracles.some((oracle) => oracle.kind !== 'exit');
  return validate(Facet, { ...parts, span: null, stance: 'observed', shownBy: parts.shownBy ?? (byHarness ? 'harness' : 'measurement') });
}

function checkToOracle(check: Check): z.infer<typeof Oracle> {
  if ('obs' in check) return Oracle.parse({ kind: 'relation', left: { obs: check.obs, take: 'last' }, op: check.op, right: check.value });
  if ('regex' in check) return Oracle.parse({ kind: 'output', pattern: check.regex, stream: check.on === 'combined' ? 'any' : check.on });
  return Oracle.parse({ kind: 'exit', op: check.op, code: check.value });
}

function describeCheck(check: Check): string {
  if ('obs' in check) return `${check.obs} ${check.op} ${String(check.value)}`;
  if ('regex' in check) return `output matches /${check.regex}/`;
  return `exit code ${check.op} ${check.value}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid('it is not JSON', error);
  }
}

function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => `${issue.path.join('.') || 'top level'}: ${issue.message}`).join('; '));
}

function invalid(problem: string, cause?: unknown): AppError {
  return new AppError('oracle-invalid', `The oracle file cannot be used: ${problem}.`, {
    hint: 'Give {"reproduced_if_all": [{"obs": "name", "op": ">", "value": 1}]}, a list of facets, or a list of oracles.',
    cause,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
