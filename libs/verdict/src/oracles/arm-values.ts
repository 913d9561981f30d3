import type { EvidenceView } from '../evidence/evidence-view.js';
import { MIXED_NOTE, mixesProcesses, type ObservedLine, observedLines, ownField } from './observed-line.js';
import { comparable, type Comparable, equalValues } from './observed-value.js';

/** One number of one arm. */
export interface ArmValue {
  arm: Comparable;
  value: number;
  seq: number;
  text: string;
}

/** All values in their order, and why they cannot be compared, or null where they can. */
export interface ArmValues {
  values: ArmValue[];
  problem: string | null;
}

/** Truth values count as 0 and 1, so that rates may be reported as either. */
function numberOf(value: Comparable): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function problemOf(lines: readonly ObservedLine[], armField: string): string | null {
  if (mixesProcesses(lines)) return MIXED_NOTE;
  if (lines.some((line) => ownField(line, armField) === undefined)) return `a line does not tell its ${armField}`;
  return lines.every((line) => numberOf(line.value) !== null) ? null : 'a value is not a finite number';
}

/** The values of one observation, one per line, each with the arm that its line names. */
export function readArmValues(view: EvidenceView, name: string, armField: string, where?: Record<string, unknown>): ArmValues {
  const lines = observedLines(view, name, where);
  const values = lines.map((line) => ({
    arm: ownField(line, armField) ?? null,
    value: numberOf(line.value) ?? NaN,
    seq: line.seq,
    text: line.text,
  }));
  return { values, problem: problemOf(lines, armField) };
}

/** The values of one arm, in their order. */
export function ofArm(values: readonly ArmValue[], arm: unknown): ArmValue[] {
  return values.filter((one) => equalValues(one.arm, comparable(arm)));
}
