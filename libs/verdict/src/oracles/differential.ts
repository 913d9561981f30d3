import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { withoutSignal } from './missing-signal.js';
import { numbersIn } from './named-numbers.js';
import { MIXED_NOTE, mixesProcesses, type ObservedLine, observedLines } from './observed-line.js';
import type { Comparable } from './observed-value.js';
import { answer, groundedIn, type OracleAnswer, unboundAnswer } from './oracle-answer.js';
import { sameResult } from './same-result.js';

type DifferentialOracle = OracleOf<'differential'>;

/** verdict.md section 4: few elements and low precision scatter more. */
const MANY_ELEMENTS = 1_000;
const TINY_ELEMENTS = 10;
const TINY_MULTIPLE = 10;

function multipleOf(oracle: DifferentialOracle, elements: number): number {
  const asked = oracle.lowPrecision || elements <= TINY_ELEMENTS ? TINY_MULTIPLE : elements < MANY_ELEMENTS ? 3 : 2;
  return Math.max(asked, oracle.multiple ?? 0);
}

/** The numbers of a scalar or of nested lists; null where something else is among them. */
function elementsOf(value: Comparable): number[] | null {
  const leaves = (inner: Comparable): Comparable[] => (Array.isArray(inner) ? inner.flatMap(leaves) : [inner]);
  const all = leaves(value);
  return all.length > 0 && all.every((leaf) => typeof leaf === 'number') ? numbersIn(value) : null;
}

/** Root of the mean squared difference, scaled so that large differences do not overflow. */
function rootMeanSquare(left: readonly number[], right: readonly number[]): number {
  const differences = left.map((value, index) => Math.abs(value - (right[index] ?? NaN)));
  const largest = Math.max(...differences);
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  return largest * Math.sqrt(differences.reduce((sum, difference) => sum + (difference / largest) ** 2, 0) / differences.length);
}

interface Arms {
  candidate: number[];
  reference: number[];
  referee: number[];
}

function readArms(lines: readonly ObservedLine[]): Arms | string {
  const [candidate, reference, referee] = lines.map((line) => elementsOf(line.value));
  if (!candidate || !reference || !referee) return 'an observation holds no numbers';
  if (candidate.length !== reference.length || candidate.length !== referee.length) return 'the arms have different numbers of elements';
  if (![...reference, ...referee].every(Number.isFinite)) return 'the reference or the referee is not finite';
  return { candidate, reference, referee };
}

function areEqual(lines: readonly ObservedLine[]): boolean {
  return lines.every((line) => sameResult(line.value, lines[0]?.value ?? null) === true);
}

/** Whether the reference agrees with itself; what differs by itself cannot be compared with anything. */
function referenceProblem(oracle: DifferentialOracle, references: readonly ObservedLine[], view: EvidenceView): string | null {
  const again = oracle.referenceAgain === undefined ? [] : observedLines(view, oracle.referenceAgain, oracle.where);
  const all = [...references, ...again];
  if (all.length < 2 || (oracle.referenceAgain !== undefined && again.length === 0)) return 'the reference was not measured a second time';
  return areEqual(all) ? null : 'the reference differs from itself';
}

function judge(oracle: DifferentialOracle, { candidate, reference, referee }: Arms, grounding: OracleAnswer['grounding']): OracleAnswer {
  if (!candidate.every(Number.isFinite)) return answer('shown', grounding, 'the candidate is not finite where the reference is');
  const [error, usual] = [rootMeanSquare(candidate, referee), rootMeanSquare(reference, referee)];
  const multiple = multipleOf(oracle, referee.length);
  const allowed = multiple * usual + oracle.tolerance / 10;
  const note = `RMSE ${error.toPrecision(3)} of ${referee.length} elements, allowed ${allowed.toPrecision(3)} (${multiple} times that of the reference)`;
  return answer(error > allowed ? 'shown' : 'absent', grounding, note);
}

/** Shown when one arm is farther from a double-precision referee than the other arm's own error explains. */
export function evaluateDifferential(oracle: DifferentialOracle, view: EvidenceView): OracleAnswer {
  const names = [oracle.candidate, oracle.reference, oracle.referee];
  if (!names.every((name) => name !== undefined)) return unboundAnswer(oracle);
  if (new Set(names).size < names.length) return answer('undecided', [], 'the arms and the referee must be three observations');
  const observed = names.map((name) => observedLines(view, name, oracle.where));
  const missing = names.find((_name, index) => observed[index]?.length === 0);
  if (missing !== undefined) return withoutSignal(view, answer('undecided', [], `the observation ${missing} was never made`));
  const lines = observed.flatMap((of) => of.at(-1) ?? []);
  const grounding = lines.map((line) => groundedIn(line.seq, line.text));
  if (mixesProcesses(observed.flat())) return answer('undecided', grounding, MIXED_NOTE);
  const problem = referenceProblem(oracle, observed[1] ?? [], view);
  if (problem !== null) return withoutSignal(view, answer('undecided', grounding, problem));
  // Several inputs under one name cannot be told apart, and the last of each arm may be of different ones.
  if (!areEqual(observed[2] ?? [])) return answer('undecided', grounding, 'the referee has several values; `where` must choose one');
  const arms = readArms(lines);
  return typeof arms === 'string' ? answer('undecided', grounding, arms) : judge(oracle, arms, grounding);
}
