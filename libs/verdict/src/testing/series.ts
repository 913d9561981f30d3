import type { Arm, Facet } from '@reenact/domain';
import { judge } from '../judgement/judge.js';
import type { Judgement, JudgeInput } from '../judgement/judge-input.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { nextTrials, type PlanReason } from '../verification/trial-plan.js';

/** A series as the workflow runs it, with trials made by the test. */
export interface PlayedSeries {
  judgement: Judgement;
  reason: PlanReason;
  finished: JudgedTrial[];
}

const ROUNDS_LIMIT = 60;

/** Input of a judgement in which nothing speaks against the script. */
export function judgeInput(facets: Facet[], trials: JudgedTrial[], extra: Partial<JudgeInput> = {}): JudgeInput {
  return {
    facets,
    notLive: [],
    expectedRate: 1,
    scope: 'script',
    trials,
    controls: [{ arm: 'fixed', label: 'fix.patch' }],
    tripwire: { built: true, note: '' },
    candidatesVerified: 1,
    findings: [],
    environmentDistance: [],
    data: null,
    ranksAsked: null,
    ...extra,
  };
}

/** Asks the planner for trials, makes them, and judges at the end. Throws where the planner never ends. */
export function playSeries(
  facets: Facet[],
  makeTrial: (arm: Arm, index: number) => JudgedTrial,
  extra: Partial<JudgeInput> = {},
): PlayedSeries {
  const input = judgeInput(facets, [], extra);
  const finished: JudgedTrial[] = [];
  for (let round = 0; round < ROUNDS_LIMIT; round += 1) {
    const plan = nextTrials({
      facets,
      notLive: input.notLive,
      expectedRate: input.expectedRate,
      controlArms: input.controls.map((control) => control.arm),
      tripwire: input.tripwire.built,
      candidatesVerified: input.candidatesVerified,
      finished,
    });
    if (plan.done) return { judgement: judge({ ...input, trials: finished }), reason: plan.reason, finished };
    if (plan.trials.length === 0) throw new Error('the planner neither ends nor asks');
    for (const { arm, index } of plan.trials) finished.push(makeTrial(arm, index));
  }
  throw new Error('the planner never ends');
}
