import { setHandler } from '@temporalio/workflow';
import { NO_USAGE, addUsage, bringsNoNews, countsAsAttempt, endsSearch, spentBudget } from '@reenact/domain';
import type { AttemptRecord, ContentRef, ProposedCandidate, ReproduceRequest, Usage } from '@reenact/domain';
import { makeAttempt } from './attempt.js';
import { attemptsGranted, hintGiven } from './messages.js';
import { core, models } from './policies.js';
import type { Prepared } from './prepare.js';
import { Story } from './story.js';

export interface ContextLoopInput {
  schemaVersion: 1;
  request: ReproduceRequest;
  prepared: Prepared;
  /** 0 is the portfolio that needs no model: the report's own snippet or command, then the project's entry points and tests. */
  rank: number;
  context: ContentRef | null;
  candidates: ProposedCandidate[];
  attemptLimit: number;
  memory: ContentRef | null;
  hints: string[];
  candidatesVerified: number;
  usageBefore: Usage;
  deadlineMilliseconds: number | null;
}

export interface ContextLoopResult {
  outcome: 'proven' | 'exhausted' | 'no-news' | 'budget';
  reason: string;
  attempts: AttemptRecord[];
  memory: ContentRef | null;
  usage: Usage;
}

/** Up to five attempts (and those that people grant) over one context; after the last the caller rotates to the next one. */
export async function contextLoopWorkflow(input: ContextLoopInput): Promise<ContextLoopResult> {
  const loop = new ContextLoop(input);
  setHandler(hintGiven, (text) => void loop.hints.push(text));
  setHandler(attemptsGranted, (extra) => void (loop.attemptLimit += extra));
  return loop.run();
}

class ContextLoop {
  readonly hints: string[];
  attemptLimit: number;
  private readonly attempts: AttemptRecord[] = [];
  private readonly queue: ProposedCandidate[];
  private readonly story: Story;
  private memory: ContentRef | null;
  private usage: Usage = NO_USAGE;
  private plan: ContentRef | null = null;
  private claim: ContentRef;

  constructor(private readonly input: ContextLoopInput) {
    this.hints = [...input.hints];
    this.attemptLimit = input.attemptLimit;
    this.queue = [...input.candidates];
    this.memory = input.memory;
    this.claim = input.prepared.claim.claim;
    this.story = new Story(input.request.runId, input.request.title, `ctx${input.rank}`);
  }

  async run(): Promise<ContextLoopResult> {
    while (this.attempts.filter(countsAsAttempt).length < this.attemptLimit) {
      const spent = this.spent();
      if (spent !== null) return this.result('budget', spent);
      const candidate = await this.nextCandidate();
      if (candidate === null) return this.result('exhausted', 'no further candidate');
      const attempt = await makeAttempt(
        {
          request: this.input.request,
          prepared: this.input.prepared,
          claim: this.claim,
          candidate,
          context: this.input.rank,
          attempt: this.attempts.length + 1,
          scope: 'run',
          candidatesVerified: this.input.candidatesVerified + this.attempts.length + 1,
        },
        this.story,
      );
      this.attempts.push(attempt);
      if (endsSearch(attempt.result)) return this.result('proven', attempt.note);
      if (this.attempts.filter((one) => !countsAsAttempt(one)).length >= 3)
        return this.result('exhausted', 'the platform spoiled three attempts');
      if (this.input.context !== null && bringsNoNews(this.attempts))
        return this.result('no-news', 'three attempts in a row brought the same');
      await this.learn(attempt);
    }
    return this.result('exhausted', `${this.attemptLimit} attempts were made`);
  }

  private spent(): string | null {
    const { request, usageBefore, deadlineMilliseconds } = this.input;
    if (deadlineMilliseconds !== null && Date.now() >= deadlineMilliseconds) return `budget: ${request.budget.minutes} minutes are over`;
    return spentBudget({ ...request.budget, minutes: null }, addUsage(usageBefore, this.usage), 0);
  }

  private async nextCandidate(): Promise<ProposedCandidate | null> {
    const queued = this.queue.shift();
    if (queued !== undefined) return queued;
    const { context, request, prepared, rank } = this.input;
    if (context === null) return null;
    if (this.plan === null) {
      await this.story.tell('plan', `context ${rank}: planning`);
      const planned = await models.planReproduction({
        runId: request.runId,
        report: prepared.report,
        claim: this.claim,
        context,
        contextRank: rank,
        memory: this.memory,
      });
      this.plan = planned.plan;
      this.usage = addUsage(this.usage, planned.usage);
    }
    const proposed = await models.proposeCandidate({
      runId: request.runId,
      key: `${request.runId}/ctx-${rank}/attempt-${this.attempts.length + 1}`,
      report: prepared.report,
      claim: prepared.claim.claim,
      context,
      plan: this.plan,
      memory: this.memory,
      hints: this.hints,
      limits: request.limits,
    });
    this.usage = addUsage(this.usage, proposed.usage);
    this.claim = proposed.claim;
    return proposed.candidate;
  }

  /** A deterministic repair goes to the front of the queue; everything that was seen goes into the memory. */
  private async learn(attempt: AttemptRecord): Promise<void> {
    const { request, prepared } = this.input;
    if (attempt.evidence !== null) {
      const repaired = await core.repairCandidate({ candidate: attempt.candidate, evidence: attempt.evidence, treeHash: prepared.subject.treeHash });
      if (repaired !== null) this.queue.unshift(repaired);
    }
    if (!request.useModel) return;
    const learned = await models.diagnose({
      runId: request.runId,
      memory: this.memory,
      candidate: attempt.candidate,
      judgement: attempt.judgement,
      evidence: attempt.evidence,
      note: attempt.note,
    });
    this.memory = learned.memory;
  }

  private result(outcome: ContextLoopResult['outcome'], reason: string): ContextLoopResult {
    return { outcome, reason, attempts: this.attempts, memory: this.memory, usage: this.usage };
  }
}
