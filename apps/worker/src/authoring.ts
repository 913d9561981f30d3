import { createAuthoringActivities } from '@reenact/authoring';
import type { AuthoringActivities } from '@reenact/authoring';
import { Candidate } from '@reenact/domain/schemas';
import type { ContentRef, ProposedCandidate, RunRequest } from '@reenact/domain';
import type { Dependencies } from './dependencies.js';
import { readTrialEvidence } from './evidence.js';
import { getJson, putJson } from './json-artifacts.js';
import { listFiles } from './list-files.js';

type ModelPart = Pick<Parameters<typeof createAuthoringActivities>[0], 'modelFor' | 'taskOptions'>;

const WITHOUT_MODEL: ModelPart = {
  modelFor: () => null,
  taskOptions: () => ({ signal: AbortSignal.abort(), onProgress: () => undefined }),
};

/** Authoring over this worker's ports; with a model only where one is handed in. */
export function composeAuthoring(deps: Dependencies, model: ModelPart = WITHOUT_MODEL): AuthoringActivities {
  return createAuthoringActivities({
    artifacts: deps.artifacts,
    openSubject: async (treeHash) => {
      const directory = await deps.trees.pathOf(treeHash);
      return { directory, files: await listFiles(directory), release: () => Promise.resolve() };
    },
    readEvidence: (evidence) => readTrialEvidence(deps.artifacts, { evidence }),
    ...model,
  });
}

/** A proposed candidate under the limits that were asked for, as the workflow hands it on. */
export async function limitedCandidate(
  deps: Dependencies,
  ref: ContentRef,
  limits: RunRequest['limits'],
  proposal: { idea?: string; notes?: string[] } = {},
): Promise<ProposedCandidate> {
  const candidate = await getJson(deps.artifacts, ref, Candidate);
  const limited = { ...candidate, launch: { ...candidate.launch, limits: { ...candidate.launch.limits, ...limits } } };
  const steps = candidate.launch.steps.map((step) => step.argv.join(' ')).join(' && ');
  const summary = `${candidate.origin}: ${proposal.idea || steps}`.slice(0, 300);
  return { candidate: await putJson(deps.artifacts, limited), id: candidate.id, origin: candidate.origin, summary, ...proposal };
}
