import { Context } from '@temporalio/activity';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contentId, HANDED_OVER, trialId } from '@reenact/domain';
import { Environment } from '@reenact/domain/schemas';
import type { Arm, ArmPlan, Control, JobActivities, Launch, Lever, ProbePart, SandboxOutcome, Trial, TrialOrigin } from '@reenact/domain';
import { withHeartbeat } from '@reenact/temporal/worker';
import { leverEnvironment, probePartsOf, readBundle } from '@reenact/verdict';
import type { Bundle } from '@reenact/verdict';
import { readEvidence } from '@reenact/sandbox';
import type { Dependencies } from '../dependencies.js';
import { getJson } from '../json-artifacts.js';
import { createOneAtATime } from '../one-at-a-time.js';
import { assertSameEnvironment } from '../same-environment.js';

type TrialInput = Parameters<JobActivities['runTrial']>[0];

/** Runs trials. A trial that is in the store is never run again: its id is a pure function of what is run. */
export function createTrialActivities(deps: Dependencies): JobActivities {
  const inTurn = createOneAtATime<Trial>();
  return {
    async runTrial(input) {
      const bundle = await readBundle(await deps.trees.pathOf(input.bundleTree));
      const id = idOf(input, bundle);
      return inTurn(
        id,
        () => finishedTrial(deps, id),
        () => runAndStore(deps, input, { id, bundle }),
      );
    },
  };
}

async function finishedTrial(deps: Dependencies, id: string): Promise<Trial | null> {
  const stored = await deps.runs.getTrial(id);
  return stored?.outcome === 'finished' ? stored : null;
}

/** The answer is what the store has: another process may have been first. */
async function runAndStore(deps: Dependencies, input: TrialInput, run: { id: string; bundle: Bundle }): Promise<Trial> {
  const trial = await execute(deps, input, run);
  await deps.runs.putTrial(trial);
  return (await deps.runs.getTrial(run.id)) ?? trial;
}

/**
 * Oracles change nothing of what runs but the parts of the probe, so bundles that differ in nothing else share their trials: the key
 * holds the script, the launch and those parts instead of the bundle's id.
 */
function idOf(input: TrialInput, bundle: Bundle): string {
  const { arm, series, index, lever } = input;
  const runs = bundle.manifest.files
    .filter(({ path: file }) => file === 'launch.json' || file.startsWith('script/'))
    .map(({ path: file, sha256 }) => ({ file, sha256 }));
  const trigger = triggerOf(bundle, arm.arm);
  const changed = trigger === null ? {} : { changed: { launch: trigger.launch, files: trigger.files } };
  const pulled = lever === undefined ? {} : { lever };
  return trialId({
    bundleId: contentId({ runs, importRoots: bundle.subject.importRoots, ...changed, ...pulled, ...probeOf(input, bundle) }),
    environmentId: arm.environmentId,
    arm: arm.arm,
    treeHash: arm.treeHash,
    series,
    index,
  });
}

/** Parts of the probe beside the ordinary; nothing where there are none, so that the keys of other trials stay. */
function probeOf({ arm }: TrialInput, bundle: Bundle): { probe?: ProbePart[] } {
  const probe = probePartsOf(bundle.facets, arm.arm);
  return probe.length === 0 ? {} : { probe };
}

type Trigger = Extract<Control, { kind: 'trigger' }>;

function triggerOf(bundle: Bundle, arm: Arm): Trigger | null {
  return arm === 'trigger' ? (bundle.controls.find((control) => control.kind === 'trigger') ?? null) : null;
}

/** What a trial starts: the bundle's own script and launch, or those without the trigger. */
async function startOf(bundle: Bundle, arm: Arm, scratch: string): Promise<{ scriptDirectory: string; launch: Launch }> {
  const trigger = triggerOf(bundle, arm);
  if (trigger === null || trigger.files.length === 0)
    return { scriptDirectory: bundle.scriptDirectory, launch: trigger?.launch ?? bundle.launch };
  const scriptDirectory = path.join(scratch, 'script');
  await mkdir(scriptDirectory);
  for (const file of trigger.files) await writeFile(path.join(scriptDirectory, file.path), file.text);
  return { scriptDirectory, launch: trigger.launch };
}

function withLever(launch: Launch, lever: Lever | undefined): Launch {
  return lever === undefined ? launch : { ...launch, env: { ...launch.env, ...leverEnvironment(lever) } };
}

async function execute(deps: Dependencies, input: TrialInput, run: { id: string; bundle: Bundle }): Promise<Trial> {
  const { id, bundle } = run;
  const environment = await getJson(deps.artifacts, input.arm.environment, Environment);
  await mkdir(deps.workDirectory, { recursive: true });
  const outputDirectory = await mkdtemp(path.join(deps.workDirectory, 'trial-'));
  try {
    const start = await startOf(bundle, input.arm.arm, outputDirectory);
    const outcome = await withHeartbeat(async ({ note }) =>
      deps.sandbox.execute(
        {
          executionId: id,
          origin: originOf(input),
          ...start,
          launch: withLever(start.launch, input.lever),
          ...(input.lever?.kind === 'load' ? { load: input.lever.value } : {}),
          subjectDirectory: await deps.trees.pathOf(input.arm.treeHash),
          importRoots: bundle.subject.importRoots,
          interpreter: environment.interpreter,
          outputDirectory,
          coverage: input.arm.arm === 'coverage' ? [] : null,
          ...probeOf(input, bundle),
          allowUnsandboxed: input.allowUnsandboxed,
        },
        { signal: trialSignal(), onProgress: (progress) => note(`${Math.round(progress.seconds)} s: ${progress.lastLine.slice(0, 200)}`) },
      ),
    );
    if (outcome.outcome === 'finished' && deps.sandbox.kind === 'kubernetes')
      assertSameEnvironment(environment, await readEvidence(outcome.evidencePath));
    // Rethrows the cancellation itself, so that Temporal sees a cancelled activity and not a failed one.
    if (outcome.outcome === 'cancelled') await Context.current().cancelled;
    const { bundleId, index, lever } = input;
    return await toTrial(deps, input.arm, { id, bundleId, index, ...(lever === undefined ? {} : { lever }) }, outcome);
  } finally {
    await rm(outputDirectory, { recursive: true, force: true });
  }
}

/** By the run of the workflow, so that no other run meets what this one made. */
function originOf({ runId, arm }: TrialInput): TrialOrigin {
  const execution = Context.current().info.workflowExecution;
  return { workflowId: execution?.workflowId ?? runId, runToken: execution?.runId ?? runId, arm: arm.arm };
}

/** Aborted as the activity's own signal; its reason tells a trial that nobody wants from one that another attempt will go on with. */
function trialSignal(): AbortSignal {
  const context = Context.current();
  const { cancellationSignal } = context;
  const trial = new AbortController();
  const onAbort = (): void => {
    trial.abort(context.cancellationDetails?.cancelRequested === true ? cancellationSignal.reason : HANDED_OVER);
  };
  if (cancellationSignal.aborted) onAbort();
  else cancellationSignal.addEventListener('abort', onAbort, { once: true });
  return trial.signal;
}

async function toTrial(
  deps: Dependencies,
  arm: ArmPlan,
  key: Pick<Trial, 'id' | 'bundleId' | 'index' | 'lever'>,
  outcome: SandboxOutcome,
): Promise<Trial> {
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
