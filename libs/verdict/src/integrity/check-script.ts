import type { PythonSyntax } from '@reenact/code-index';
import type { Candidate, Claim, Finding } from '@reenact/domain';
import { liveFacets } from '../verification/live-facets.js';
import { notShown, shownTrials } from './arm-facts.js';
import { answered, suspicion, type ConfirmInput, type Rule } from './rule.js';
import { allocatesAsLeak } from './rules/allocates-as-leak.js';
import { changesTheCondition } from './rules/changes-the-condition.js';
import { choosesTheCondition } from './rules/chooses-the-condition.js';
import { decidesFromSource } from './rules/decides-from-source.js';
import { editsTheSubject } from './rules/edits-the-subject.js';
import { exitsByHand } from './rules/exits-by-hand.js';
import { forgesEvidence } from './rules/forges-evidence.js';
import { hidesItsCode } from './rules/hides-its-code.js';
import { neverCallsTheSubject } from './rules/never-calls-the-subject.js';
import { patchesTheSubject } from './rules/patches-the-subject.js';
import { printsTheAnswer } from './rules/prints-the-answer.js';
import { raisesItself } from './rules/raises-itself.js';
import { reimplementsTheSubject } from './rules/reimplements-the-subject.js';
import { runsACopy } from './rules/runs-a-copy.js';
import { sleepsAsHang } from './rules/sleeps-as-hang.js';
import { spoilsState } from './rules/spoils-state.js';
import { stubsThePath } from './rules/stubs-the-path.js';
import { writesTheFile } from './rules/writes-the-file.js';
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
  changesTheCondition,
  choosesTheCondition,
  allocatesAsLeak,
  hidesItsCode,
  forgesEvidence,
  writesTheFile,
];

const UNREADABLE = 'unreadable-script';

/**
 * Static rules over a candidate's syntax trees. Everything that comes back is `suspicion` or `advice`: only evidence
 * makes a finding of it.
 * @param claim the claim with the facets that the candidate is judged by
 */
export function checkScript(python: PythonSyntax, candidate: Candidate, subject: SubjectListing, claim: Claim): Finding[] {
  const script = followScript(python, candidate.files, subject);
  if (script === null) return [suspicion(UNREADABLE, 'the script is too large or nested too deeply for the integrity rules', {})];
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
  if (script === null) return suspicions.map((finding) => (finding.rule === UNREADABLE ? confirmUnreadable(finding, evidence) : finding));
  try {
    const input: ConfirmInput = { ...evidence, facets: liveFacets(evidence.facets, []), script };
    const answers = suspicions.map((finding) => confirmOne(finding, input));
    const observed = INTEGRITY_RULES.flatMap((rule) => rule.observe?.(input) ?? []);
    return [...answers, ...observed.filter((finding) => !answers.some((other) => isSame(other, finding)))];
  } finally {
    script.dispose();
  }
}

function confirmOne(finding: Finding, input: ConfirmInput): Finding {
  if (finding.level !== 'suspicion') return finding;
  const code = finding.rule === 'imitates-a-rank' ? patchesTheSubject.code : finding.rule;
  return INTEGRITY_RULES.find((rule) => rule.code === code)?.confirm?.(finding, input) ?? finding;
}

/** No rule could look at the script, so nothing refutes that it is a cheat. */
function confirmUnreadable(finding: Finding, evidence: Omit<ConfirmInput, 'script'>): Finding {
  if (shownTrials(evidence, undefined).length === 0) return notShown(finding);
  return answered(finding, 'finding', 'a signal was shown by a script that no rule could read');
}

/** What was confirmed from the script is not told again from the evidence. */
function isSame(answer: Finding, observed: Finding): boolean {
  return answer.rule === observed.rule && answer.level === 'finding' && (observed.line === undefined || answer.line === observed.line);
}
