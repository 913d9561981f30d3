import type { Facet, Oracle } from './schemas/index.js';

function lacksAny(...names: unknown[]): boolean {
  return names.includes(undefined);
}

/**
 * Whether the oracle only names a symptom and nothing binds it to evidence yet, as rules leave it that know the symptom and
 * no observation of it. Such an oracle is `undecided`, and a model or a person may bind it.
 */
export function isUnbound(oracle: Oracle): boolean {
  switch (oracle.kind) {
    case 'memory_peak':
      return oracle.bytes === undefined;
    case 'trend':
      return oracle.of === 'value' && oracle.name === undefined;
    case 'nondeterminism':
      return oracle.name === undefined;
    case 'desync':
      return oracle.of === 'rows' ? oracle.rows === undefined : lacksAny(oracle.name ?? oracle.of);
    case 'slow':
      return oracle.name === undefined || (oracle.sizeField === undefined && lacksAny(oracle.slowArm, oracle.fastArm));
    case 'distribution':
      return lacksAny(oracle.name, oracle.greaterArm, oracle.lesserArm);
    case 'differential':
      return lacksAny(oracle.candidate, oracle.reference, oracle.referee);
    case 'roundtrip':
      return lacksAny(oracle.before, oracle.after);
    case 'file':
      return oracle.path === undefined;
    case 'build':
      return oracle.message === undefined;
    default:
      return false;
  }
}

/** Whether the signal is memory that the supervisor itself sees: no word of the script is needed. */
export function isSeenBySupervisor(oracle: Oracle): boolean {
  if (oracle.kind === 'memory_peak') return oracle.obs === undefined;
  return oracle.kind === 'oom' || (oracle.kind === 'trend' && oracle.of === 'rss');
}

const MEASURED_KINDS: ReadonlySet<string> = new Set([
  'relation',
  'printed',
  'nonfinite',
  'shape',
  'memory_peak',
  'trend',
  'nondeterminism',
  'slow',
  'distribution',
  'differential',
  'roundtrip',
  'desync',
]);

/** Whether the oracle compares values that the script reports, so that it is absent only where they were reported. */
export function readsReportedValues(oracle: Oracle): boolean {
  return MEASURED_KINDS.has(oracle.kind) && !isSeenBySupervisor(oracle);
}

/** Paths that the oracles of kind `file` read, each once, in their order: what a launch has to watch. */
export function watchedFiles(facets: readonly Pick<Facet, 'oracles'>[]): string[] {
  const paths = facets.flatMap(({ oracles }) => oracles.flatMap((oracle) => (oracle.kind === 'file' ? (oracle.path ?? []) : [])));
  return [...new Set(paths)];
}

/** Seconds of silence that the oracles of kind `hang` ask for, the longest of them; null where there is none. */
export function silentSecondsOf(facets: readonly Pick<Facet, 'oracles'>[]): number | null {
  const asked = facets.flatMap(({ oracles }) => oracles.flatMap((oracle) => (oracle.kind === 'hang' ? oracle.silentSeconds : [])));
  return asked.length > 0 ? Math.max(...asked) : null;
}
