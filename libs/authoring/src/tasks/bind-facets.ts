import { readsReportedValues, type Claim, type Facet, type Oracle, type Report } from '@reenact/domain';
import { groundOracles } from '../ground-oracles.js';
import { toOracle } from '../prompts/answer-schemas.js';
import type { ScriptAnswer } from '../prompts/answer-schemas.js';

export interface BoundFacets {
  /** All facets of the claim, with the oracles that hold for this one script. */
  facets: Facet[];
  /** Bindings that were refused, and facets that stay without a check. */
  notes: string[];
}

/** Kinds that the harness shows by itself: what rules made of them is never replaced by a model's binding. */
const HARNESS_KINDS: Oracle['kind'][] = ['exception', 'warning', 'hang', 'exit', 'import'];

/**
 * Binds the observations that one script prints to the facets that need them. Only live facets without an oracle, or with
 * measured ones, can be bound; every oracle has to be grounded in the report. The claim itself is not changed.
 */
export function bindFacets(claim: Claim, bindings: ScriptAnswer['facets'], report: Report): BoundFacets {
  const notes: string[] = [];
  const facets = claim.facets.map((facet) => bindFacet(facet, bindings, { report, notes }));
  for (const { id } of bindings)
    if (!claim.facets.some((facet) => facet.id === id)) notes.push(`no facet ${JSON.stringify(id.slice(0, 60))} in the claim`);
  return { facets, notes };
}

function bindFacet(facet: Facet, bindings: ScriptAnswer['facets'], { report, notes }: { report: Report; notes: string[] }): Facet {
  const proposed = bindings.filter(({ id }) => id === facet.id).flatMap(({ oracles }) => oracles);
  if (proposed.length === 0) {
    if (facet.stance === 'observed' && facet.oracles.length === 0) notes.push(`facet ${facet.id} has no check`);
    return facet;
  }
  if (facet.oracles.some((oracle) => HARNESS_KINDS.includes(oracle.kind))) {
    notes.push(`facet ${facet.id} keeps the oracle that the report gives`);
    return facet;
  }
  const oracles = proposed.map(toOracle).filter((oracle): oracle is Oracle => oracle !== null);
  const { kept, dropped } = groundOracles(oracles, report);
  notes.push(...dropped.map((problem) => `facet ${facet.id}: ${problem}`));
  // A conjunction that lost a member is weaker than what was proposed, so it is not used at all.
  if (kept.length < proposed.length || kept.length === 0) return facet;
  const isMeasured = kept.some((oracle) => readsReportedValues(oracle) || oracle.kind === 'output');
  const shownBy = isMeasured ? ('measurement' as const) : facet.shownBy;
  return { ...facet, oracles: kept, shownBy, note: 'bound to the script by a model' };
}
