import type { Claim, Facet, Oracle, Report, Span } from '@reenact/domain';
import { mergeModelClaim } from '../claim/merge-model-claim.js';
import { completeJson } from '../model/complete-json.js';
import { RefinedClaimAnswer, toOracle } from '../prompts/answer-schemas.js';
import { claimSection, contextSection, reportSection } from '../prompts/prompt-sections.js';
import { SYSTEM_TEXTS } from '../prompts/prompt-texts.js';
import { joinSections } from '../prompts/quoted-data.js';
import type { TaskMaterial, TaskModel } from './task.js';

export interface RefinedClaim {
  claim: Claim;
  /** What was not taken over, and why. */
  notes: string[];
}

const MAX_OPEN_FACETS = 3;

/** Asks a model to read the report as facets, and merges what the report supports into the claim that rules made. */
export async function refineClaim(material: TaskMaterial, model: TaskModel): Promise<RefinedClaim> {
  const user = joinSections([reportSection(material.report), claimSection(material.claim), contextSection(material.context)]);
  const answer = await completeJson(
    model.client,
    {
      purpose: 'claim',
      system: SYSTEM_TEXTS.claim,
      user,
      schema: RefinedClaimAnswer,
      schemaName: 'refined_claim',
      maxOutputTokens: 4_000,
      temperature: 0,
    },
    model.options,
  );
  return mergeRefinement(material.claim, answer.value, material.report);
}

/**
 * Takes over from a model's reading what the report supports: a facet needs a quote that stands there, its oracles must be
 * grounded, and facets of the rules are never taken away or weakened (`mergeModelClaim`). A quoted symptom that nobody
 * knows how to check yet is added without an oracle, so that a script can measure it later.
 */
export function mergeRefinement(claim: Claim, answer: RefinedClaimAnswer, report: Report): RefinedClaim {
  const notes: string[] = [];
  const proposals = answer.facets.flatMap((proposal) => {
    const span = findQuote(report.text, proposal.quote);
    if (span === null) notes.push(`facet ${JSON.stringify(proposal.id.slice(0, 60))}: its quote is not in the report`);
    return span === null ? [] : [asFacet(proposal, span)];
  });
  const checked = proposals.filter(({ oracles }) => oracles.length > 0);
  const merged = checked.length > 0 ? mergeModelClaim(report, claim, checked) : { claim, rejected: [] };
  notes.push(...merged.rejected.map(({ facet, reason }) => `facet ${JSON.stringify(facet)}: ${reason}`));
  const facets = [...merged.claim.facets];
  for (const proposal of proposals) {
    const unknown = !facets.some((facet) => facet.id === proposal.id || (facet.span !== null && overlaps(facet.span, proposal.span!)));
    if (unknown && facets.length < merged.claim.facets.length + MAX_OPEN_FACETS)
      facets.push({ ...proposal, oracles: [], note: 'read by a model; no check yet' });
  }
  const triggers = [...claim.triggers];
  for (const { text, quote } of answer.triggers.slice(0, 12)) {
    const span = findQuote(report.text, quote);
    if (span !== null && !triggers.some((trigger) => trigger.text === text)) triggers.push({ text: text.slice(0, 300), span });
  }
  return { claim: { ...merged.claim, facets, triggers, madeBy: 'model' }, notes };
}

/** The statement is the report's own words, never the model's. */
function asFacet(proposal: RefinedClaimAnswer['facets'][number], span: Span): Facet {
  const id = /^[a-z0-9][a-z0-9-]{0,40}$/.test(proposal.id) ? proposal.id : 'model-facet';
  const oracles = proposal.oracles.map(toOracle).filter((oracle): oracle is Oracle => oracle !== null);
  return { id, statement: proposal.quote.trim().slice(0, 400), span, stance: proposal.stance, oracles, shownBy: proposal.shownBy };
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Place of a quotation in a text; runs of white space count as equal. Null where it is not there or too short to mean anything. */
export function findQuote(text: string, quote: string): Span | null {
  const words = quote
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.join('').length < 6) return null;
  const exact = text.indexOf(quote.trim());
  if (exact !== -1) return { start: exact, end: exact + quote.trim().length };
  if (words.length > 200) return null;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('\\s{1,20}');
  const match = new RegExp(pattern).exec(text.slice(0, 400_000));
  return match ? { start: match.index, end: match.index + match[0].length } : null;
}
