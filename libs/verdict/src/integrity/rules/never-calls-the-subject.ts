import type { EvidenceRecord, Finding } from '@reenact/domain';
import { createEvidenceView } from '../../evidence/evidence-view.js';
import { notShown, shownTrials, tripwireFacts, trialsOf } from '../arm-facts.js';
import { isImportOnly } from '../claimed-signal.js';
import { FROM_SUBJECT, has, NAMES_SUBJECT } from '../labels.js';
import { answered, suspicion, type Rule, type RuleInput } from '../rule.js';
import type { SubjectListing } from '../subject-listing.js';
import { labelsOfText } from '../text-labels.js';

const CODE = 'never-calls-the-subject';

/** The subject is not imported, not started, or imported and never used. */
export const neverCallsTheSubject: Rule = {
  code: CODE,
  check(input) {
    if (input.candidate.files.length === 0 || input.subject.outlines.size === 0 || isImportOnly(input.facets) || isLaunched(input))
      return [];
    const file = input.candidate.files[0]?.path;
    const place = file === undefined ? {} : { file, line: 1 };
    if (!input.script.reachesSubject)
      return [suspicion(CODE, 'the script neither imports nor starts the subject', { ...place, detail: { imported: false } })];
    const used = input.script.calls.some(
      (call) => has(call.callee, FROM_SUBJECT) || (call.kind !== 'prints' && has(call.arguments, FROM_SUBJECT)) || call.kind === 'launches',
    );
    return used
      ? []
      : [suspicion(CODE, 'the script imports the subject and calls nothing of it', { ...place, detail: { imported: true } })];
  },
  confirm(finding, input) {
    const tripwire = tripwireFacts(input, undefined);
    if (tripwire.tripped) return answered(finding, 'refuted', 'the suspected functions were reached: their sentinel was seen');
    if (shownTrials(input, undefined).length === 0) return notShown(finding);
    const trial = trialsOf(input, 'candidate').find(({ records }) => reachedSubject(records, input.subject));
    if (finding.detail?.['imported'] === true) {
      if (tripwire.ran) return answered(finding, 'finding', 'the suspected functions were never reached');
      return answered(finding, 'suspicion', 'no tripwire says whether the suspected functions were reached');
    }
    if (trial !== undefined) return answered(finding, 'refuted', 'files of the subject were loaded');
    return answered(finding, 'finding', 'no file of the subject was loaded in any trial');
  },
  observe(input) {
    if (input.subject.outlines.size === 0 || isImportOnly(input.facets) || tripwireFacts(input, undefined).tripped) return [];
    const shown = shownTrials(input, undefined).filter(({ records }) => createEvidenceView(records).probeAlive);
    if (shown.length === 0 || shown.some(({ records }) => reachedSubject(records, input.subject))) return [];
    const finding: Finding = {
      rule: CODE,
      level: 'finding',
      message: 'the signal was shown and no file of the subject was loaded',
      evidence: `trial ${shown[0]?.judged.trial ?? ''}`,
    };
    return [finding];
  },
};

/** A step of the launch runs a file or module of the subject itself. */
function isLaunched(input: RuleInput): boolean {
  return input.candidate.launch.steps.some((step) =>
    step.argv.some((word) => !word.startsWith('@script/') && has(labelsOfText(`"${word}"`, input.subject), NAMES_SUBJECT)),
  );
}

/** Loaded modules, frames, coverage, or a process whose command names a file of the subject: a killed one tells no more. */
function reachedSubject(records: readonly EvidenceRecord[], subject: SubjectListing): boolean {
  if (createEvidenceView(records).subjectFiles.size > 0) return true;
  return records.some(
    (record) => record.kind === 'process' && record.argv.slice(1).some((word) => has(labelsOfText(`"${word}"`, subject), NAMES_SUBJECT)),
  );
}
