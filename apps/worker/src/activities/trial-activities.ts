import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, contentId, trialId } from '@reenact/domain';
import { Environment } from '@reenact/domain/schemas';
import type { ArmPlan, JobActivities, SandboxOutcome, Trial } from '@reenact/domain';
import { withHeartbeat } from '@reenact/temporal/worker';
import { readBundle } from '@reenact/verdict';
import type { Bundle } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { getJson } from '../json-artifacts.js';

type TrialInput = Parameters<JobActivities['runTrial']>[0];

/** Runs trials. A trial that is in the store is never run again: its id is a pure function of what is run. */
export function createTrialActivities(deps: Dependencies): JobActivities {
  return {
    async runTrial(input) {
      const bundle = await readBundle(await deps.trees.pathOf(input.bundleTree));
      const id = idOf(input, bundle);
      const stored = await deps.runs.getTrial(id);
      if (stored !== null && stored.outcome === 'finished') return stored;
      const trial = await execute(deps, input, { id, bundle });
      await deps.runs.putTrial(trial);
      return trial;
    },
  };
}

/**
 * Oracles do not change what runs, so bundles that differ in nothing else share their trials: the key holds the script and
 * the launch instead of the bundle's id.
 */
function idOf(input: TrialInput, bundle: Bundle): string {
  const { arm, series, index } = input;
  const runs = bundle.manifest.files.filter(({ path: file }) => file === 'launch.json' || file.startsWith('script/')).map(({ path: file, sha256 }) => ({ file, sha256 }));
  return trialId({ bundleId: contentId({ runs, importRoots: bundle.subject.importRoots }), environmentId: arm.environmentId, arm: arm.arm, treeHash: arm.treeHash, series, index });
}

async function execute(deps: Dependencies, input: TrialInput, run: { id: string; bundle: Bundle }): Promise<Trial> {
  const { id, bundle } = run;
  const environment = await getJson(deps.artifacts, input.arm.environment, Environment);
  await mkdir(deps.workDirectory, { recursive: true });
  const outputDirectory = await mkdtemp(path.join(deps.workDirectory, 'trial-'));
  try {
    const outcome = await withHeartbeat(async ({ signal, note }) =>
      deps.sandbox.execute(
        {
          executionId: id,
          scriptDirectory: bundle.scriptDirectory,
          subjectDirectory: await deps.trees.pathOf(input.arm.treeHash),
          importRoots: bundle.subject.importRoots,
          interpreter: environment.interpreter,
          launch: bundle.launch,
          outputDirectory,
          coverage: input.arm.arm === 'coverage' ? [] : null,
          allowUnsandboxed: input.allowUnsandboxed,
        },
        { signal, onProgress: (progress) => note(`${Math.round(progress.seconds)} s: ${progress.lastLine.slice(0, 200)}`) },
      ),
    );
    if (outcome.outcome === 'cancelled') throw new AppError('sandbox-failed', `The trial was cancelled: ${outcome.reason}`);
    return await toTrial(deps, input.arm, { id, bundleId: input.bundleId, index: input.index }, outcome);
  } finally {
    await rm(outputDirectory, { recursive: true, force: true });
  }
}

async function toTrial(deps: Dependencies, arm: ArmPlan, key: { id: string; bundleId: string; index: number }, outcome: SandboxOutcome): Promise<Trial> {
  const finished = outcome.outcome === 'finished' ? outcome : null;
  return {
    schemaVersion: 1,
    ...key,
    environmentId: arm.environmentId,
    arm: arm.arm,
    treeHash: arm.treeHash,
    outcome: outcome.outcome,
    infraReason: outcome.outcome === 'finished' ? null : outcome.reason,
    evidence: finished === null ? null : await deps.artifacts.putFile(finished.evidencePath),
    sentinel: arm.sentinel,
    seconds: finished?.seconds ?? 0,
    overheadSeconds: finished?.overheadSeconds ?? 0,
  };
}
