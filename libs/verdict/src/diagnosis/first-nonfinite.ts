import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { groundedIn } from '../oracles/oracle-answer.js';
import { recordsOf, type TrialExplanation } from './trial-explanation.js';

type Numeric = EvidenceOf<'numeric'>;

function finiteness(name: string, isFinite: boolean | undefined): string[] {
  return isFinite === undefined ? [] : [`${name} ${isFinite ? 'finite' : 'not finite'}`];
}

function describe(record: Numeric): string {
  const what = record.what === 'nan' ? 'NaN' : 'infinity';
  const className = record.class.slice(record.class.lastIndexOf('.') + 1);
  const module = record.module === '' ? `the outermost module, ${className}` : `${record.module} (${className})`;
  const where = record.direction === 'forward' ? 'the output of' : 'the gradient of the output of';
  const rank = record.rank === undefined ? '' : ` on rank ${record.rank}`;
  const tensor = `${record.dtype.replace(/^torch\./, '')}[${record.shape.join(', ')}]`;
  const about = [tensor, ...finiteness('inputs', record.inputsFinite), ...finiteness('own parameters', record.parametersFinite)];
  return `first ${what} in ${where} ${module} at its forward call ${record.call}${rank}: ${about.join(', ')}`;
}

/** Where NaN or infinity comes up first, by what the probe saw of the modules of torch; null where it saw none. */
export function firstNonFinite(records: readonly EvidenceRecord[]): TrialExplanation | null {
  const found = recordsOf(records, 'numeric');
  const [first] = found;
  if (first === undefined) return null;
  const nan = first.what === 'nan' ? undefined : found.find(({ what }) => what === 'nan');
  const told = nan === undefined ? [first] : [first, nan];
  return { text: told.map(describe).join('; '), grounding: told.map((record) => groundedIn(record.seq, describe(record))) };
}
