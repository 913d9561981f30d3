import type { LeverKind, LeverResult, Rate } from '@reenact/domain';
import { isReproduced, leverResultWords, leverWords } from '@reenact/domain';
import { judge } from '../judgement/judge.js';
import type { JudgeInput, Judgement } from '../judgement/judge-input.js';
import { isCheckable, liveFacets } from '../verification/live-facets.js';
import { decisiveControl } from './decisive-control.js';
import { leverResults } from './lever-contrast.js';
import { foundLever, SEARCHED_LEVERS } from './lever-search.js';
import { plainTrials, trialsUnder } from './levers.js';

export interface LeverJudgeInput extends JudgeInput {
  levers: readonly LeverKind[];
}

/**
 * Judges a series and what was tried under levers. The rate is always that of the trials without any; a proven lever is told
 * beside it. Where the symptom came under a lever only, the verdict is `reproduced_unstable` at most (verdict.md section 5).
 */
export function judgeWithLevers(input: LeverJudgeInput): Judgement {
  const plain = { ...input, trials: plainTrials(input.trials) };
  const base = { ...judge(plain), trials: input.trials.length };
  if (plain.trials.length === input.trials.length) return base;
  if (base.facets.every(({ rate }) => rate.shown === 0)) return underFoundLever(input, base);
  const facets = liveFacets(input.facets, input.notLive).filter(isCheckable);
  const control = decisiveControl({ finished: plain.trials, controlArms: input.controls.map(({ arm }) => arm) }, facets);
  const levers = leverResults({ facets, trials: input.trials, levers: input.levers, control });
  const isMoved = levers.some(({ proven, effect }) => proven && effect === 'more');
  const isUnstable = base.verdict === 'inconclusive' && base.reason === 'rate' && isMoved;
  const state = isUnstable ? { verdict: 'reproduced_unstable' as const, reason: null } : {};
  const sentence = isUnstable ? `Reproduced, but unstable: ${base.rate.shown} of ${base.rate.total} fresh trials show it.` : base.sentence;
  return { ...base, ...state, levers, sentence: withLevers(sentence, levers) };
}

function underFoundLever(input: LeverJudgeInput, base: Judgement): Judgement {
  const lever = foundLever(input.trials, liveFacets(input.facets, input.notLive));
  if (lever === null) return base;
  const found = judge({
    ...input,
    trials: trialsUnder(input.trials, lever),
    candidatesVerified: input.candidatesVerified * SEARCHED_LEVERS,
  });
  if (!isReproduced(found.verdict)) return base;
  const control = found.controls.find(({ arm, state }) => arm !== 'tripwire' && state === 'absent');
  const result: LeverResult = {
    lever,
    under: countsOf(found.rate),
    against: countsOf(base.rate),
    otherSeed: null,
    control: control === undefined ? null : countsOf(control.rate),
    effect: 'more',
    p: null,
    proven: true,
  };
  const sentence = found.sentence.replace(/^Reproduced[^:]*:/, `Reproduced, but only with ${leverWords(lever)}:`);
  return {
    ...found,
    verdict: 'reproduced_unstable',
    trials: base.trials,
    levers: [result],
    sentence: sentence.replace(/\.$/, `; without it in ${base.rate.shown} of ${base.rate.total}.`),
  };
}

function countsOf({ shown, total }: Rate): { shown: number; total: number } {
  return { shown, total };
}

/** Proven levers belong to the answer; the others are in its table. */
function withLevers(sentence: string, levers: readonly LeverResult[]): string {
  const words = levers.filter(({ proven }) => proven).map(leverResultWords);
  return words.length === 0 ? sentence : sentence.replace(/\.$/, `; ${words.join('; ')}.`);
}
