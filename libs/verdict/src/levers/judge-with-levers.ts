import { isReproduced, leverResultWords, leverWords } from '@reenact/domain';
import type { Arm, Clause, Lever, LeverKind, LeverResult, Rate, Rest } from '@reenact/domain';
import { judge } from '../judgement/judge.js';
import type { JudgeInput, Judgement } from '../judgement/judge-input.js';
import { verdictSentence } from '../judgement/verdict-sentence.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
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
  const proven = levers.filter((lever) => lever.proven);
  const isUnstable = base.verdict === 'inconclusive' && base.reason === 'rate' && proven.some(({ effect }) => effect === 'more');
  const answer = isUnstable ? unstable(base) : base;
  return withClauses({ ...answer, levers }, [...answer.clauses, ...proven.map((lever) => leverClause(lever, input.trials))]);
}

/** Too rare to be called unstable by its rate, but something is known that brings it. */
function unstable(base: Judgement): Judgement {
  const text = `Reproduced, but unstable: ${base.rate.shown} of ${base.rate.total} fresh trials show it`;
  const rests: Rest[] = [{ type: 'trials', arm: 'candidate', trials: base.candidates }];
  return { ...base, verdict: 'reproduced_unstable', reason: null, clauses: [{ text, joint: '', rests }] };
}

function withClauses(judgement: Judgement, clauses: Clause[]): Judgement {
  return { ...judgement, clauses, sentence: verdictSentence(clauses) };
}

function leverClause(result: LeverResult, trials: readonly JudgedTrial[]): Clause {
  const other: Lever | 'none' = result.otherSeed === null ? 'none' : { kind: 'hash-seed', value: result.otherSeed };
  const rests = [restUnder('candidate', result.lever, trials), restUnder('candidate', other, trials)];
  return { text: leverResultWords(result), joint: '; ', rests };
}

function restUnder(arm: Arm, lever: Lever | 'none', trials: readonly JudgedTrial[]): Rest {
  const under = lever === 'none' ? plainTrials(trials) : trialsUnder(trials, lever);
  const own = under.filter((trial) => trial.arm === arm && trial.outcome === 'finished');
  return { type: 'trials', arm, trials: own.map(({ trial }) => trial), lever };
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
  const judgement: Judgement = {
    ...found,
    verdict: 'reproduced_unstable',
    trials: base.trials,
    levers: [result],
    seriesLever: lever,
  };
  const [lead, ...others] = found.clauses;
  const first = lead === undefined ? [] : [underLeverClause(lead, lever, input.trials)];
  const text = `without it in ${base.rate.shown} of ${base.rate.total}`;
  return withClauses(judgement, [...first, ...others, { text, joint: '; ', rests: [restUnder('candidate', 'none', input.trials)] }]);
}

function underLeverClause(lead: Clause, lever: Lever, trials: readonly JudgedTrial[]): Clause {
  const text = lead.text.replace(/^Reproduced[^:]*:/, `Reproduced, but only with ${leverWords(lever)}:`);
  return { ...lead, text, rests: [...lead.rests, restUnder('candidate', lever, trials)] };
}

function countsOf({ shown, total }: Rate): { shown: number; total: number } {
  return { shown, total };
}
