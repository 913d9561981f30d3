import { isAppError } from '@reenact/domain';
import type { ArtifactStore, Candidate, ModelClient, ReadEvidence } from '@reenact/domain';
import { summarizeEvidence } from '../evidence-summary.js';
import type { EvidenceSummary } from '../evidence-summary.js';
import { bringsNothingNew, emptyMemory, rememberAttempt } from '../memory.js';
import type { AttemptOutcome } from '../memory.js';
import { proposeFromProject } from '../portfolio/from-project.js';
import { proposeFromReport } from '../portfolio/from-report.js';
import { withoutDuplicates } from '../portfolio/launch-building.js';
import { repairCandidate } from '../portfolio/repair-candidate.js';
import { openTree } from '../portfolio/subject-tree.js';
import { lineDiff } from '../prompts/line-diff.js';
import type { PreviousAttempt, SuspectSource } from '../prompts/prompt-sections.js';
import { diagnoseAttempt, generateCandidate } from '../tasks/generate.js';
import type { ProposedCandidate } from '../tasks/generate.js';
import { planReproduction } from '../tasks/plan.js';
import { proposeSabotage } from '../tasks/propose-sabotage.js';
import { refineClaim } from '../tasks/refine-claim.js';
import type { TaskMaterial, TaskModel, TaskOptions } from '../tasks/task.js';
import { getJson, getJsonOrNull, putJson } from './json-artifacts.js';
import type { OpenedSubject } from './subject-reader.js';

export interface AuthoringDependencies {
  artifacts: Pick<ArtifactStore, 'putBytes' | 'getBytes'>;
  openSubject: (treeHash: string) => Promise<OpenedSubject>;
  readEvidence: ReadEvidence;
  /** The run's model (stored and metered), or null when none is configured. */
  modelFor: (runId: string) => ModelClient | null;
  /** Cancellation and heartbeat of the running activity. */
  taskOptions: () => TaskOptions;
}

/** A stored candidate, small enough for a workflow's history. */
export interface CandidateHandle {
  ref: string;
  id: string;
  origin: Candidate['origin'];
  source: string;
  repairs: string[];
}

/** Why a task of a model gave nothing: a value, so that the loop goes on without it. */
export type NotDone = { status: 'skipped' | 'invalid' | 'budget'; reason: string };

/** Content references of what a task reads. */
export interface TaskInput {
  runId: string;
  report: string;
  claim: string;
  context: string | null;
  treeHash: string;
  memory: string | null;
  /** What people said about this run while it went on, oldest first; absent = nothing. */
  hints?: string[];
}

export interface PreviousInput {
  candidate: string;
  /** The candidate before that one, to show what was changed. */
  earlierCandidate: string | null;
  evidence: string | null;
  facetStates: Record<string, string>;
  findings: string[];
  /** The claim with the oracles that it was judged by, where known. */
  claim?: string | null;
  /** What came of it in words, and oracles that were refused. */
  notes?: string[];
}

export interface ProposedHandle {
  status: 'done';
  candidate: CandidateHandle;
  /** Reference of the claim with its facets bound to this script. */
  claim: string;
  idea: string;
  notes: string[];
  repeated: boolean;
}

export interface AuthoringActivities {
  proposeDeterministic(input: {
    report: string;
    claim: string;
    treeHash: string;
    pytestAvailable: boolean;
  }): Promise<{ candidates: CandidateHandle[] }>;
  repairAttempt(input: { candidate: string; evidence: string; treeHash: string }): Promise<{ candidate: CandidateHandle | null }>;
  recordAttempt(input: {
    memory: string | null;
    outcome: Omit<AttemptOutcome, 'evidence'> & { evidence: string | null };
  }): Promise<{ memory: string; stop: boolean }>;
  refineClaim(input: TaskInput): Promise<{ status: 'done'; claim: string; notes: string[] } | NotDone>;
  planReproduction(input: TaskInput): Promise<{ status: 'done'; plan: string; memory: string } | NotDone>;
  proposeCandidate(input: TaskInput & { plan: string | null }): Promise<ProposedHandle | NotDone>;
  proposeSabotage(
    input: TaskInput & { suspects: SuspectSource[] },
  ): Promise<{ status: 'done'; functions: string; count: number; idea: string } | NotDone>;
  diagnose(input: TaskInput & { previous: PreviousInput }): Promise<(ProposedHandle & { diagnosis: string; memory: string }) | NotDone>;
}

/**
 * Authoring as activities: plain functions over ports. Everything big goes by reference; equal input gives equal output,
 * and a model call that is stored already is not made again (that is the model client's part, see `createStoredModelClient`).
 */
export function createAuthoringActivities(dependencies: AuthoringDependencies): AuthoringActivities {
  return { ...createPortfolioActivities(dependencies), ...createModelActivities(dependencies) };
}

function createPortfolioActivities(
  deps: AuthoringDependencies,
): Pick<AuthoringActivities, 'proposeDeterministic' | 'repairAttempt' | 'recordAttempt'> {
  return {
    proposeDeterministic: async ({ report, claim, treeHash, pytestAvailable }) => {
      const [read, readClaim] = await Promise.all([getJson(deps.artifacts, 'report', report), getJson(deps.artifacts, 'claim', claim)]);
      const candidates = await withSubject(deps, treeHash, (subject) => {
        const input = { report: read, claim: readClaim, treeDirectory: subject.directory, treeFiles: subject.files };
        return withoutDuplicates([...proposeFromReport(input), ...proposeFromProject(input, { pytestAvailable })]);
      });
      return { candidates: await Promise.all(candidates.map((candidate) => handleOf(deps, candidate))) };
    },
    repairAttempt: async ({ candidate, evidence, treeHash }) => {
      const [before, summary] = await Promise.all([getJson(deps.artifacts, 'candidate', candidate), readSummary(deps, evidence)]);
      const after = await withSubject(deps, treeHash, (subject) =>
        repairCandidate(before, summary, openTree(subject.directory, subject.files)),
      );
      return { candidate: after ? await handleOf(deps, after) : null };
    },
    recordAttempt: async ({ memory, outcome }) => {
      const before = (await getJsonOrNull(deps.artifacts, 'memory', memory)) ?? emptyMemory();
      const after = rememberAttempt(before, {
        ...outcome,
        evidence: outcome.evidence === null ? null : await readSummary(deps, outcome.evidence),
      });
      return { memory: await putJson(deps.artifacts, after), stop: bringsNothingNew(after) };
    },
  };
}

function createModelActivities(
  deps: AuthoringDependencies,
): Pick<AuthoringActivities, 'refineClaim' | 'planReproduction' | 'proposeCandidate' | 'proposeSabotage' | 'diagnose'> {
  return {
    refineClaim: (input) =>
      withModel(deps, input, async (material, model) => {
        const { claim, notes } = await refineClaim(material, model);
        return { status: 'done' as const, claim: await putJson(deps.artifacts, claim), notes };
      }),
    planReproduction: (input) =>
      withModel(deps, input, async (material, model) => {
        const { plan, memory } = await planReproduction(material, model);
        return { status: 'done' as const, plan: await putJson(deps.artifacts, plan), memory: await putJson(deps.artifacts, memory) };
      }),
    proposeCandidate: (input) =>
      withModel(deps, input, async (material, model) => {
        const plan = await getJsonOrNull(deps.artifacts, 'plan', input.plan);
        return proposedHandle(deps, material, await generateCandidate(material, plan, model));
      }),
    proposeSabotage: (input) =>
      withModel(deps, input, async (material, model) => {
        const { functions, idea } = await proposeSabotage(material, input.suspects, model);
        return { status: 'done' as const, functions: await putJson(deps.artifacts, functions), count: functions.length, idea };
      }),
    diagnose: (input) =>
      withModel(deps, input, async (material, model) => {
        const result = await diagnoseAttempt(material, await readPrevious(deps, input.previous), model);
        const handle = await proposedHandle(deps, material, result);
        return { ...handle, diagnosis: result.diagnosis, memory: await putJson(deps.artifacts, result.memory) };
      }),
  };
}

/** Runs a task of a model; without a model, at the end of a budget and after unusable answers it gives a value that says so. */
async function withModel<T>(
  deps: AuthoringDependencies,
  input: TaskInput,
  task: (material: TaskMaterial, model: TaskModel) => Promise<T>,
): Promise<T | NotDone> {
  const client = deps.modelFor(input.runId);
  if (client === null) return { status: 'skipped', reason: 'no model configured' };
  const material = await readMaterial(deps, input);
  try {
    return await task(material, { client, options: deps.taskOptions() });
  } catch (error) {
    if (isAppError(error) && error.code === 'llm-output-invalid') return { status: 'invalid', reason: error.message };
    if (isAppError(error) && error.code === 'budget-exceeded') return { status: 'budget', reason: error.message };
    throw error;
  }
}

async function readMaterial(deps: AuthoringDependencies, input: TaskInput): Promise<TaskMaterial> {
  const { artifacts } = deps;
  const [report, claim, context, memory, files] = await Promise.all([
    getJson(artifacts, 'report', input.report),
    getJson(artifacts, 'claim', input.claim),
    getJsonOrNull(artifacts, 'context', input.context),
    getJsonOrNull(artifacts, 'memory', input.memory),
    withSubject(deps, input.treeHash, (subject) => subject.files),
  ]);
  return { report, claim, context, files, memory: memory ?? emptyMemory(), hints: input.hints ?? [] };
}

async function readPrevious(deps: AuthoringDependencies, previous: PreviousInput): Promise<PreviousAttempt> {
  const [candidate, earlier, evidence, claim] = await Promise.all([
    getJson(deps.artifacts, 'candidate', previous.candidate),
    getJsonOrNull(deps.artifacts, 'candidate', previous.earlierCandidate),
    previous.evidence === null ? null : readSummary(deps, previous.evidence),
    getJsonOrNull(deps.artifacts, 'claim', previous.claim ?? null),
  ]);
  const script = candidate.files[0]?.text ?? null;
  const before = earlier?.files[0]?.text;
  return {
    launch: candidate.launch.steps.map(({ argv, ranks }) => argv.join(' ') + (ranks > 1 ? ` (${ranks} ranks)` : '')).join(' && '),
    script,
    diff: script !== null && before !== undefined ? lineDiff(before, script) : null,
    evidence,
    facetStates: previous.facetStates,
    findings: previous.findings,
    oracles: Object.fromEntries((claim?.facets ?? []).filter(({ oracles }) => oracles.length > 0).map(({ id, oracles }) => [id, oracles])),
    notes: previous.notes ?? [],
  };
}

async function proposedHandle(deps: AuthoringDependencies, material: TaskMaterial, proposed: ProposedCandidate): Promise<ProposedHandle> {
  const claim = await putJson(deps.artifacts, { ...material.claim, facets: proposed.facets });
  return {
    status: 'done',
    candidate: await handleOf(deps, proposed.candidate),
    claim,
    idea: proposed.idea,
    notes: proposed.notes,
    repeated: proposed.repeated,
  };
}

async function handleOf(deps: AuthoringDependencies, candidate: Candidate): Promise<CandidateHandle> {
  const { id, origin, source, repairs } = candidate;
  return { ref: await putJson(deps.artifacts, candidate), id, origin, source, repairs };
}

async function readSummary(deps: AuthoringDependencies, ref: string): Promise<EvidenceSummary> {
  return summarizeEvidence(await deps.readEvidence(ref));
}

async function withSubject<T>(deps: AuthoringDependencies, treeHash: string, use: (subject: OpenedSubject) => T): Promise<T> {
  const subject = await deps.openSubject(treeHash);
  try {
    return use(subject);
  } finally {
    await subject.release();
  }
}
