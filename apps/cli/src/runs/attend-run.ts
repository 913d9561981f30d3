import { exitStatus } from '@reenact/domain';
import type { RunEvent, RunRow, Verdict } from '@reenact/domain';
import { createJsonReporter, createTerminalReporter } from '@reenact/reporting';
import type { Reporter } from '@reenact/reporting';
import type { CommandContext } from '../commands/command-context.js';
import { watchInterrupts } from '../commands/interrupts.js';
import { writeJson } from '../console.js';
import { ensureEngine } from '../engine/engine.js';
import type { Engine } from '../engine/engine.js';
import { knownPage, workflowPage } from '../engine/workflow-page.js';
import { followStory, verdictOf } from './follow-run.js';
import { readBisection, showBisection } from './show-bisection.js';
import { startLiveLine } from './live-line.js';
import { nextCommand } from './next-command.js';
import type { RequestDraft } from './run-identity.js';
import type { Session } from './session.js';
import { findFinishedRun, startRun } from './start-run.js';
import { cancelRun } from './steer-run.js';

const INTERRUPTED = 130;

/** Starts a request, tells its story, prints its verdict. @returns the exit status. */
export async function startAndAttend(
  context: CommandContext,
  session: Session,
  draft: RequestDraft,
  options: { detach: boolean; force: boolean },
): Promise<number> {
  const finished = options.force ? null : await findFinishedRun(session, draft);
  if (finished !== null) {
    context.report(
      `An identical request has this verdict since ${finished.row.updatedAt} (run ${finished.row.runId}); --force runs it anew.`,
    );
    return showVerdict(context, finished.row, finished.verdict, await knownPage(context.configuration, finished.row.workflowId));
  }
  const engine = await ensureEngine(context.configuration, context.report);
  try {
    const { row, outcome } = await startRun(session, engine, draft);
    context.report(outcome === 'attached' ? `Run ${row.runId} is under way for an identical request; following it.` : `Run ${row.runId}`);
    const page = workflowPage(engine.server, row.workflowId);
    if (page !== null) context.report(`Temporal UI: ${page}`);
    if (options.detach) return showDetached(context, row, page);
    return await attendRun(context, session, engine, row);
  } finally {
    await engine.close();
  }
}

/** Follows a run to its end and prints what came of it; Ctrl-C detaches, a second one cancels. @returns the exit status. */
export async function attendRun(context: CommandContext, session: Session, engine: Engine, row: RunRow): Promise<number> {
  const story = tellStory(context, session, row);
  const interrupts = watchInterrupts(() => {
    story.talk(`\nDetached: the run goes on. Follow it with  ./reenact logs ${row.runId} -f\nCtrl-C again within 2 s cancels it.\n`);
  });
  try {
    const hasEnded = await followStory(session, engine, row, { onEvent: story.onEvent, signal: interrupts.signal }).finally(story.stop);
    if (hasEnded) return await showOutcome(context, session, row, workflowPage(engine.server, row.workflowId));
    if (await engine.wasStopped())
      context.report(`Server and worker were ended; the run goes on with  ./reenact up . Follow it with  ./reenact logs ${row.runId} -f`);
    if (interrupts.wish() !== 'cancel') return INTERRUPTED;
    context.console.talk(`Cancelling run ${row.runId} …\n`);
    await cancelRun(engine, row);
    const cancelled = await session.runs.getVerdict(row.runId);
    if (cancelled !== null) showVerdict(context, row, cancelled, null);
    return INTERRUPTED;
  } finally {
    interrupts.dispose();
  }
}

/**
 * Prints what a run ended in: its verdict, or where a fault came in. @returns the exit status.
 * @throws AppError `internal` when it left neither.
 */
export async function showOutcome(context: CommandContext, session: Session, row: RunRow, uiUrl: string | null): Promise<number> {
  const bisection = await readBisection(row.folder);
  if (bisection !== null) return showBisection(context, bisection, { folder: row.folder, uiUrl });
  return showVerdict(context, row, await verdictOf(session, row.runId), uiUrl);
}

/** How a followed run is told: lines everywhere, and on a terminal a moving one below them. */
function tellStory(context: CommandContext, session: Session, row: RunRow) {
  const reporter = reporterOf(context);
  const { talk } = context.console;
  const line = context.console.isTerminal && !context.quiet ? startLiveLine(talk, () => session.runs.listModelCalls(row.runId)) : null;
  const print = (work: () => void) => (line === null ? work() : line.above(work));
  return {
    onEvent(event: RunEvent) {
      // the last line is the verdict's sentence, which follows at once
      if (context.quiet || event.phase === 'done') return;
      line?.event(event);
      print(() => reporter.event(event));
    },
    talk: (text: string) => print(() => talk(text)),
    stop: () => line?.stop(),
  };
}

/** Prints a verdict in the form asked for. @returns its exit status. */
export function showVerdict(context: CommandContext, row: RunRow, verdict: Verdict, uiUrl: string | null): number {
  reporterOf(context).verdict(verdict, { folder: row.folder, uiUrl, next: nextCommand(verdict) });
  return exitStatus(verdict);
}

/** The reporter of a command: terminal or JSON. */
export function reporterOf({ console, json }: CommandContext): Reporter {
  if (!json) return createTerminalReporter(console, { color: console.color });
  // with --json the story stays readable on standard error, and standard output holds the one object
  const lines = createTerminalReporter(console, { color: console.color });
  return { ...createJsonReporter(console, { events: false }), event: (event) => lines.event(event) };
}

function showDetached(context: CommandContext, row: RunRow, uiUrl: string | null): number {
  if (context.json)
    writeJson(context.console, {
      schemaVersion: 1,
      runId: row.runId,
      workflowId: row.workflowId,
      state: 'running',
      folder: row.folder,
      uiUrl,
    });
  else context.console.data(`${row.runId}\n`);
  context.report(`Follow it with  ./reenact logs ${row.runId} -f`);
  return 0;
}
