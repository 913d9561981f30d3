import type { AttemptRecord, ProposedCandidate } from '@reenact/domain';
import { core } from './policies.js';
import type { Prepared } from './prepare.js';
import type { Story } from './story.js';
import { verifyBundle } from './verify.js';
import type { RunRequest } from '@reenact/domain';

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

async function tryCandidate(input: AttemptInput, story: Story): Promise<AttemptRecord> {
  const { request, prepared, candidate } = input;
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
  const bundle = await core.freezeBundle({
    candidate: candidate.candidate,
    claim: input.claim,
    subject: prepared.subject.subject,
    environment: prepared.environment.environment,
    arms: prepared.arms,
    patch: prepared.patch,
  });
  const { judged, trials } = await verifyBundle({
    runId: request.runId,
    bundle,
    arms: prepared.arms,
    findings: checked.findings,
    scope: input.scope,
    series: request.series,
    candidatesVerified: input.candidatesVerified,
    allowUnsandboxed: request.allowUnsandboxed,
    onProgress: (message) => story.tell('verify', `${label}: ${message}`),
  });
  await story.tell('verify', `${label}: ${judged.sentence}`);
  return {
    ...record,
    result: judged.state,
    note: judged.sentence,
    judgement: judged.judgement,
    bundle,
    evidence: trials.find((trial) => trial.arm === 'candidate')?.evidence ?? null,
    signature: judged.signature,
  };
}
