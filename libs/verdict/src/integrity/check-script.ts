import type { PythonSyntax } from '@reenact/code-index';
import type { Candidate, Claim, Finding } from '@reenact/domain';
import { liveFacets } from '../verification/live-facets.js';
import type { ConfirmInput, Rule } from './rule.js';
import { decidesFromSource } from './rules/decides-from-source.js';
import { editsTheSubject } from './rules/edits-the-subject.js';
import { exitsByHand } from './rules/exits-by-hand.js';
import { forgesEvidence } from './rules/forges-evidence.js';
import { neverCallsTheSubject } from './rules/never-calls-the-subject.js';
import { patchesTheSubject } from './rules/patches-the-subject.js';
import { printsTheAnswer } from './rules/prints-the-answer.js';
import { raisesItself } from './rules/raises-itself.js';
import { reimplementsTheSubject } from './rules/reimplements-the-subject.js';
import { runsACopy } from './rules/runs-a-copy.js';
import { sleepsAsHang } from './rules/sleeps-as-hang.js';
import { spoilsState } from './rules/spoils-state.js';
import { stubsThePath } from './rules/stubs-the-path.js';
import { followScript } from './script-flow.js';
import type { SubjectListing } from './subject-listing.js';

/** All integrity rules of this version. */
export const INTEGRITY_RULES: readonly Rule[] = [
  raisesItself,
  printsTheAnswer,
  patchesTheSubject,
  neverCallsTheSubject,
  editsTheSubject,
  exitsByHand,
  stubsThePath,
  runsACopy,
  sleepsAsHang,
  decidesFromSource,
  reimplementsTheSubject,
  spoilsState,
  forgesEvidence,
];

/**
 * Static rules over a candidate's syntax trees. Everything that comes back is `suspicion` or `advice`: only evidence
 * makes a finding of it.
 * @param claim the claim with the facets that the candidate is judged by
 */
export function checkScript(python: PythonSyntax, candidate: Candidate, subject: SubjectListing, claim: Claim): Finding[] {
  const script = followScript(python, candidate.files, subject);
  try {
    const input = { script, candidate, subject, claim, facets: liveFacets(claim.facets, []) };
    return INTEGRITY_RULES.flatMap((rule) => rule.check?.(input) ?? []);
  } finally {
    script.dispose();
  }
}

/**
 * Answers suspicions by what trials recorded, and adds what evidence alone shows. A finding is never dropped; a
 * suspicion that evidence says nothing about stays one.
 * @param suspicions as `checkScript` gave them, also after a round trip through JSON
 */
export function confirmFindings(
  python: PythonSyntax,
  candidate: Candidate,
  suspicions: readonly Finding[],
  evidence: Omit<ConfirmInput, 'script'>,
): Finding[] {
  const script = followScript(python, candidate.files, evidence.subject);
  try {
    const input: ConfirmInput = { ...evidence, facets: liveFacets(evidence.facets, []), script };
    const answers = suspicions.map((suspicion) => {
      const rule = INTEGRITY_RULES.find((other) => other.code === suspicion.rule) ?? (suspicion.rule === 'imitates-a-rank' ? patchesTheSubject : undefined);
      return suspicion.level === 'suspicion' && rule?.confirm !== undefined ? rule.confirm(suspicion, input) : suspicion;
    });
    const observed = INTEGRITY_RULES.flatMap((rule) => rule.observe?.(input) ?? []);
    const isNew = (finding: Finding): boolean => !answers.some((other) => other.rule === finding.rule && other.level === 'finding' && (other.line === finding.line || finding.line === undefined));
    return [...answers, ...observed.filter(isNew)];
  } finally {
    script.dispose();
  }
}
