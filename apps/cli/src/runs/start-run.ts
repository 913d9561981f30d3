import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { QUEUES, WORKFLOW_TYPES } from '@reenact/domain';
import type { RunRow, Verdict } from '@reenact/domain';
import { plainLine } from '@reenact/reporting';
import { runFolderPath } from '@reenact/store';
import { SEARCH_ATTRIBUTES, toAppError } from '@reenact/temporal/client';
import type { Engine } from '../engine/engine.js';
import { askedModels, identifyRun } from './run-identity.js';
import type { AnyRequest, RequestDraft, RunIdentity } from './run-identity.js';
import type { Session } from './session.js';

/** A request whose workflow runs now. */
export interface StartedRun {
  outcome: 'started' | 'attached';
  row: RunRow;
}

/** A run that has its verdict. */
export interface FinishedRun {
  row: RunRow;
  verdict: Verdict;
}

/** Verdicts that say nothing about the bug; an equal request is then run again by itself. */
const NO_ANSWER: ReadonlySet<string> = new Set(['infra_error', 'cancelled']);

/** The finished run of an identical request, where its verdict is an answer; null = it has to run. */
export async function findFinishedRun(session: Session, draft: RequestDraft): Promise<FinishedRun | null> {
  for (let force = 0; ; force += 1) {
    const identity = identityOf(session, draft, force);
    const row = await exactRun(session, identity.runId);
    if (row === null || row.state === 'running') return null;
    if (row.workflowId !== identity.workflowId) continue;
    const verdict = await session.runs.getVerdict(row.runId);
    if (verdict !== null && !NO_ANSWER.has(verdict.verdict)) return { row, verdict };
  }
}

/**
 * Starts the workflow of a request anew, or attaches to the one that runs on an identical request. Safe to repeat after a kill at any
 * moment: ids are functions of the request, and the server keeps one running workflow an id.
 *
 * @throws AppError as the server's failures map.
 */
export async function startRun(session: Session, engine: Engine, draft: RequestDraft): Promise<StartedRun> {
  for (let force = 0; ; force += 1) {
    const identity = identityOf(session, draft, force);
    const row = await exactRun(session, identity.runId);
    // another request under the same short name is as good as a finished one: the next name is taken
    if (row !== null && (row.state !== 'running' || row.workflowId !== identity.workflowId)) continue;
    const request = { ...draft, runId: identity.runId, series: identity.runId } as AnyRequest;
    const stored = row ?? (await recordRun(session, identity, request.title));
    await startWorkflow(engine, request, identity, { onlyOnce: true });
    return { outcome: row === null ? 'started' : 'attached', row: stored };
  }
}

function identityOf(session: Session, draft: RequestDraft, force: number): RunIdentity {
  return identifyRun(draft, askedModels(draft, session.configuration), force);
}

async function exactRun(session: Session, runId: string): Promise<RunRow | null> {
  const row = await session.runs.getRun(runId);
  return row?.runId === runId ? row : null;
}

/** The row comes first: a workflow without one could not tell its story. */
export async function recordRun(session: Session, identity: Pick<RunIdentity, 'runId' | 'workflowId'>, title: string): Promise<RunRow> {
  const now = new Date().toISOString();
  const row: RunRow = {
    runId: identity.runId,
    workflowId: identity.workflowId,
    title: plainLine(title, 200),
    phase: 'intake',
    state: 'running',
    verdict: null,
    createdAt: now,
    updatedAt: now,
    folder: runFolderPath(session.configuration.stateDirectory, identity.runId),
  };
  await session.runs.upsertRun(row);
  return row;
}

/**
 * Starts the workflow of a request, or attaches to a running one of that id.
 * @param options `onlyOnce`: one that ended with a verdict, while this command was on its way, is attached to as well.
 */
export async function startWorkflow(
  engine: Engine,
  request: AnyRequest,
  identity: Pick<RunIdentity, 'bug' | 'workflowId'>,
  options: { onlyOnce?: boolean } = {},
): Promise<void> {
  // a cluster without our attributes refuses a start that sets them, and the workflow must not set them either
  const registered = engine.server.searchAttributes.missing.length === 0 && engine.server.searchAttributes.mistyped.length === 0;
  const title = plainLine(request.title, 150);
  try {
    await engine.client.workflow.start(WORKFLOW_TYPES[request.kind], {
      taskQueue: QUEUES.workflows,
      workflowId: identity.workflowId,
      args: [request],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: options.onlyOnce === true ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'ALLOW_DUPLICATE',
      staticSummary: title,
      memo: { title, runId: request.runId, searchAttributes: registered },
      ...(registered && {
        typedSearchAttributes: [
          { key: SEARCH_ATTRIBUTES.bugKey, value: identity.bug },
          { key: SEARCH_ATTRIBUTES.reproPhase, value: 'intake' },
        ],
      }),
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return;
    throw toAppError(error);
  }
}
