import { NO_USAGE } from '@reenact/domain';
import type { ArmPlan, AttemptRecord, FrozenBundle, PreparedEnvironment, ReplayRequest, VerdictState } from '@reenact/domain';
import { endedBy, publishEnding } from './ending.js';
import type { RunResult } from './ending.js';
import { core } from './policies.js';
import { stageArms, stageEnvironment, stageSubject } from './stage-bundle.js';
import type { BundleRequest } from './stage-bundle.js';
import { Story } from './story.js';
import { verifyBundle } from './verify.js';

/** Fresh trials of a stored bundle, without a model: the same verdict on another machine or another version. */
export async function replayBundleWorkflow(request: ReplayRequest): Promise<RunResult> {
  const story = new Story(request.runId, request.title, 'replay');
  const startedAtMilliseconds = Date.now();
  const attempts: AttemptRecord[] = [];
  let claim: string | null = null;
  let environment: PreparedEnvironment | null = null;
  let ended: { state: VerdictState; reason: string } | null = null;
  try {
    const opened = await core.openBundle({ bundleTree: request.bundleTree });
    claim = opened.claim;
    const subject = await stageSubject(request, opened.treeHash, opened.address);
    environment = await stageEnvironment(request, opened.requirements, subject.treeHash);
    const arms = await stageArms(request, subject, environment, opened.patches);
    attempts.push(await replayAttempt(request, { bundle: { bundleTree: request.bundleTree, bundleId: opened.bundleId }, arms }, story));
  } catch (error) {
    ended = await endedBy(error, attempts.length, story);
  }
  return publishEnding(
    {
      runId: request.runId,
      title: request.title,
      claim,
      environment: environment?.environment ?? null,
      attempts,
      scope: 'script',
      usage: NO_USAGE,
      skipped: [],
      startedAtMilliseconds,
    },
    ended,
    story,
  );
}

/** What a verification of a bundle needs beside the request. */
export interface StagedBundle {
  bundle: FrozenBundle;
  arms: ArmPlan[];
  /** Bundles verified in this run, this one included; absent = the first. */
  candidatesVerified?: number;
}

/** A whole verification of a bundle, as one attempt of its run. */
export async function replayAttempt(
  request: BundleRequest,
  { bundle, arms, candidatesVerified = 1 }: StagedBundle,
  story: Story,
): Promise<AttemptRecord> {
  const checked = await core.checkBundle({ bundleTree: bundle.bundleTree, treeHash: arms[0]?.treeHash ?? '' });
  const { judged, trials } = await verifyBundle({
    runId: request.runId,
    bundle: { ...bundle, ...(checked.controls === undefined ? {} : { controls: checked.controls }) },
    arms,
    findings: checked.findings,
    scope: 'script',
    series: request.series,
    candidatesVerified,
    allowUnsandboxed: request.allowUnsandboxed,
    onProgress: (message) => story.tell('verify', message),
  });
  return {
    context: 0,
    attempt: 1,
    candidate: checked.candidate,
    candidateId: bundle.bundleId.slice(0, 12),
    origin: 'given',
    result: judged.state,
    note: judged.sentence,
    judgement: judged.judgement,
    bundle,
    evidence: trials.find((trial) => trial.arm === 'candidate')?.evidence ?? null,
    signature: judged.signature,
    trials: trials.map(({ id }) => id),
  };
}
