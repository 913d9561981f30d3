import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';

interface Structure {
  shape: number[] | null;
  dtype: string | null;
  device: string | null;
}

/** Sizes with a separator between every two, so that no text can be read in more than one way. */
const SHAPE_TEXT = /^(?:torch\.Size|TensorShape)?\(?\[?\s{0,3}((?:\d{1,9}\s{0,3}(?:[,x]\s{0,3}\d{1,9}\s{0,3}){0,15})?)(?:,\s{0,3})?\]?\)?$/;

/** Lists, `(2, 3)`, `torch.Size([2, 3])` and `2x3` are shapes; `()` is that of a scalar, and an empty text is none. */
function shapeOf(value: unknown): number[] | null {
  if (Array.isArray(value)) return value.every((item) => Number.isInteger(item)) ? (value as number[]) : null;
  if (typeof value === 'object' && value !== null && 'shape' in value) return shapeOf(value.shape);
  if (typeof value !== 'string' || !/[\d([]/.test(value)) return null;
  const sizes = SHAPE_TEXT.exec(value.trim())?.[1];
  if (sizes === undefined) return null;
  return sizes === '' ? [] : sizes.split(/[,x]/).map(Number);
}

function textField(record: EvidenceOf<'obs'>, name: string, field: string): string | null {
  const own = record.values[name];
  if (typeof own === 'object' && own !== null && !Array.isArray(own)) {
    const inner = (own as Record<string, unknown>)[field];
    if (typeof inner === 'string') return inner;
  }
  const beside = record.values[`${name}_${field}`] ?? record.values[`${name}.${field}`] ?? record.values[field];
  return typeof beside === 'string' ? beside : null;
}

function plainDtype(dtype: string): string {
  return dtype
    .replace(/^(?:torch|numpy|np|tf|jnp)\./, '')
    .replace(/^<dtype: '(\w+)'>$/, '$1')
    .toLowerCase();
}

function sameShape(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((size, index) => size === right[index]);
}

/** Null where a part that the oracle asks for was not observed. */
function holds(oracle: OracleOf<'shape'>, seen: Structure): boolean | null {
  if ((oracle.shape || oracle.notShape) && !seen.shape) return null;
  if ((oracle.dtype !== undefined && seen.dtype === null) || (oracle.device !== undefined && seen.device === null)) return null;
  if (oracle.shape && seen.shape && !sameShape(oracle.shape, seen.shape)) return false;
  if (oracle.notShape && seen.shape && sameShape(oracle.notShape, seen.shape)) return false;
  if (oracle.dtype !== undefined && seen.dtype !== null && plainDtype(oracle.dtype) !== plainDtype(seen.dtype)) return false;
  return (
    oracle.device === undefined || seen.device === null || seen.device === oracle.device || seen.device.startsWith(`${oracle.device}:`)
  );
}

/** Shown when the last observation of the name has the claimed shape, dtype and device, or not the one it should have. */
export function evaluateShape(oracle: OracleOf<'shape'>, view: EvidenceView): OracleAnswer {
  if (!oracle.shape && !oracle.notShape && oracle.dtype === undefined && oracle.device === undefined)
    return answer('undecided', [], 'the claim names no shape, dtype or device');
  const record = view.observations.findLast((one) => Object.hasOwn(one.values, oracle.obs));
  if (!record) return withoutSignal(view, answer('undecided', [], `the observation ${oracle.obs} was never made`));
  const grounding = [groundedIn(record.seq, `OBS ${JSON.stringify(record.values)}`)];
  const seen = {
    shape: shapeOf(record.values[oracle.obs]),
    dtype: textField(record, oracle.obs, 'dtype'),
    device: textField(record, oracle.obs, 'device'),
  };
  const result = holds(oracle, seen);
  if (result === null) return answer('undecided', grounding, `the observation ${oracle.obs} lacks what the claim asks for`);
  return answer(result ? 'shown' : 'absent', grounding);
}
