import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import type { EvidenceView } from './evidence-view.js';

/** Whether a record mentions the sentinel of a tripwire in any of its texts. */
export function mentionsSentinel(record: EvidenceRecord, sentinel: string): boolean {
  return sentinel !== '' && JSON.stringify(record).includes(sentinel);
}

/** The first exception that the sentinel is part of, by itself or as a cause. */
export function sentinelException(view: EvidenceView, sentinel: string | null | undefined): EvidenceOf<'exception'> | null {
  if (!sentinel) return null;
  return view.exceptions.find((exception) => mentionsSentinel(exception, sentinel)) ?? null;
}
