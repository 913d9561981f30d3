import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { groundedIn } from '../oracles/oracle-answer.js';
import { recordsOf, type TrialExplanation } from './trial-explanation.js';

type Look = EvidenceOf<'allocator'>;

const MEBIBYTE = 1024 ** 2;
const MOST_DEVICES = 4;

function mebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}

function describe(looks: readonly Look[]): string {
  const [first] = looks;
  const last = looks.at(-1);
  if (first === undefined || last === undefined) return '';
  const rank = first.rank === undefined ? '' : ` of rank ${first.rank}`;
  const change = `${mebibytes(first.allocatedBytes)} to ${mebibytes(last.allocatedBytes)} over ${looks.length} look${looks.length === 1 ? '' : 's'}`;
  return `cuda:${first.device}${rank}: allocated ${change}, peak ${mebibytes(last.peakBytes)}, reserved ${mebibytes(last.reservedBytes)}`;
}

/** What the CUDA allocator of each process held over the trial, from first to last look; null where none was used. */
export function allocatorSeries(records: readonly EvidenceRecord[]): TrialExplanation | null {
  const series = new Map<string, Look[]>();
  for (const look of recordsOf(records, 'allocator')) {
    const key = `${look.pid ?? ''}/${look.device}`;
    series.set(key, [...(series.get(key) ?? []), look]);
  }
  const told = [...series.values()].slice(0, MOST_DEVICES);
  if (told.length === 0) return null;
  const grounding = told.flatMap((looks) => [...new Set([looks[0], looks.at(-1)])].flatMap((look) => look ?? []));
  return { text: told.map(describe).join('; '), grounding: grounding.map((look) => groundedIn(look.seq, describe([look]))) };
}
