import type { Oracle, Report } from '@reenact/domain';
import { measuredProblem } from './ground-measured.js';

/** Oracles of a model that the report supports, and a word about each that it does not. */
export interface GroundedOracles {
  kept: Oracle[];
  dropped: string[];
}

/** Bounds that need no source: zero, one, minus one and a hundred per cent. */
const LOGICAL_BOUNDS = new Set([0, 1, -1, 100]);
/** Tolerances above this would let nearly anything count as equal. */
const MAX_RELATIVE_TOLERANCE = 0.1;
/** verdict.md section 4, `hang`. */
const MIN_SILENT_SECONDS = 20;
const MAX_PATTERN = 300;

/**
 * Keeps what can be grounded: error texts, types and words must stand in the report, numbers must stand there or be
 * logical bounds, a relation must read at least one observation. Nothing that a model invented gets into an oracle.
 */
export function groundOracles(oracles: Oracle[], report: Report): GroundedOracles {
  const result: GroundedOracles = { kept: [], dropped: [] };
  for (const oracle of oracles) {
    const problem = problemOf(oracle, report);
    if (problem === null)
      result.kept.push(oracle.kind === 'hang' ? { ...oracle, silentSeconds: Math.max(MIN_SILENT_SECONDS, oracle.silentSeconds) } : oracle);
    else result.dropped.push(`${oracle.kind}: ${problem}`);
  }
  return result;
}

function problemOf(oracle: Oracle, report: Report): string | null {
  switch (oracle.kind) {
    case 'exception':
      return oracle.types.length === 0 && !oracle.message
        ? 'names neither type nor message'
        : (typesProblem(oracle.types, report) ?? textProblem(oracle.message?.text, report));
    case 'import':
      return oracle.types.length === 0 && !oracle.message
        ? 'names neither type nor message'
        : (typesProblem(oracle.types, report) ?? textProblem(oracle.message, report));
    case 'output':
      return (
        patternProblem(oracle.pattern) ??
        textProblem(wordsOfPattern(oracle.pattern), report) ??
        (oracle.notFollowedBy === undefined ? null : patternProblem(oracle.notFollowedBy))
      );
    case 'warning':
      return oracle.category === undefined && oracle.pattern === undefined
        ? 'names nothing'
        : textProblem(`${oracle.category ?? ''} ${wordsOfPattern(oracle.pattern ?? '')}`, report);
    case 'relation':
      return relationProblem(oracle, report);
    case 'printed':
      return patternProblem(oracle.pattern) ?? numberProblem(oracle.right, report, oracle.take);
    case 'shape':
      return shapeProblem(oracle, report);
    case 'exit':
      return oracle.op === '!=' && oracle.code === 0
        ? null
        : oracle.signal !== undefined
          ? textProblem(oracle.signal, report)
          : oracle.code === undefined
            ? 'names neither code nor signal'
            : numberProblem(oracle.code, report);
    case 'nonfinite':
    case 'hang':
      return null;
    default:
      return measuredProblem(oracle, report);
  }
}

function relationProblem(oracle: Extract<Oracle, { kind: 'relation' }>, report: Report): string | null {
  const sides = [oracle.left, oracle.right];
  const observed = sides.filter((side) => typeof side === 'object' && side !== null && !Array.isArray(side));
  if (observed.length === 0) return 'reads no observation';
  if ((oracle.relative ?? 0) > MAX_RELATIVE_TOLERANCE) return `has a tolerance above ${MAX_RELATIVE_TOLERANCE}`;
  if (oracle.absolute !== undefined && oracle.op !== 'approx' && oracle.absolute > 0) return 'has a tolerance without `approx`';
  const take = observed.map((side) => (side as { take?: string }).take).find((word) => word !== undefined);
  for (const side of sides) {
    const problem =
      typeof side === 'number'
        ? numberProblem(side, report, take)
        : typeof side === 'string'
          ? textProblem(side, report)
          : Array.isArray(side)
            ? 'compares with a made-up list'
            : null;
    if (problem !== null) return problem;
  }
  return null;
}

function shapeProblem(oracle: Extract<Oracle, { kind: 'shape' }>, report: Report): string | null {
  const sizes = [...(oracle.shape ?? []), ...(oracle.notShape ?? [])];
  if (sizes.length === 0 && oracle.dtype === undefined && oracle.device === undefined) return 'checks nothing';
  for (const size of sizes) {
    const problem = numberProblem(size, report);
    if (problem !== null) return problem;
  }
  return textProblem(oracle.dtype, report);
}

function typesProblem(types: string[], report: Report): string | null {
  const invented = types.find((type) => !report.text.includes(type.split('.').at(-1)!));
  return invented === undefined ? null : `the type ${JSON.stringify(invented)} is not in the report`;
}

/** Every word of four and more letters must stand in the report. */
function textProblem(text: string | undefined, report: Report): string | null {
  if (text === undefined) return null;
  const known = report.text.toLowerCase();
  const invented = (text.toLowerCase().match(/[a-z_]{4,60}/g) ?? []).find((word) => !known.includes(word));
  return invented === undefined ? null : `the word ${JSON.stringify(invented)} is not in the report`;
}

function numberProblem(value: number, report: Report, take?: string): string | null {
  if (LOGICAL_BOUNDS.has(value) || (take === 'distinct' && value === 2)) return null;
  return isReportNumber(value, report) ? null : `the number ${value} is neither in the report nor a logical bound`;
}

/** True when the report has the number, or the same as a percentage. */
export function isReportNumber(value: number, report: Report): boolean {
  if (!Number.isFinite(value)) return false;
  const numbers = [
    ...report.numbers.map((number) => number.value),
    ...(report.text.slice(0, 200_000).match(/-?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?/g) ?? []).map(Number),
  ];
  return numbers.some((number) =>
    [number, number / 100, number * 100, -number].some((form) => Math.abs(form - value) <= 1e-9 * Math.max(1, Math.abs(value))),
  );
}

function wordsOfPattern(pattern: string): string {
  return pattern.replace(/\\[a-zA-Z]/g, ' ').replace(/\(\?[a-z<>!=:]{1,3}/g, ' ');
}

/** A pattern must compile and be of a form that cannot run away: no group with a quantifier that holds a quantifier. */
function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return 'has a pattern that is too long';
  if (/\([^()]{0,300}[*+}][^()]{0,300}\)\s*[*+{]/.test(pattern)) return 'has a pattern that may run away';
  try {
    new RegExp(pattern);
    return null;
  } catch {
    return 'has a pattern that does not compile';
  }
}
