import { isReproduced } from '@reenact/domain';
import type { VerdictState } from '@reenact/domain';

/** What a state means to somebody who waits for an answer, and what to do next. */
export interface StateWords {
  title: string;
  meaning: string;
  next: string;
}

/** One entry for each state of verdict.md section 5; `docs/results.md` explains them at length. */
export const STATE_WORDS: Record<VerdictState, StateWords> = {
  reproduced: {
    title: 'Reproduced',
    meaning: 'Every symptom that the report states as observed came in fresh runs, and it was gone in a control.',
    next: 'Unpack the bundle and debug; once a fix is there, replay the bundle on it.',
  },
  reproduced_uncontrolled: {
    title: 'Reproduced, without a control',
    meaning: 'The symptoms came in fresh runs and were recorded from outside the script, but nothing was found in which they are gone.',
    next: 'Name a fix, a good version or a working setting, and run again: then it is known what brings the fault about.',
  },
  reproduced_unstable: {
    title: 'Reproduced, but unstable',
    meaning: 'The symptoms come, though in fewer than half of the runs; the rate has its interval.',
    next: 'Plan for the rate: a fix is shown by many quiet runs, not by one.',
  },
  partial: {
    title: 'Partly reproduced',
    meaning: 'Some of the claimed symptoms came and some did not; each is listed with its own evidence.',
    next: 'Look at the symptoms that are open: often they have a cause of their own, or need another setting.',
  },
  different_failure: {
    title: 'Another failure',
    meaning: 'Something failed, and it is not what the report describes; both signatures are shown.',
    next: 'Mend what failed (it may be the set-up), or file it as a report of its own.',
  },
  not_reproduced: {
    title: 'Not reproduced',
    meaning: 'Independent attempts came as far as the reported phase, and no symptom came; how likely that is a miss is stated.',
    next: 'Compare versions, data and settings with those of the reporter, and ask for what is missing.',
  },
  fixed: {
    title: 'Fixed',
    meaning: 'The same check shows the fault on the reported version and not on the newer one.',
    next: 'Close the report with the version, or bisect for the change.',
  },
  needs_info: {
    title: 'More information needed',
    meaning: 'The report lacks what any attempt would need.',
    next: 'Send the template to the reporter and run again with the answer.',
  },
  unsupported: {
    title: 'Not possible here',
    meaning: 'Something is missing on this machine that the report or the project needs; what it is, and in which form, is listed.',
    next: 'Give it, or run the bundle where it is.',
  },
  not_shown: {
    title: 'Not shown',
    meaning: 'This one script ran and showed no claimed symptom. That says nothing of other scripts.',
    next: 'Try another script, or run the whole pipeline on the report.',
  },
  refused: {
    title: 'Refused',
    meaning: 'The script does not prove what it shows: a rule found how it makes the signal by itself.',
    next: 'Read the finding and write the script so that the project makes the signal.',
  },
  model_of_bug: {
    title: 'A model of the bug',
    meaning: "The mechanism was shown in isolation, without the project's own code.",
    next: 'Use it to understand the fault; for a proof the script must run the project.',
  },
  cancelled: {
    title: 'Cancelled',
    meaning: 'A person stopped the run.',
    next: 'Start it again with the same command; trials that ran are kept.',
  },
  not_a_bug: { title: 'Not a bug', meaning: 'A person decided so; name and reason are recorded.', next: 'Nothing, unless you disagree.' },
  inconclusive: {
    title: 'Inconclusive',
    meaning: 'The runs decide nothing: a limit was reached, or the checks cannot tell.',
    next: 'The sentence names the limit: give more of it, a control, or a sharper check.',
  },
  infra_error: {
    title: 'No result',
    meaning: 'The platform failed. That never counts for or against the report.',
    next: 'See what is wrong with the machine, then start again.',
  },
};

/** Sign and tone of a state; colour never stands alone. */
export function stateTone(state: VerdictState): { sign: string; tone: 'yes' | 'no' | 'open' | 'broken' } {
  if (isReproduced(state)) return { sign: '✔', tone: 'yes' };
  if (state === 'infra_error' || state === 'refused') return { sign: '✖', tone: 'broken' };
  if (state === 'partial') return { sign: '◐', tone: 'no' };
  return OPEN.has(state) ? { sign: '?', tone: 'open' } : { sign: '○', tone: 'no' };
}

const OPEN: ReadonlySet<VerdictState> = new Set(['needs_info', 'unsupported', 'inconclusive', 'cancelled']);
