import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { groundedIn, type TrialGrounding } from '../oracles/oracle-answer.js';
import { recordsOf } from './trial-explanation.js';

type Activation = EvidenceOf<'activation'>;

/** The same script with the same parts of the probe, three times. */
export interface Arms {
  candidate: readonly EvidenceRecord[];
  /** The candidate once more: what differs there differs by itself. */
  again: readonly EvidenceRecord[];
  control: readonly EvidenceRecord[];
}

/** Where two arms part, and the records of candidate and control that it rests on. */
export interface Divergence {
  text: string;
  candidate: TrialGrounding[];
  control: TrialGrounding[];
}

/** Outputs of the first process that has any, which is that of rank 0 where there are ranks. */
function firstProcess(records: readonly EvidenceRecord[]): Activation[] {
  const all = recordsOf(records, 'activation');
  const first = all.find(({ rank }) => rank === 0) ?? all[0];
  return all.filter(({ pid, step }) => pid === first?.pid && step === first?.step);
}

function isSame(left: Activation | undefined, right: Activation | undefined): boolean {
  return left?.module === right?.module && left?.call === right?.call && left?.sha256 === right?.sha256 && left?.class === right?.class;
}

/** Index of the first output that is not the same; the length of both where all are. */
function partingIndex(left: readonly Activation[], right: readonly Activation[]): number {
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index++) if (!isSame(left[index], right[index])) return index;
  return length;
}

function nameOf({ module, class: name, call }: Activation): string {
  const className = name.slice(name.lastIndexOf('.') + 1);
  return `${module === '' ? 'the outermost module' : module} (${className}) at its call ${call}`;
}

function describe(output: Activation | undefined): string {
  if (output === undefined) return 'no further output';
  const norm = output.norm === undefined ? 'not finite' : `norm ${output.norm.toPrecision(6)}`;
  return `${nameOf(output)}, ${output.dtype.replace(/^torch\./, '')}[${output.shape.join(', ')}], ${norm}`;
}

function grounding(output: Activation | undefined): TrialGrounding[] {
  return output === undefined ? [] : [groundedIn(output.seq, describe(output))];
}

/**
 * The first module whose output differs between candidate and control. Null where nothing was recorded, or where the
 * candidate differs from itself by then, so that the control says nothing.
 */
export function firstDivergence(arms: Arms): Divergence | null {
  const [candidate, again, control] = [arms.candidate, arms.again, arms.control].map(firstProcess);
  if (candidate === undefined || again === undefined || control === undefined || candidate.length === 0 || control.length === 0)
    return null;
  const index = partingIndex(candidate, control);
  const [left, right] = [candidate[index], control[index]];
  if (partingIndex(candidate, again) < Math.min(index + 1, candidate.length)) return null;
  const found = { candidate: grounding(left), control: grounding(right) };
  const before = `${index} module output${index === 1 ? ' is' : 's are'} the same`;
  if (left === undefined && right === undefined)
    return { text: `all ${before} in the control: the two part outside of modules`, candidate: grounding(candidate[0]), control: [] };
  return { text: `first ${before}; then candidate: ${describe(left)}; control: ${describe(right)}`, ...found };
}
