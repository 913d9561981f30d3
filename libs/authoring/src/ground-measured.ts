import { isUnbound, type Oracle, type Report } from '@reenact/domain';

/** Greatest shares that a model may choose: more warm-up hides the series, more bound calls a fall none. */
const MAX_WARM_UP = 0.5;
const MAX_BOUND = 0.1;
/** Below this a difference is what floating point gives anyway. */
const LEAST_TOLERANCE = 1e-4;
/** The default of the schema: 7 %, which is the least that counts at all. */
const LEAST_CLAIM = 1.14;

const SIZE = /(\d{1,15}(?:[.,]\d{1,6})?) ?([KMGTP]i?B|[KMGT]\b|bytes?\b|[KMGT]ig?a?bytes?\b)/gi;
const POWERS: Record<string, number> = { K: 1, M: 2, G: 3, T: 4, P: 5 };
/** Binary and decimal units are confused in reports; 1 % beside that is rounding. */
const ROUNDING = 0.01;

/** Whether the report has the size, in whatever unit it writes it. */
function isReportSize(bytes: number, report: Report): boolean {
  return [...report.text.slice(0, 200_000).matchAll(SIZE)].some((match) => {
    const written = Number((match[1] ?? '').replace(',', '.'));
    const power = POWERS[(match[2] ?? '').slice(0, 1).toUpperCase()] ?? 0;
    return [1_000, 1_024].some((base) => Math.abs(written * base ** power - bytes) <= ROUNDING * bytes);
  });
}

function sizeProblem(bytes: number | undefined, report: Report): string | null {
  return bytes === undefined || isReportSize(bytes, report) ? null : `the size of ${bytes} bytes is not in the report`;
}

/** A slowdown that the report tells of as a factor, or the least one that counts. */
function slowdownProblem(ratio: number, report: Report): string | null {
  const told = report.numbers.some(({ value }) => Math.abs(value - ratio) <= 1e-9 * Math.max(1, Math.abs(ratio)));
  return told || ratio === LEAST_CLAIM ? null : `the slowdown ${ratio} is not in the report`;
}

/**
 * What keeps a model's check about sizes, series or comparisons from being used: nothing of it may be looser than the
 * defaults unless the report says so. Null where it can be used.
 */
export function measuredProblem(oracle: Oracle, report: Report): string | null {
  switch (oracle.kind) {
    case 'file':
    case 'build':
      return 'of a kind that a model may not propose';
    case 'oom':
      return sizeProblem(oracle.atLeastBytes, report);
    case 'memory_peak':
    case 'trend':
    case 'nondeterminism':
    case 'slow':
    case 'distribution':
    case 'differential':
    case 'roundtrip':
    case 'desync':
      return isUnbound(oracle) ? 'names no observation' : parameterProblem(oracle, report);
    default:
      return null;
  }
}

function parameterProblem(oracle: Oracle, report: Report): string | null {
  if (oracle.kind === 'memory_peak') return sizeProblem(oracle.bytes, report);
  if (oracle.kind === 'slow') return slowdownProblem(oracle.atLeastRatio, report);
  if (oracle.kind === 'trend' && oracle.warmUpShare > MAX_WARM_UP) return `leaves out more than ${MAX_WARM_UP} of the series`;
  if (oracle.kind === 'trend' && oracle.boundShare > MAX_BOUND) return `has a bound above ${MAX_BOUND}`;
  if (oracle.kind === 'differential' && oracle.tolerance < LEAST_TOLERANCE) return `has a tolerance below ${LEAST_TOLERANCE}`;
  return null;
}
