import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { failureOf } from '../evidence/failure.js';
import { groundedIn } from '../oracles/oracle-answer.js';
import { recordsOf, type TrialExplanation } from './trial-explanation.js';

type Locals = EvidenceOf<'locals'>;
type Value = Locals['frames'][number]['values'][number];

const MOST_FRAMES = 3;
const MOST_VALUES = 8;

function describeValue({ name, type, shape, dtype, device, length }: Value): string {
  if (shape !== undefined) {
    const place = device === undefined || device === 'cpu' ? '' : ` on ${device}`;
    return `${name} ${(dtype ?? type).replace(/^torch\./, '')}[${shape.join(', ')}]${place}`;
  }
  return length === undefined ? `${name} ${type}` : `${name} ${type} of ${length}`;
}

/** Tensors and arrays first, then what has a length: the rest says little beside its name. */
function telling(values: readonly Value[]): Value[] {
  const arrays = values.filter(({ shape }) => shape !== undefined);
  const containers = values.filter(({ shape, length }) => shape === undefined && length !== undefined);
  return [...arrays, ...containers].slice(0, MOST_VALUES);
}

function describeFrame({ file, line, function: name, values }: Locals['frames'][number]): string {
  return `in ${name} (${file}:${line}) ${telling(values).map(describeValue).join(', ')}`;
}

/** Sizes and kinds of the values in the innermost own frames of the failure; null where none has any. */
export function failingLocals(records: readonly EvidenceRecord[]): TrialExplanation | null {
  const failure = failureOf(createEvidenceView(records));
  const failed = records.find(({ seq }) => seq === failure?.seq);
  const found = recordsOf(records, 'locals').find(({ seq, pid }) => failed !== undefined && seq > failed.seq && pid === failed.pid);
  const own = (found?.frames ?? []).filter(({ place, values }) => place !== 'dependency' && telling(values).length > 0);
  if (found === undefined || own.length === 0) return null;
  const text = own.slice(-MOST_FRAMES).toReversed().map(describeFrame).join('; ');
  return { text: `values at the failure: ${text}`, grounding: [groundedIn(found.seq, text)] };
}
