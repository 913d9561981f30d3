import { NO_USAGE } from '@reenact/domain';
import type {
  ArmPlan,
  AttemptRecord,
  FrozenBundle,
  PreparedEnvironment,
  PreparedSubject,
  ReplayRequest,
  VerdictState,
} from '@reenact/domain';
import { endedBy, publishEnding } from './ending.js';
import type { RunResult } from './ending.js';
import { core, environments, subjects } from './policies.js';
import { armOf } from './prepare.js';
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
    const subject = await replaySubject(request, opened.treeHash, opened.address);
    environment = await environments.buildEnvironment({
      runId: request.runId,
      python: request.python,
      requirements: request.requirements.length > 0 ? request.requirements : opened.requirements,
      report: null,
      treeHash: subject.treeHash,
      role: 'candidate',
    });
    const arms = await replayArms(request, subject, environment, opened.patches);
    attempts.push(await replayAttempt(request, { bundleTree: request.bundleTree, bundleId: opened.bundleId }, arms, story));
  } catch (error) {
    ended = endedBy(error, attempts.length);
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

function replaySubject(request: ReplayRequest, treeHash: string, address: ReplayRequest['subject']): Promise<PreparedSubject> {
  const given = request.subject !== null;
  return subjects.prepareSubject({
    runId: request.runId,
    address: request.subject ?? address ?? { type: 'folder', path: '' },
    treeHash: given ? request.treeHash : treeHash,
    reportDate: null,
  });
}

async function replayArms(
  request: ReplayRequest,
  subject: PreparedSubject,
  environment: PreparedEnvironment,
  patches: string[],
): Promise<ArmPlan[]> {
  const arms = [armOf('candidate', subject.treeHash, environment, 'the subject as stored')];
  for (const patch of patches.slice(0, 1)) {
    const fixed = await subjects.prepareFixed({
      runId: request.runId,
      subject,
      fixed: { type: 'patch', patch },
      treeHash: null,
      reportDate: null,
    });
    arms.push(armOf('fixed', fixed.treeHash, environment, fixed.label));
  }
  if (request.controlPython !== null) {
    const good = await environments.buildEnvironment({
      runId: request.runId,
      python: request.controlPython,
      requirements: [],
      report: null,
      treeHash: subject.treeHash,
      role: 'good',
    });
    arms.push(armOf('good', subject.treeHash, good, `other environment: ${good.summary}`));
  }
  return arms;
}

async function replayAttempt(request: ReplayRequest, bundle: FrozenBundle, arms: ArmPlan[], story: Story): Promise<AttemptRecord> {
  const checked = await core.checkBundle({ bundleTree: request.bundleTree, treeHash: arms[0]?.treeHash ?? '' });
  const { judged, trials } = await verifyBundle({
    runId: request.runId,
    bundle,
    arms,
    findings: checked.findings,
    scope: 'script',
    series: request.series,
    candidatesVerified: 1,
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
  };
}
