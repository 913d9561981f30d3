import type { Facet, Oracle } from '@reenact/domain';

/** A live facet with these oracles. */
export function observedFacet(oracles: Oracle[], extra: Partial<Facet> = {}): Facet {
  return { id: 'symptom', statement: 'the symptom', span: null, stance: 'observed', oracles, shownBy: 'harness', ...extra };
}

/** An exception oracle whose unnamed parts ask for nothing. */
export function exceptionOracle(extra: Partial<Extract<Oracle, { kind: 'exception' }>>): Oracle {
  return { kind: 'exception', types: [], frames: [], through: [], ...extra };
}

/** A relation between one observation and a value. */
export function relationOracle(
  obs: string,
  op: Extract<Oracle, { kind: 'relation' }>['op'],
  right: number | string | boolean | null,
): Oracle {
  return { kind: 'relation', left: { obs, take: 'last' }, op, right };
}
