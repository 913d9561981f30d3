import type { AttemptRecord, ContentRef, FrozenBundle, ProposedCandidate, RunRequest } from '@reenact/domain';
import { core, models } from './policies.js';
import type { Prepared } from './prepare.js';
import type { Story } from './story.js';
import { verifyBundle } from './verify.js';
import type { Verified } from './verify.js';

export interface AttemptInput {
  request: RunRequest;
  prepared: Prepared;
  /** Claim whose facets the candidate is judged by; a model may have bound more oracles than the run's claim has. */
  claim: string;
  candidate: ProposedCandidate;
  context: number;
  attempt: number;
  scope: 'script' | 'run';
  candidatesVerified: number;
}

/** Checks, freezes, runs and judges one candidate. A failed attempt is a value, never an exception. */
export async function makeAttempt(input: AttemptInput, story: Story): Promise<AttemptRecord> {
  const attempt = await tryCandidate(input, story);
  await core.recordAttempt({ runId: input.request.runId, attempt });
  return attempt;
}

interface AttemptExtras {
  findings: ContentRef;
  tell: (message: string) => Promise<void>;
  sabotage?: ContentRef;
}

/** Freezes the candidate with its controls and verifies it; a second time, trials that ran already are not run again. */
async function verifyAttempt(
  { request, prepared, claim, candidate, scope, candidatesVerified }: AttemptInput,
  { findings, tell, sabotage }: AttemptExtras,
): Promise<Verified & { bundle: FrozenBundle }> {
  const bundle = await core.freezeBundle({
    candidate: candidate.candidate,
    claim,
    subject: prepared.subject.subject,
    environment: prepared.environment.environment,
    arms: prepared.arms,
    patch: prepared.patch,
    ...(sabotage === undefined ? {} : { sabotage }),
  });
  const verified = await verifyBundle({
    runId: request.runId,
    bundle,
    arms: prepared.arms,
    findings,
    scope,
    series: request.series,
    candidatesVerified,
    allowUnsandboxed: request.allowUnsandboxed,
    onProgress: tell,
  });
  return { ...verified, bundle };
}

/** A control where none is known: the suspected functions in a version that a model takes for correct; null where there is none. */
async function proposeSabotage(
  { request, prepared, claim }: AttemptInput,
  { bundle: { bundleTree }, coverage }: Verified & { bundle: FrozenBundle },
  tell: (message: string) => Promise<void>,
): Promise<ContentRef | null> {
  if (!request.model.enabled) return null;
  await tell('the signal is there; looking for a control: a correct version of the suspected functions');
  const { runId, model } = request;
  const { treeHash } = prepared.subject;
  const asked = { runId, model, report: prepared.report, claim, context: null, treeHash, memory: null };
  const proposed = await models.proposeSabotage({ ...asked, bundleTree, coverage });
  if (proposed.status !== 'done') return null;
  const made = await core.prepareSabotage({ bundleTree, treeHash, coverage, functions: proposed.functions });
  await tell(made.patch === null ? `no such control: ${made.reason}` : `control proposed: ${proposed.summary}`);
  return made.patch;
}

async function tryCandidate(input: AttemptInput, story: Story): Promise<AttemptRecord> {
  const { prepared, candidate } = input;
  const record: AttemptRecord = {
    context: input.context,
    attempt: input.attempt,
    candidate: candidate.candidate,
    candidateId: candidate.id,
    origin: candidate.origin,
    result: 'rejected',
    note: '',
    judgement: null,
    bundle: null,
    evidence: null,
    signature: '',
    ...(candidate.idea === undefined ? {} : { idea: candidate.idea }),
    ...(candidate.notes === undefined ? {} : { notes: candidate.notes }),
  };
  const label = `context ${input.context}, attempt ${input.attempt}`;
  await story.tell('attempt', `${label}: ${candidate.summary}`);
  const checked = await core.checkCandidate({ candidate: candidate.candidate, claim: input.claim, subject: prepared.subject.subject });
  if (checked.rejected !== null) return { ...record, note: checked.rejected, signature: `rejected ${checked.rejected}` };
  const tell = (message: string): Promise<void> => story.tell('verify', `${label}: ${message}`);
  const first = await verifyAttempt(input, { findings: checked.findings, tell });
  const sabotage = first.judged.wantsControl === true ? await proposeSabotage(input, first, tell) : null;
  const { bundle, judged, trials } = sabotage === null ? first : await verifyAttempt(input, { findings: checked.findings, tell, sabotage });
  await story.tell('verify', `${label}: ${judged.sentence}`);
  return {
    ...record,
    result: judged.state,
    note: judged.sentence,
    judgement: judged.judgement,
    bundle,
    evidence: trials.find((trial) => trial.arm === 'candidate')?.evidence ?? null,
    signature: judged.signature,
    trials: trials.map(({ id }) => id),
  };
}
