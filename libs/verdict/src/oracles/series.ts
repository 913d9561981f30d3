import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { hasName, type NamedNumber, observedNumbers, printedMetrics } from './named-numbers.js';
import { MIXED_NOTE, mixesProcesses } from './observed-line.js';
import { carries } from './observed-value.js';

/** One point of a series: x is a step, a second or an index. */
export interface SeriesPoint {
  x: number;
  y: number;
  seq: number;
  text: string;
}

/** The points in their order, and why they are no series, or null where they are one. */
export interface Series {
  points: SeriesPoint[];
  problem: string | null;
}

/** An exact name wins over the last part of a longer one: `loss` over `val/loss`. */
function ofName(numbers: NamedNumber[], wanted: string): NamedNumber[] {
  const exact = numbers.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return exact.length > 0 ? exact : numbers.filter(({ name }) => hasName(name, wanted));
}

function seriesProblem(numbers: readonly NamedNumber[]): string | null {
  if (mixesProcesses(numbers)) return MIXED_NOTE;
  if (new Set(numbers.map(({ name, before }) => `${before} ${name}`.toLowerCase())).size > 1) return 'more than one quantity is called so';
  const lines = new Set(numbers.map(({ seq }) => seq)).size;
  // One line with a list is a series; several numbers on each of several lines are none.
  if (lines > 1 && lines < numbers.length) return 'a line holds more than one value of that name';
  return numbers.every(({ value }) => Number.isFinite(value)) ? null : 'a value of the series is not finite';
}

/** Steps where every point has a greater one than the point before, else the index. */
function withX(numbers: readonly NamedNumber[]): SeriesPoint[] {
  const steps = numbers.map(({ step }) => step);
  const areSteps = steps.every((step, index) => step !== null && (index === 0 || step > (steps[index - 1] ?? Infinity)));
  return numbers.map(({ value, seq, text, step }, index) => ({ x: areSteps ? (step ?? index) : index, y: value, seq, text }));
}

/** The values of one observation, or where none has that name of one printed metric. */
export function namedSeries(name: string, where: OracleOf<'trend'>['where'], view: EvidenceView): Series {
  const observed = ofName(observedNumbers(view.observations.filter((record) => carries(record, where))), name);
  // A condition can only be read on observation lines.
  const numbers = observed.length > 0 || where !== undefined ? observed : ofName(printedMetrics(view), name);
  return { points: withX(numbers), problem: seriesProblem(numbers) };
}

/** How many processes most of the samples have; a process more or less would be a jump of the sum. */
function usualProcesses(samples: readonly EvidenceOf<'sample'>[]): number {
  const counts = new Map<number, number>();
  for (const { processes } of samples) counts.set(processes, (counts.get(processes) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

/** The supervisor's samples of resident memory over time, as long as the number of processes stays the same. */
export function rssSeries(view: EvidenceView): Series {
  const samples = view.records.filter((record): record is EvidenceOf<'sample'> => record.kind === 'sample');
  const usual = usualProcesses(samples);
  const points = samples
    .filter(({ processes }) => processes === usual)
    .map(({ t, rssBytes, seq }) => ({ x: t, y: rssBytes, seq, text: `${rssBytes} bytes after ${t.toFixed(1)} s` }));
  return { points, problem: null };
}
