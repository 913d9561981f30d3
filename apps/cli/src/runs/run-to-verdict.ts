import { shortId } from '@reenact/domain';
import type { BisectRequest, Configuration, Verdict } from '@reenact/domain';
import { ensureEngine } from '../engine/engine.js';
import type { Engine } from '../engine/engine.js';
import { followRun } from './follow-run.js';
import type { AnyRequest } from './run-identity.js';
import { openSession } from './session.js';
import type { Session } from './session.js';
import { recordRun, startWorkflow } from './start-run.js';

/** What a process shares between its runs. */
interface Shared {
  session: Session;
  engine: Promise<Engine>;
}

const shared = new WeakMap<Configuration, Shared>();

/** How much a run says meanwhile. */
export interface RunToVerdictOptions {
  /** true = nothing of the run's story is told. */
  quiet: boolean;
  /** One line of the story, or of what is brought. */
  report?: (message: string) => void;
}

/**
 * Starts the workflow of a request that ends in a verdict under its `runId`, and waits for its stored verdict. A run of that id that is under way is
 * attached to; one that has ended runs anew. Many may run at once in one process: they share server, worker and stores, which
 * {@link closeRuns} lets go of. The content that the request refers to must be in the artefact store (see `openSession`).
 *
 * @throws AppError when the engine can't be had, or when the run ended without a verdict.
 */
export async function runToVerdict(
  configuration: Configuration,
  request: Exclude<AnyRequest, BisectRequest>,
  options: RunToVerdictOptions,
): Promise<Verdict> {
  const report = options.report ?? (() => undefined);
  const { session, engine: starting } = shareRuns(configuration, report);
  const engine = await starting;
  const identity = { runId: request.runId, workflowId: `${request.kind}/${request.runId}`, bug: shortId(request.subject) };
  const row = await recordRun(session, identity, request.title);
  const seen = (await session.runs.listEvents(request.runId, 0)).at(-1)?.sequence ?? 0;
  await startWorkflow(engine, request, identity);
  const onEvent = options.quiet ? () => undefined : ({ message }: { message: string }) => report(`${request.runId}: ${message}`);
  const verdict = await followRun(session, engine, row, { onEvent, after: seen });
  if (verdict === null) throw new Error('nobody ended the following');
  return verdict;
}

function shareRuns(configuration: Configuration, report: (message: string) => void): Shared {
  const present = shared.get(configuration);
  if (present !== undefined) return present;
  const made = { session: openSession(configuration, report), engine: ensureEngine(configuration, report) };
  made.engine.catch(() => shared.delete(configuration));
  shared.set(configuration, made);
  return made;
}

/** Ends the connections that {@link runToVerdict} keeps; runs, server and worker go on. */
export async function closeRuns(configuration: Configuration): Promise<void> {
  const present = shared.get(configuration);
  shared.delete(configuration);
  present?.session.close();
  await present?.engine.then((engine) => engine.close()).catch(() => undefined);
}
