import { isUnbound, readsReportedValues, type Claim, type Facet, type Oracle, type Report } from '@reenact/domain';
import { Facet as FacetSchema } from '@reenact/domain/schemas';
import { groundOracles } from '../ground-oracles.js';
import { facetId } from './facet-id.js';

const MOST_PROPOSED = 12;

/** A part of a proposal that was not taken, and why. */
export interface RejectedProposal {
  facet: string;
  reason: string;
}

/** A claim with what a model added to it. */
export interface MergedClaim {
  claim: Claim;
  rejected: RejectedProposal[];
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** A message that is claimed literally must stand in the report as a whole. */
function literalProblem(oracle: Oracle, report: Report): string | null {
  const message =
    oracle.kind === 'exception' && oracle.message?.match !== 'keywords'
      ? oracle.message?.text
      : oracle.kind === 'import'
        ? oracle.message
        : undefined;
  if (message === undefined || message === '') return null;
  if (oracle.kind === 'exception' && oracle.message?.match === 'regex') return 'claims a message as a pattern; quote it from the report';
  return folded(report.text).includes(folded(message)) ? null : 'its message is not in the report';
}

function versionProblem(oracle: Oracle, report: Report): string | null {
  const versions = JSON.stringify(oracle).match(/(?<![\w.])\d{1,4}\.\d{1,4}\.\d{1,4}(?![\w.])/g) ?? [];
  const invented = versions.find((version) => !report.text.includes(version));
  return invented === undefined ? null : `the version ${invented} is not in the report`;
}

/** The sentence of the report that a statement quotes. */
function sentenceOf(statement: string, report: Report): Report['sentences'][number] | null {
  const wanted = folded(statement);
  if (wanted.length < 8) return null;
  return report.sentences.find((sentence) => folded(sentence.text).includes(wanted) || wanted.includes(folded(sentence.text))) ?? null;
}

function readProposal(proposal: unknown): unknown[] {
  if (Array.isArray(proposal)) return proposal.slice(0, MOST_PROPOSED);
  const facets = typeof proposal === 'object' && proposal !== null ? (proposal as { facets?: unknown }).facets : undefined;
  return Array.isArray(facets) ? facets.slice(0, MOST_PROPOSED) : [];
}

/** A proposed facet with only those oracles that the report supports. */
function ground(value: unknown, report: Report, rejected: RejectedProposal[]): Facet | null {
  const parsed = FacetSchema.safeParse(value);
  if (!parsed.success) {
    rejected.push({ facet: '?', reason: `not a facet: ${parsed.error.issues[0]?.message ?? 'invalid'}` });
    return null;
  }
  const facet = parsed.data;
  const { kept, dropped } = groundOracles(facet.oracles, report);
  rejected.push(...dropped.map((reason) => ({ facet: facet.id, reason })));
  const oracles = kept.filter((oracle) => {
    const problem = literalProblem(oracle, report) ?? versionProblem(oracle, report);
    if (problem !== null) rejected.push({ facet: facet.id, reason: `${oracle.kind}: ${problem}` });
    return problem === null;
  });
  // A conjunction that lost a member would be weaker than what was proposed.
  if (oracles.length < facet.oracles.length || oracles.length === 0) {
    if (facet.oracles.length === 0) rejected.push({ facet: facet.id, reason: 'has no oracle' });
    return null;
  }
  const sentence = sentenceOf(facet.statement, report);
  const measured = oracles.some(readsReportedValues);
  const stance = sentence === null || sentence.stance === 'neutral' ? facet.stance : sentence.stance;
  return { ...facet, oracles, span: sentence?.span ?? null, stance, shownBy: measured ? 'measurement' : facet.shownBy };
}

/**
 * Whether a model's grounded check may take the place of the facet's own. Rules name want of memory by its words alone, and a
 * script may have to measure it at a small scale.
 */
function isOpen(facet: Facet): boolean {
  return facet.oracles.length === 0 || facet.oracles.some((oracle) => isUnbound(oracle) || oracle.kind === 'oom');
}

function speakOfOneSymptom(own: Facet, proposed: Facet): boolean {
  if (own.id === proposed.id) return true;
  if (own.span !== null && proposed.span !== null && own.span.start === proposed.span.start) return true;
  return own.oracles.some((oracle) => proposed.oracles.some((other) => other.kind === oracle.kind));
}

/** Takes one grounded facet in: it binds an open facet of the rules, is left out where the rules have a check, or is added. */
function takeIn(facets: Facet[], proposed: Facet, rejected: RejectedProposal[]): boolean {
  const same = facets.find((own) => speakOfOneSymptom(own, proposed)) ?? facets.find(isOpen);
  if (same === undefined) {
    facets.push({ ...proposed, id: facetId(proposed.id, new Set(facets.map((facet) => facet.id))) });
    return true;
  }
  if (!isOpen(same)) {
    rejected.push({ facet: proposed.id, reason: `the rules' facet ${same.id} has a check for this symptom already` });
    return false;
  }
  if (proposed.stance !== 'observed') {
    rejected.push({ facet: proposed.id, reason: `its sentence is meant as ${proposed.stance}, so it cannot bind ${same.id}` });
    return false;
  }
  facets[facets.indexOf(same)] = {
    id: same.id,
    statement: same.statement,
    span: same.span,
    stance: same.stance,
    oracles: proposed.oracles,
    shownBy: proposed.shownBy,
  };
  return true;
}

/**
 * Joins a model's reading of a report to that of the rules. What a model proposes counts only where the report supports
 * it: literal messages stand there as a whole (white space folded), words, numbers and versions stand there, bounds are
 * logical. A facet of the rules that has a check is never replaced, weakened or taken away.
 *
 * @param proposal facets in the domain's form, as an array or as `{facets}`; anything else is rejected with a reason.
 */
export function mergeModelClaim(report: Report, rulesClaim: Claim, proposal: unknown): MergedClaim {
  const rejected: RejectedProposal[] = [];
  const facets = [...rulesClaim.facets];
  const proposed = readProposal(proposal);
  if (proposed.length === 0) rejected.push({ facet: '?', reason: 'the proposal holds no facets' });
  let taken = 0;
  for (const value of proposed) {
    const facet = ground(value, report, rejected);
    if (facet !== null && takeIn(facets, facet, rejected)) taken += 1;
  }
  return { claim: taken === 0 ? rulesClaim : { ...rulesClaim, facets, madeBy: 'model' }, rejected };
}
