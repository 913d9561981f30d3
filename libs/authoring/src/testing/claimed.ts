import type { Claim, Facet, Oracle } from '@reenact/domain';
import { readReport } from '@reenact/report';
import { claimFromReport } from '../claim/claim-from-report.js';

/** The claim of a report's text. */
export function claimOf(text: string): Claim {
  return claimFromReport(readReport(new TextEncoder().encode(text)));
}

/** The facets that a report says it has seen. */
export function observedFacets(text: string): Facet[] {
  return claimOf(text).facets.filter((facet) => facet.stance === 'observed');
}

/** The one oracle of the one observed facet. @throws Error where there are more or none. */
export function onlyOracle(text: string): Oracle {
  const [facet, ...others] = observedFacets(text);
  const [oracle, ...further] = facet?.oracles ?? [];
  if (oracle === undefined || others.length + further.length > 0) throw new Error(`Not one oracle but: ${oracleKinds(text).join(', ')}.`);
  return oracle;
}

/** The kinds of the oracles of each observed facet; `none` for one without. */
export function oracleKinds(text: string): string[] {
  return observedFacets(text).map((facet) => facet.oracles.map((oracle) => oracle.kind).join('+') || 'none');
}
