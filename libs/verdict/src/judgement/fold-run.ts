import type { Clause, VerdictState } from '@reenact/domain';
import type { Judgement } from './judge-input.js';
import { verdictClauses, verdictSentence } from './verdict-sentence.js';

/** The answer about one candidate of a run, and which idea it came from. */
export interface AttemptJudgement {
  /** Content id of the script, or of the command where there is none. */
  candidate: string;
  /** Number of the context that it was written from. */
  context: number;
  judgement: Judgement;
}

/** The run's answer: the judgement that it rests on, and its state. */
export interface RunFold {
  verdict: VerdictState;
  sentence: string;
  clauses: Clause[];
  reason: string | null;
  /** Index into the attempts of the one that decides; null where none does. */
  decidedBy: number | null;
}

/** What wins over what: a proof over a part of it, both over any account of why there is none. */
const BEST_FIRST: VerdictState[] = ['reproduced', 'reproduced_uncontrolled', 'reproduced_unstable', 'partial'];
const WITHOUT_PROOF: VerdictState[] = ['different_failure', 'model_of_bug', 'refused', 'inconclusive', 'not_shown', 'infra_error'];

function isWholeMiss({ judgement }: AttemptJudgement): boolean {
  const live = judgement.facets.filter((facet) => facet.live);
  return (
    live.length > 0 &&
    live.every((facet) => facet.state === 'absent') &&
    judgement.depth !== 'L0' &&
    judgement.depth !== 'L1' &&
    judgement.verdict !== 'refused'
  );
}

/** A symptom that came, though nothing could be proven by it: then the bug may well be there. */
function sawSymptom({ judgement }: AttemptJudgement): boolean {
  const isProofless = judgement.verdict === 'refused' || judgement.verdict === 'model_of_bug';
  return !isProofless && judgement.facets.some((facet) => facet.live && facet.rate.shown > 0);
}

/**
 * Of the attempts with one state, the one that says most: more facets shown, then more of them decided; the first of equals.
 * A command that measured nothing must not speak for a script that measured everything. -1 where none has the state.
 */
function mostTelling(attempts: readonly AttemptJudgement[], state: VerdictState): number {
  let best = { index: -1, shown: -1, decided: -1 };
  attempts.forEach(({ judgement }, index) => {
    if (judgement.verdict !== state) return;
    const live = judgement.facets.filter((facet) => facet.live);
    const shown = live.filter((facet) => facet.state === 'shown').length;
    const decided = live.filter((facet) => facet.state !== 'undecided').length;
    if (shown > best.shown || (shown === best.shown && decided > best.decided)) best = { index, shown, decided };
  });
  return best.index;
}

/** Two whole misses of different scripts from different contexts. */
function independentMisses(attempts: readonly AttemptJudgement[]): boolean {
  const misses = attempts.filter(isWholeMiss);
  return misses.some((one) => misses.some((other) => other.candidate !== one.candidate && other.context !== one.context));
}

function decided(attempts: readonly AttemptJudgement[], index: number): RunFold {
  const judgement = attempts[index]?.judgement;
  return judgement ? { ...judgementAnswer(judgement), decidedBy: index } : nothing('no attempt was made');
}

function judgementAnswer({ verdict, sentence, clauses, reason }: Judgement): Omit<RunFold, 'decidedBy'> {
  return { verdict, sentence, clauses, reason };
}

function nothing(detail: string): RunFold {
  const clauses: Clause[] = [{ text: `Inconclusive: ${detail}`, joint: '', rests: [{ type: 'run' }] }];
  return { verdict: 'inconclusive', sentence: verdictSentence(clauses), clauses, reason: 'attempts', decidedBy: null };
}

/**
 * Folds the judgements of a run's attempts into the run's verdict. `not_reproduced` needs a passed environment probe and two
 * independent whole misses, and is never said where an attempt saw a symptom, proven or not.
 */
export function foldRun(attempts: readonly AttemptJudgement[], options: { environmentProbePassed: boolean }): RunFold {
  for (const state of BEST_FIRST) {
    const index = mostTelling(attempts, state);
    if (index >= 0) return decided(attempts, index);
  }
  const cancelled = attempts.findIndex(({ judgement }) => judgement.verdict === 'cancelled');
  if (cancelled >= 0) return decided(attempts, cancelled);
  const firstMiss = attempts.findIndex(isWholeMiss);
  if (firstMiss >= 0 && options.environmentProbePassed && !attempts.some(sawSymptom) && independentMisses(attempts)) {
    const judgement = attempts[firstMiss]?.judgement;
    if (judgement) {
      const clauses = verdictClauses({ ...judgement, verdict: 'not_reproduced' });
      return { verdict: 'not_reproduced', sentence: verdictSentence(clauses), clauses, reason: null, decidedBy: firstMiss };
    }
  }
  const judged = attempts.filter(({ judgement }) => judgement.verdict !== 'infra_error');
  if (attempts.length > 0 && judged.length === 0) return decided(attempts, 0);
  for (const state of WITHOUT_PROOF) {
    const index = mostTelling(attempts, state);
    if (index >= 0)
      return state === 'not_shown'
        ? { ...nothing('fewer than two independent attempts reached the reported phase'), decidedBy: index }
        : decided(attempts, index);
  }
  return nothing('no attempt was made');
}
