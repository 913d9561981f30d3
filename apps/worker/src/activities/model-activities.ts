import { Claim, Report } from '@reenact/domain/schemas';
import type { ModelActivities, ModelInput, ModelUse, NotProposed, PreviousAttempt, Usage } from '@reenact/domain';
import { claimFromReport } from '@reenact/authoring';
import type { AuthoringActivities } from '@reenact/authoring';
import { withHeartbeat } from '@reenact/temporal/worker';
import { isCheckable, liveFacets, readBundle } from '@reenact/verdict';
import type { Judgement, SubjectListing, Suspect } from '@reenact/verdict';
import { composeAuthoring, limitedCandidate } from '../authoring.js';
import type { Dependencies } from '../dependencies.js';
import { getJson, putJson } from '../json-artifacts.js';
import { suspectsOf } from './bundle-activities.js';
import { StoredJudgement } from '../stored-judgement.js';

/** Claim, plan and scripts by a model where one may be asked; a model proposes, it never judges. */
export function createModelActivities(deps: Dependencies): ModelActivities {
  return {
    restructureReport: (input) => restructure(deps, input),
    async planReproduction(input) {
      const result = await ask(deps, input, (authoring) => authoring.planReproduction(taskOf(input)));
      return { ...result, usage: await usageOf(deps, input.runId) };
    },
    async proposeCandidate({ plan, previous, limits, ...input }) {
      const task = taskOf(input);
      const result = await ask(deps, input, async (authoring) =>
        previous === null
          ? authoring.proposeCandidate({ ...task, plan })
          : authoring.diagnose({ ...task, previous: await describePrevious(deps, previous) }),
      );
      const usage = await usageOf(deps, input.runId);
      if (result.status !== 'done') return { ...result, usage } satisfies NotProposed;
      const memory = 'memory' in result && typeof result.memory === 'string' ? result.memory : null;
      return {
        status: 'done',
        candidate: await limitedCandidate(deps, result.candidate.ref, limits, { idea: result.idea, notes: result.notes }),
        claim: result.claim,
        memory,
        usage,
      };
    },
    async proposeSabotage({ bundleTree, coverage, ...input }) {
      const bundle = await readBundle(await deps.trees.pathOf(bundleTree));
      const suspected = await suspectsOf(deps, bundle, { treeHash: input.treeHash, coverage });
      const listing = await deps.listSubject(input.treeHash, bundle.subject.importRoots);
      const suspects = sourcesOf(listing, suspected.slice(0, MOST_SUSPECTS));
      const result =
        suspects.length === 0
          ? { status: 'skipped' as const, reason: 'no suspected function is known' }
          : await ask(deps, input, (authoring) => authoring.proposeSabotage({ ...taskOf(input), suspects }));
      const usage = await usageOf(deps, input.runId);
      if (result.status !== 'done') return { ...result, usage };
      if (result.count === 0) return { status: 'skipped', reason: 'the model knows no correct version', usage };
      return { status: 'done', functions: result.functions, summary: result.idea, usage };
    },
    async rememberAttempt({ memory, attempt }) {
      const judgement = attempt.judgement === null ? null : await getJson(deps.artifacts, attempt.judgement, StoredJudgement);
      const { context, attempt: number, candidateId, origin, result, evidence, note } = attempt;
      const states = statesOf(judgement);
      const findings = [...states.findings, ...(judgement === null && note !== '' ? [note] : []), ...(attempt.notes ?? [])];
      const outcome = { context, attempt: number, candidateId, origin, result, evidence, idea: attempt.idea ?? '', ...states, findings };
      const remembered = await composeAuthoring(deps).recordAttempt({ memory, outcome });
      return { memory: remembered.memory, bringsNothingNew: remembered.stop };
    },
  };
}

/** Where everything that ran is suspected, the prompt holds so many functions. */
const MOST_SUSPECTS = 12;

/** Texts of functions of the subject, without their decorators; those that are not listed are left out. */
function sourcesOf({ outlines, texts }: SubjectListing, suspects: readonly Suspect[]) {
  return suspects.flatMap((suspect) => {
    const found = outlines.get(suspect.file)?.functions.find(({ name }) => name === suspect.function);
    const lines = texts.get(suspect.file)?.split('\n') ?? [];
    return found === undefined ? [] : [{ ...suspect, text: lines.slice(found.startLine - 1, found.endLine).join('\n') }];
  });
}

type Restructure = Parameters<ModelActivities['restructureReport']>[0];

async function restructure(
  deps: Dependencies,
  { runId, model, report, treeHash }: Restructure,
): ReturnType<ModelActivities['restructureReport']> {
  const byRules = claimFromReport(await getJson(deps.artifacts, report, Report));
  const skipped: string[] = [];
  let claim = await putJson(deps.artifacts, byRules);
  if (!model.enabled) skipped.push('claim: by rules alone, no model was used');
  else {
    const input: ModelInput = { runId, model, report, claim, context: null, treeHash, memory: null };
    const refined = await ask(deps, input, (authoring) => authoring.refineClaim(taskOf(input)));
    if (refined.status === 'done') claim = refined.claim;
    else skipped.push(`claim: by rules alone, ${refined.reason}`);
  }
  const read = await getJson(deps.artifacts, claim, Claim);
  const live = liveFacets(read.facets, []);
  return {
    claim,
    title: read.title,
    liveFacets: live.length,
    decidableFacets: live.filter(isCheckable).length,
    missing: read.missing,
    skipped,
    usage: await usageOf(deps, runId),
  };
}

function ask<T>(
  deps: Dependencies,
  input: { runId: string; model: ModelUse },
  task: (authoring: AuthoringActivities) => Promise<T>,
): Promise<T> {
  return withHeartbeat(({ signal, note }) => {
    const client = input.model.enabled ? deps.modelFor(input.runId, input.model) : null;
    return task(
      composeAuthoring(deps, { modelFor: () => client, taskOptions: () => ({ signal, onProgress: () => note('the model answers') }) }),
    );
  });
}

function taskOf({ runId, report, claim, context, treeHash, memory, hints }: ModelInput) {
  return { runId, report, claim, context, treeHash, memory, ...(hints === undefined ? {} : { hints }) };
}

async function describePrevious(deps: Dependencies, previous: PreviousAttempt) {
  const judgement = previous.judgement === null ? null : await getJson(deps.artifacts, previous.judgement, StoredJudgement);
  const { candidate, earlierCandidate, evidence, claim = null, notes = [] } = previous;
  return { candidate, earlierCandidate, evidence, claim, notes, ...statesOf(judgement) };
}

function statesOf(judgement: Judgement | null): { facetStates: Record<string, string>; findings: string[] } {
  return {
    facetStates: Object.fromEntries(
      (judgement?.facets ?? []).map((facet) => [facet.id, facet.note === undefined ? facet.state : `${facet.state}: ${facet.note}`]),
    ),
    findings: (judgement?.findings ?? [])
      .filter((finding) => finding.level !== 'refuted')
      .map((finding) => `${finding.rule}: ${finding.message}`),
  };
}

/** What the run's stored calls add up to; one unknown price makes the sum unknown. */
async function usageOf(deps: Dependencies, runId: string): Promise<Usage> {
  const calls = await deps.runs.listModelCalls(runId);
  const known = calls.every((call) => call.costUsd !== null);
  return {
    modelCalls: calls.length,
    inputTokens: calls.reduce((sum, call) => sum + call.inputTokens, 0),
    outputTokens: calls.reduce((sum, call) => sum + call.outputTokens, 0),
    costUsd: known ? calls.reduce((sum, call) => sum + (call.costUsd ?? 0), 0) : null,
  };
}
