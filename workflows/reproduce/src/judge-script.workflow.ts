import { NO_USAGE } from '@reenact/domain';
import type { AttemptRecord, JudgeRequest, VerdictState } from '@reenact/domain';
import { makeAttempt } from './attempt.js';
import { endedBy, publishEnding } from './ending.js';
import type { RunResult } from './ending.js';
import { core } from './policies.js';
import { prepareRun } from './prepare.js';
import type { Prepared } from './prepare.js';
import { Story } from './story.js';

/** The verdict on a script that somebody else wrote, by the same path as the pipeline's own candidates. */
export async function judgeScriptWorkflow(request: JudgeRequest): Promise<RunResult> {
  const story = new Story(request.runId, request.title, 'judge');
  const startedAtMilliseconds = Date.now();
  const attempts: AttemptRecord[] = [];
  let prepared: Prepared | null = null;
  let claim: string | null = null;
  let ended: { state: VerdictState; reason: string } | null = null;
  try {
    prepared = await prepareRun(request, story);
    const adopted = await core.adoptScript({
      script: request.script,
      claim: prepared.claim.claim,
      oracles: request.oracles,
      limits: request.limits,
    });
    claim = adopted.claim;
    attempts.push(
      await makeAttempt(
        { request, prepared, claim, candidate: adopted.candidate, context: 0, attempt: 1, scope: 'script', candidatesVerified: 1 },
        story,
      ),
    );
  } catch (error) {
    ended = await endedBy(error, attempts.length, story);
  }
  return publishEnding(
    {
      runId: request.runId,
      title: request.title,
      ...(prepared === null ? {} : { report: prepared.report }),
      claim: claim ?? prepared?.claim.claim ?? null,
      environment: prepared?.environment.environment ?? null,
      attempts,
      scope: 'script',
      usage: prepared?.usage ?? NO_USAGE,
      skipped: prepared?.claim.skipped ?? [],
      startedAtMilliseconds,
    },
    ended,
    story,
  );
}
