import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { comparable, type Comparable, observedValues, type Tolerance } from './observed-value.js';
import { answer, groundedIn, type OracleAnswer, type TrialGrounding } from './oracle-answer.js';
import { decide, survivesCut, type Take, takeValues, type TakenValues } from './taken-values.js';

type RelationOracle = OracleOf<'relation'>;
type Operand = RelationOracle['left'];

interface ReadOperand {
  taken: TakenValues | null;
  take: Take | null;
  /** Name of the observation that is not there. */
  missing: string | null;
  grounding: TrialGrounding[];
}

function isReference(operand: Operand): operand is Extract<Operand, { obs: string }> {
  return typeof operand === 'object' && operand !== null && !Array.isArray(operand);
}

function readOperand(operand: Operand, view: EvidenceView): ReadOperand {
  if (!isReference(operand))
    return { taken: { values: [comparable(operand)], quantifier: 'every', from: [] }, take: null, missing: null, grounding: [] };
  const observed = observedValues(view, operand.obs, operand.where);
  if (observed.length === 0) return { taken: null, take: operand.take, missing: operand.obs, grounding: [] };
  const taken = takeValues(observed, operand.take);
  return {
    taken,
    take: operand.take,
    missing: null,
    grounding: (taken?.from ?? observed).slice(0, 8).map((one) => groundedIn(one.seq, one.text)),
  };
}

/** Every value of the right side must hold (or one, where it says `any`); the left side decides for each of them. */
function holdsBetween(left: TakenValues, right: TakenValues, oracle: RelationOracle): boolean | null {
  const tolerance: Tolerance = { absolute: oracle.absolute, relative: oracle.relative };
  const results = right.values.map((value: Comparable) => decide(left, oracle.op, value, tolerance));
  if (right.quantifier === 'some') return results.includes(true) ? true : results.includes(null) ? null : false;
  return results.includes(false) ? false : results.includes(null) ? null : true;
}

/** Shown when the relation holds between observations of one trial; a missing observation is never `absent`. */
export function evaluateRelation(oracle: RelationOracle, view: EvidenceView): OracleAnswer {
  const left = readOperand(oracle.left, view);
  const right = readOperand(oracle.right, view);
  const missing = left.missing ?? right.missing;
  if (missing !== null) return withoutSignal(view, answer('undecided', [], `the observation ${missing} was never made`));
  if (left.take === null && right.take === null) return answer('undecided', [], 'the relation names no observation');
  const grounding = [...left.grounding, ...right.grounding];
  if (!left.taken || !right.taken) return answer('undecided', grounding, 'an observation is not a number');
  const holds = holdsBetween(left.taken, right.taken, oracle);
  if (holds === null) return answer('undecided', grounding, 'the values cannot be ordered');
  const stands = !wasCut(view) || (right.take === null && left.take !== null && survivesCut(left.take, oracle.op, holds));
  if (!stands) return answer('undecided', grounding, `${cutNote(view)} before the series was whole`);
  return answer(holds ? 'shown' : 'absent', grounding);
}
