// --- oracles, statistics, planner, judge ---
export { createEvidenceView, type EvidenceView, type StreamView } from './evidence/evidence-view.js';
export { evaluateOracle } from './oracles/evaluate-oracle.js';
export { evaluateFacet } from './oracles/evaluate-facet.js';
export type { EvaluationOptions, OracleAnswer, TrialGrounding } from './oracles/oracle-answer.js';
export { judgeTrial } from './verification/judge-trial.js';
export type { JudgedFacet, JudgedTrial, TrialFacts } from './verification/judged-trial.js';
export { nextTrials, type ControlArm, type PlanReason, type TrialPlan, type TrialPlanState } from './verification/trial-plan.js';
export { judge } from './judgement/judge.js';
export type { Judgement, JudgeInput } from './judgement/judge-input.js';
// --- end of oracles, statistics, planner, judge ---
