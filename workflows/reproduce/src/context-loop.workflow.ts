import { setHandler } from '@temporalio/workflow';
import { bringsNoNews, countsAsAttempt, endsSearch, spentBudget } from '@reenact/domain';
import type {
  AttemptRecord,
  ContentRef,
  ModelInput,
  NotProposed,
  PreviousAttempt,
  ProposedCandidate,
  ReproduceRequest,
  Usage,
} from '@reenact/domain';
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
  private usage: Usage;
  private plan: ContentRef | null = null;
  private claim: ContentRef;

  constructor(private readonly input: ContextLoopInput) {
    this.hints = [...input.hints];
    this.attemptLimit = input.attemptLimit;
    this.queue = [...input.candidates];
    this.memory = input.memory;
    this.usage = input.usageBefore;
    this.claim = input.prepared.claim.claim;
    this.story = new Story(input.request.runId, input.request.title, `ctx${input.rank}`);
  }

  async run(): Promise<ContextLoopResult> {
    while (this.attempts.filter(countsAsAttempt).length < this.attemptLimit) {
      const spent = this.spent();
      if (spent !== null) return this.result('budget', spent);
      const candidate = await this.nextCandidate();
      if (candidate === null) return this.result('exhausted', 'no further candidate');
      if ('status' in candidate) return this.result(candidate.status === 'budget' ? 'budget' : 'exhausted', candidate.reason);
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
    const { request, deadlineMilliseconds } = this.input;
    const { budget } = request.model;
    if (deadlineMilliseconds !== null && Date.now() >= deadlineMilliseconds) return `budget: ${budget.minutes} minutes are over`;
    return spentBudget(budget, this.usage);
  }

  /** A queued candidate, else the model's next one; a reason where there is none. */
  private async nextCandidate(): Promise<ProposedCandidate | NotProposed | null> {
    const queued = this.nextQueued();
    if (queued !== undefined) return queued;
    if (this.input.context === null || !this.input.request.model.enabled) return null;
    if (this.plan === null) {
      await this.story.tell('plan', `context ${this.input.rank}: planning`);
      const planned = await models.planReproduction({ ...this.modelInput(), hints: this.hints });
      this.usage = planned.usage;
      if (planned.status !== 'done') return planned;
      this.plan = planned.plan;
      this.memory = planned.memory;
    }
    const proposed = await models.proposeCandidate({
      ...this.modelInput(),
      plan: this.plan,
      previous: this.previousAttempt(),
      hints: this.hints,
      limits: this.input.request.limits,
    });
    this.usage = proposed.usage;
    if (proposed.status !== 'done') return proposed;
    this.claim = proposed.claim;
    this.memory = proposed.memory ?? this.memory;
    return proposed.candidate;
  }

  /** Equal candidates have equal ids: the report's command and the project's entry point are often one and the same. */
  private nextQueued(): ProposedCandidate | undefined {
    const tried = new Set(this.attempts.map(({ candidateId }) => candidateId));
    let next = this.queue.shift();
    while (next !== undefined && tried.has(next.id)) next = this.queue.shift();
    return next;
  }

  private modelInput(): ModelInput {
    const { request, prepared, context } = this.input;
    return {
      runId: request.runId,
      model: request.model,
      report: prepared.report,
      claim: prepared.claim.claim,
      context,
      treeHash: prepared.subject.treeHash,
      memory: this.memory,
    };
  }

  private previousAttempt(): PreviousAttempt | null {
    const last = this.attempts.at(-1);
    if (last === undefined) return null;
    return {
      candidate: last.candidate,
      earlierCandidate: this.attempts.at(-2)?.candidate ?? null,
      evidence: last.evidence,
      judgement: last.judgement,
      claim: this.claim,
      notes: [last.note, ...(last.notes ?? [])].filter((note) => note !== ''),
    };
  }

  /** A deterministic repair goes to the front of the queue; everything that was seen goes into the memory. */
  private async learn(attempt: AttemptRecord): Promise<boolean> {
    if (attempt.evidence !== null) {
      const repaired = await core.repairCandidate({
        candidate: attempt.candidate,
        evidence: attempt.evidence,
        treeHash: this.input.prepared.subject.treeHash,
      });
      if (repaired !== null) this.queue.unshift(repaired);
    }
    const learned = await models.rememberAttempt({ memory: this.memory, attempt });
    this.memory = learned.memory;
    return learned.bringsNothingNew;
  }

  private result(outcome: ContextLoopResult['outcome'], reason: string): ContextLoopResult {
    return { outcome, reason, attempts: this.attempts, memory: this.memory, usage: this.usage };
  }
}
