import { isSeenBySupervisor, isUnbound, readsReportedValues, type Facet, type Oracle } from '@reenact/domain';

/** Facets that the reporter states as observed and that the caller left in the claim. */
export function liveFacets(facets: readonly Facet[], notLive: readonly string[]): Facet[] {
  return facets.filter((facet) => facet.stance === 'observed' && !notLive.includes(facet.id));
}

/** Whether the facet has oracles, all of which are bound to something that evidence can hold. */
export function isCheckable(facet: Facet): boolean {
  return facet.oracles.length > 0 && !facet.oracles.some(isUnbound);
}

function isExactRelation(oracle: Oracle): boolean {
  return oracle.kind === 'relation' && oracle.op !== 'approx';
}

const SIGNATURE_KINDS = new Set<Oracle['kind']>(['exception', 'shape', 'import', 'build']);

function hasSignature(oracle: Oracle): boolean {
  return SIGNATURE_KINDS.has(oracle.kind) || isExactRelation(oracle);
}

/**
 * Whether the facet's kinds are deterministic: exception, shape, import, build, exact relation (verdict.md section 6). Output and
 * exit status beside one of these only accompany it.
 */
export function isDeterministic(facet: Facet): boolean {
  return (
    facet.oracles.some(hasSignature) &&
    facet.oracles.every((oracle) => hasSignature(oracle) || oracle.kind === 'output' || oracle.kind === 'exit')
  );
}

const HARNESS_KINDS = new Set<Oracle['kind']>(['exception', 'hang', 'import', 'build', 'warning']);

function isRecordedByHarness(oracle: Oracle): boolean {
  return HARNESS_KINDS.has(oracle.kind) || isSeenBySupervisor(oracle) || (oracle.kind === 'exit' && oracle.signal !== undefined);
}

/**
 * Whether the facet rests on what the script says about itself. The facet's own word is not enough: text, numbers and a
 * status are the script's, whoever wrote the facet (verdict.md section 4).
 */
export function isMeasured(facet: Facet): boolean {
  return facet.shownBy === 'measurement' || !facet.oracles.some(isRecordedByHarness);
}

/** Whether every oracle of the facet reads a value, so that `absent` means that the value was there. */
export function readsValues(facet: Facet): boolean {
  return facet.oracles.length > 0 && facet.oracles.every(readsReportedValues);
}

/** Whether the facet is about loading or building; no tripwire can be laid there (verdict.md section 7). */
export function isImportFacet(facet: Facet): boolean {
  return facet.oracles.some((oracle) => oracle.kind === 'import' || oracle.kind === 'build');
}
