import {
  CancellationScope,
  allHandlersFinished,
  condition,
  executeChild,
  getExternalWorkflowHandle,
  setHandler,
  workflowInfo,
  ParentClosePolicy,
} from '@temporalio/workflow';
import { ChildWorkflowCancellationType } from '@temporalio/workflow';
import { NO_USAGE, contextWorkflowId, rankingWords } from '@reenact/domain';
import type { AttemptRecord, ContentRef, ContextRanking, ProposedCandidate, ReproduceRequest, Usage, VerdictState } from '@reenact/domain';
import { contextLoopWorkflow } from './context-loop.workflow.js';
import type { ContextLoopResult } from './context-loop.workflow.js';
import { endedBy, publishEnding } from './ending.js';
import type { RunResult } from './ending.js';
import { addHint, attemptsGranted, getStatus, grantAttempts, hintGiven, stop } from './messages.js';
import { core, retrieval } from './policies.js';
import { prepareRun } from './prepare.js';
import type { Prepared } from './prepare.js';
import { Story } from './story.js';

const MAX_HINT_LENGTH = 4096;
const MAX_HINTS = 20;

/** The whole pipeline: from a report to a verdict. Phases are activities; each context is a child workflow. */
export async function reproduceBugWorkflow(request: ReproduceRequest): Promise<RunResult> {
  const run = new Reproduction(request);
  run.listen();
  const result = await run.execute();
  await condition(allHandlersFinished);
  return result;
}

class Reproduction {
  private readonly story: Story;
  private readonly scope = new CancellationScope();
  private readonly startedAtMilliseconds = Date.now();
  private readonly attempts: AttemptRecord[] = [];
  private readonly hints: string[] = [];
  private readonly skipped: string[] = [];
  private prepared: Prepared | null = null;
  private ranking: ContextRanking | undefined;
  private memory: ContentRef | null = null;
  private usage: Usage = NO_USAGE;
  private attemptLimit: number;
  private contextIndex = 0;
  private child: string | null = null;
  private finished: RunResult | null = null;

  constructor(private readonly request: ReproduceRequest) {
    this.attemptLimit = request.model.budget.attemptsPerContext;
    this.story = new Story(request.runId, request.title, 'run');
  }

  listen(): void {
    setHandler(
      addHint,
      async ({ text }) => {
        this.hints.push(text);
        await this.toChild((handle) => handle.signal(hintGiven, text));
        return this.hints.length;
      },
      { validator: ({ text }) => this.checkHint(text) },
    );
    setHandler(
      grantAttempts,
      async ({ extra }) => {
        this.attemptLimit += extra;
        await this.toChild((handle) => handle.signal(attemptsGranted, extra));
        return this.attemptLimit;
      },
      { validator: ({ extra }) => checkExtra(extra) },
    );
    setHandler(stop, async () => {
      this.scope.cancel();
      await condition(() => this.finished !== null);
      return this.finished?.sentence ?? '';
    });
    setHandler(getStatus, () => ({
      phase: this.story.phase,
      context: this.contextIndex,
      attempt: this.attempts.length,
      attempts: this.attemptLimit,
      hints: this.hints.length,
      doing: this.story.phase,
    }));
  }

  async execute(): Promise<RunResult> {
    const ended = await this.scope.run(() => this.search()).catch((error: unknown) => endedBy(error, this.attempts.length, this.story));
    this.finished = await publishEnding(
      {
        runId: this.request.runId,
        title: this.request.title,
        ...(this.prepared === null ? {} : { report: this.prepared.report }),
        claim: this.prepared?.claim.claim ?? null,
        environment: this.prepared?.environment.environment ?? null,
        attempts: this.attempts,
        scope: 'run',
        usage: this.usage,
        skipped: this.skipped,
        ...(this.ranking === undefined ? {} : { ranking: this.ranking }),
        startedAtMilliseconds: this.startedAtMilliseconds,
      },
      ended,
      this.story,
    );
    return this.finished;
  }

  /** Portfolio first, then one context after the other. Answers how it ended where no attempt says so. */
  private async search(): Promise<{ state: VerdictState; reason: string } | null> {
    const prepared = await prepareRun(this.request, this.story);
    this.prepared = prepared;
    this.usage = prepared.usage;
    this.skipped.push(...prepared.claim.skipped);
    if (prepared.claim.liveFacets === 0) return { state: 'needs_info', reason: 'the report names no symptom that was observed' };
    const portfolio = await core.proposeDeterministic({
      report: prepared.report,
      claim: prepared.claim.claim,
      treeHash: prepared.subject.treeHash,
      limits: this.request.limits,
    });
    const first = await this.loop(prepared, 0, null, portfolio.candidates);
    if (first.outcome === 'proven') return null;
    if (first.outcome === 'budget') return { state: 'inconclusive', reason: first.reason };
    if (!this.request.model.enabled) {
      this.skipped.push('contexts, plans and generated candidates: no model was used');
      return null;
    }
    return this.searchContexts(prepared);
  }

  private async searchContexts(prepared: Prepared): Promise<{ state: VerdictState; reason: string } | null> {
    await this.story.tell('retrieve', 'choosing contexts');
    const { contexts, ranking } = await retrieval.retrieveContexts({
      report: prepared.report,
      claim: prepared.claim.claim,
      treeHash: prepared.subject.treeHash,
      environment: prepared.environment.environment,
    });
    this.ranking = ranking;
    // Absent where an older worker chose them: such a run goes on as it was recorded.
    if (ranking !== undefined) await this.story.tell('retrieve', rankingWords(ranking));
    for (const { context, rank, summary } of contexts) {
      await this.story.tell('retrieve', `context ${rank}: ${summary}`);
      const result = await this.loop(prepared, rank, context, []);
      if (result.outcome === 'proven') return null;
      if (result.outcome === 'budget') return { state: 'inconclusive', reason: result.reason };
    }
    return null;
  }

  private async loop(
    prepared: Prepared,
    rank: number,
    context: ContentRef | null,
    candidates: ProposedCandidate[],
  ): Promise<ContextLoopResult> {
    this.contextIndex = rank;
    this.child = contextWorkflowId(workflowInfo().workflowId, rank);
    const minutes = this.request.model.budget.minutes;
    const result = await executeChild(contextLoopWorkflow, {
      workflowId: this.child,
      staticSummary: rank === 0 ? 'portfolio: report and project' : `context ${rank}`,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      args: [
        {
          schemaVersion: 1,
          request: this.request,
          prepared,
          rank,
          context,
          candidates,
          attemptLimit: this.attemptLimit,
          memory: this.memory,
          hints: this.hints,
          candidatesVerified: this.attempts.length,
          usageBefore: this.usage,
          deadlineMilliseconds: minutes === null ? null : this.startedAtMilliseconds + minutes * 60_000,
        },
      ],
    });
    this.child = null;
    this.attempts.push(...result.attempts);
    this.memory = result.memory;
    this.usage = result.usage;
    return result;
  }

  private async toChild(send: (handle: ReturnType<typeof getExternalWorkflowHandle>) => Promise<void>): Promise<void> {
    if (this.child === null) return;
    try {
      await send(getExternalWorkflowHandle(this.child));
    } catch {
      // The child ended meanwhile: what was given holds for the next one.
    }
  }

  private checkHint(text: string): void {
    if (text.trim() === '') throw new Error('a hint needs some text');
    if (text.length > MAX_HINT_LENGTH) throw new Error(`a hint has at most ${MAX_HINT_LENGTH} characters`);
    if (this.hints.length >= MAX_HINTS) throw new Error(`a run takes at most ${MAX_HINTS} hints`);
  }
}

function checkExtra(extra: number): void {
  if (!Number.isInteger(extra) || extra < 1 || extra > 20) throw new Error('extra attempts are a whole number from 1 to 20');
}
