export { proposeFromReport } from './portfolio/from-report.js';
export type { PortfolioInput } from './portfolio/from-report.js';
export { proposeFromProject } from './portfolio/from-project.js';
export { repairCandidate } from './portfolio/repair-candidate.js';
export { openTree, treeOfTexts } from './portfolio/subject-tree.js';
export type { SubjectTree } from './portfolio/subject-tree.js';
export { summarizeEvidence } from './evidence-summary.js';
export type { EvidenceSummary } from './evidence-summary.js';
export { createAuthoringActivities } from './activities/authoring-activities.js';
export type {
  AuthoringActivities,
  AuthoringDependencies,
  CandidateHandle,
  NotDone,
  PreviousInput,
  ProposedHandle,
  TaskInput,
} from './activities/authoring-activities.js';
export { createSubjectReader } from './activities/subject-reader.js';
export type { OpenedSubject } from './activities/subject-reader.js';
export { groundOracles, isReportNumber } from './ground-oracles.js';
export { attemptSignature, bringsNothingNew, emptyMemory, rememberAttempt, rememberHypotheses, wasTried } from './memory.js';
export type { AttemptOutcome, Hypothesis, Memory, RememberedAttempt } from './memory.js';
export { createMeteredModelClient } from './model/metered-model-client.js';
export type { MeterSettings, Spend } from './model/metered-model-client.js';
export { createOpenAiModelClient } from './model/openai-model-client.js';
export type { OpenAiSettings } from './model/openai-model-client.js';
export { costOf, LIST_PRICES, priceOf, withPrices } from './model/prices.js';
export type { ModelPrice, PriceTable } from './model/prices.js';
export { createRecordingModelClient, createReplayingModelClient, promptHash } from './model/recorded-model-client.js';
export { createStoredModelClient, modelCallKey, storedSpend } from './model/stored-model-client.js';
export type { StoredModelSettings } from './model/stored-model-client.js';
export { redactSecrets } from './prompts/redact-secrets.js';
export type { PreviousAttempt } from './prompts/prompt-sections.js';
export { bindFacets } from './tasks/bind-facets.js';
export { diagnoseAttempt, generateCandidate } from './tasks/generate.js';
export type { Diagnosis, ProposedCandidate } from './tasks/generate.js';
export { planReproduction } from './tasks/plan.js';
export { mergeRefinement, refineClaim } from './tasks/refine-claim.js';
export type { RefinedClaim } from './tasks/refine-claim.js';
export type { TaskMaterial, TaskModel, TaskOptions } from './tasks/task.js';
export { claimFromReport } from './claim/claim-from-report.js';
export { mergeModelClaim } from './claim/merge-model-claim.js';
export type { MergedClaim, RejectedProposal } from './claim/merge-model-claim.js';
export { removeTrigger } from './trigger/remove-trigger.js';
