import type { Arm, EvidenceRecord, Finding } from '@reenact/domain';
import { recordAt } from './claimed-signal.js';
import { answered, type ConfirmInput, type TrialEvidence } from './rule.js';

/** Finished trials of an arm. */
export function trialsOf(input: Pick<ConfirmInput, 'trials'>, arm: Arm): TrialEvidence[] {
  return input.trials.filter((trial) => trial.judged.arm === arm && trial.judged.outcome === 'finished');
}

/** Candidate trials in which a facet was shown; without an id, any facet. */
export function shownTrials(input: Pick<ConfirmInput, 'trials'>, facet: string | undefined): TrialEvidence[] {
  return trialsOf(input, 'candidate').filter((trial) => isShown(trial, facet));
}

function isShown(trial: TrialEvidence, facet: string | undefined): boolean {
  return trial.judged.facets.some((judged) => judged.state === 'shown' && (facet === undefined || judged.id === facet));
}

/** Records that a shown facet of a trial rests on. */
export function groundingRecords(trial: TrialEvidence, facet: string | undefined): EvidenceRecord[] {
  return trial.judged.facets
    .filter((judged) => judged.state === 'shown' && (facet === undefined || judged.id === facet))
    .flatMap((judged) => judged.grounding)
    .flatMap((grounding) => recordAt(trial.records, grounding.seq) ?? []);
}

/**
 * What the control arms on another subject or environment say about a facet; `unknown` where none could decide. A
 * trigger taken out leaves the subject as it is and says nothing about who brings the signal about, and a proposed function
 * may come from the script's own author: neither of them clears a script.
 */
export function controlState(input: ConfirmInput, facet: string | undefined): 'shown' | 'absent' | 'unknown' {
  const controls = [...trialsOf(input, 'fixed'), ...trialsOf(input, 'good')];
  if (controls.some((trial) => isShown(trial, facet))) return 'shown';
  const decided = controls.filter((trial) =>
    trial.judged.facets.every((judged) => (facet !== undefined && judged.id !== facet) || judged.state === 'absent'),
  );
  return decided.length > 0 ? 'absent' : 'unknown';
}

export interface TripwireFacts {
  ran: boolean;
  /** The sentinel was seen in every trial of the arm. */
  tripped: boolean;
  /** The facet was shown although the suspects were sabotaged. */
  shown: boolean;
}

export function tripwireFacts(input: ConfirmInput, facet: string | undefined): TripwireFacts {
  const trials = trialsOf(input, 'tripwire');
  return {
    ran: trials.length > 0,
    tripped: trials.length > 0 && trials.every((trial) => trial.judged.sentinelSeen === true),
    shown: trials.some((trial) => isShown(trial, facet)),
  };
}

/** Where the signal is still there: reason for a finding, or null. A signal that outlives the fault is not the fault's. */
export function persistence(input: ConfirmInput, facet: string | undefined): string | null {
  if (controlState(input, facet) === 'shown') return 'the signal is also there in the control arm';
  if (tripwireFacts(input, facet).shown) return 'the signal is also there when the suspected functions are sabotaged';
  return null;
}

/**
 * Answers a suspicion whose line did give the signal. A line that nothing of the subject decides over is a finding
 * unless a control shows that it does depend on the subject; one that the subject guards stays open without a control.
 */
export function decide(finding: Finding, input: ConfirmInput, fromLine: string): Finding {
  const persists = persistence(input, finding.facet);
  if (persists !== null) return answered(finding, 'finding', `${fromLine}; ${persists}`);
  if (controlState(input, finding.facet) === 'absent')
    return answered(finding, 'refuted', 'the signal is absent in the control arm, so the subject decides over it');
  if (finding.detail?.['guarded'] === true)
    return answered(finding, 'suspicion', `${fromLine}; the subject may decide over it, and no control says so`);
  return answered(finding, 'finding', `${fromLine}; no control shows that the subject decides over it`);
}

/** The usual answer where the facet was not shown at all. */
export function notShown(finding: Finding): Finding {
  return answered(finding, 'refuted', 'the signal was not shown, so nothing was imitated');
}
