// --- oracles, statistics, planner, judge ---
export { createEvidenceView, type EvidenceView, type StreamView } from './evidence/evidence-view.js';
export { failureOf } from './evidence/failure.js';
export type { Failure } from './evidence/root-event.js';
export { evaluateOracle } from './oracles/evaluate-oracle.js';
export { evaluateFacet } from './oracles/evaluate-facet.js';
export type { EvaluationOptions, OracleAnswer, TrialGrounding } from './oracles/oracle-answer.js';
export { judgeTrial } from './verification/judge-trial.js';
export type { JudgedFacet, JudgedTrial, TrialFacts } from './verification/judged-trial.js';
export {
  isControlArm,
  nextTrials,
  type ControlArm,
  type PlanReason,
  type TrialPlan,
  type TrialPlanState,
} from './verification/trial-plan.js';
export { judge } from './judgement/judge.js';
export { leverEnvironment, leversOf } from './levers/levers.js';
export { planWithLevers } from './levers/plan-with-levers.js';
export { judgeWithLevers } from './levers/judge-with-levers.js';
export { lacksControl } from './judgement/lacks-control.js';
export type { Judgement, JudgeInput } from './judgement/judge-input.js';
export { foldRun, type AttemptJudgement, type RunFold } from './judgement/fold-run.js';
export { verdictClauses, verdictSentence, type SentenceParts } from './judgement/verdict-sentence.js';
export { checkGrounding, checkStatement } from './grounding/check-grounding.js';
export { ledgerTrial, type Ledger, type LedgerTrial } from './grounding/ledger.js';
export { settleVerdict } from './grounding/settle-verdict.js';
export type { StatementMaterial } from './grounding/compose-statements.js';
export { findLack, mayLack, type Lack, type LackAttempt, type LackQuestion } from './lacks/find-lack.js';
export { needOf } from './lacks/needs.js';
export { checkOracles } from './oracles/check-oracles.js';
export { compilePattern } from './pattern/safe-pattern.js';
export { clopperPearson, rateOf, type Interval } from './statistics/intervals.js';
export { wilsonInterval } from './statistics/wilson.js';
export { negativeBinomialInterval } from './statistics/negative-binomial.js';
export { mannWhitneyExact, type MannWhitney } from './statistics/mann-whitney.js';
export { theilSen, type Point, type TheilSen } from './statistics/theil-sen.js';
export { doesNotFall, type FallBound } from './statistics/equivalence.js';
export { bootstrapRatio, pairedRatio, type BootstrapOptions, type Pair, type RatioInterval } from './statistics/bootstrap-ratio.js';
export { fisherOneSided, isSignificant, toNumber, type Counts, type Fraction } from './statistics/fisher.js';
export { missProbability, runsNeeded } from './statistics/misses.js';
export { controlTrialState, tripwireTrialState, type ControlState, type TripwireState } from './verification/arm-states.js';
export { isCheckable, isDeterministic, isMeasured, liveFacets } from './verification/live-facets.js';
export { diagnosisTrials } from './diagnosis/diagnosis-trials.js';
export { explain, type DiagnosticTrial } from './diagnosis/explain.js';
export { probePartsOf } from './diagnosis/probe-parts.js';
// --- end of oracles, statistics, planner, judge ---

// --- integrity, controls, bundle ---
export { checkScript, confirmFindings, INTEGRITY_RULES } from './integrity/check-script.js';
export type { ConfirmInput, Rule, RuleInput, TrialEvidence } from './integrity/rule.js';
export { listSubject, type SubjectListing } from './integrity/subject-listing.js';
export { applyPatch, planPatch, type PatchedFile } from './controls/apply-patch.js';
export { preparePatchControl } from './controls/prepare-control.js';
export { replaceFunctions, type ProposedFunction } from './controls/sabotage.js';
export { outlinePython, type FileOutline, type FunctionOutline } from './controls/python-outline.js';
export {
  MODULE_SUSPECT,
  suspectsFromClaim,
  suspectsFromCoverage,
  suspectsFromPatch,
  type Suspect,
  type TreeOutline,
} from './controls/suspects.js';
export { buildTripwire, type TripwireResult } from './controls/tripwire.js';
export { tripwireMark } from './controls/tripwire-statement.js';
export { freezeBundle, type BundleParts } from './bundle/freeze-bundle.js';
export { packBundle, unpackBundle, type PackResult } from './bundle/pack-bundle.js';
export { readBundle, type Bundle } from './bundle/read-bundle.js';
export { readTar, writeTar, type TarEntry } from './bundle/tar.js';
// --- end of integrity, controls, bundle ---

export { diffTrees } from './controls/diff-trees.js';
export { parseOracleFile } from './oracle-file/parse-oracle-file.js';

export { bisectionSentence, namedCulprit, triedPoints } from './bisection/bisection-summary.js';
export { nextProbe } from './bisection/next-probe.js';
export { probeState } from './bisection/probe-state.js';

export { applyCuts, sizeOf } from './minimise/apply-cuts.js';
export { nextCut, NO_CUT } from './minimise/next-cut.js';
export { listCuts } from './minimise/script-cuts.js';
export { weighCut } from './minimise/weigh-cut.js';
