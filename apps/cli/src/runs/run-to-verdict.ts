import { AppError, shortId } from '@reenact/domain';
import type { Bisection, BisectRequest, Configuration, RunRow, Verdict } from '@reenact/domain';
import { ensureEngine } from '../engine/engine.js';
import type { Engine } from '../engine/engine.js';
import { followRun, followStory } from './follow-run.js';
import type { FollowOptions } from './follow-run.js';
import type { AnyRequest } from './run-identity.js';
import { openSession } from './session.js';
import type { Session } from './session.js';
import { readBisection } from './show-bisection.js';
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
  const { session, engine, row, following } = await begin(configuration, request, shortId(request.subject), options);
  const verdict = await followRun(session, engine, row, following);
  if (verdict === null) throw new Error('nobody ended the following');
  return verdict;
}

/** As {@link runToVerdict}, for a search. @throws AppError `internal` when it ended without a result. */
export async function runToBisection(
  configuration: Configuration,
  request: BisectRequest,
  options: RunToVerdictOptions,
): Promise<Bisection> {
  const { session, engine, row, following } = await begin(configuration, request, shortId(request.axis), options);
  const hasEnded = await followStory(session, engine, row, following);
  if (!hasEnded) throw new Error('nobody ended the following');
  const bisection = await readBisection(row.folder);
  if (bisection === null)
    throw new AppError('internal', `Run ${row.runId} ended without a bisection.`, { hint: `See ./reenact logs ${row.runId}` });
  return bisection;
}

/** A run that is under way. */
interface Begun {
  session: Session;
  engine: Engine;
  row: RunRow;
  following: FollowOptions;
}

async function begin(configuration: Configuration, request: AnyRequest, bug: string, options: RunToVerdictOptions): Promise<Begun> {
  const report = options.report ?? (() => undefined);
  const { session, engine: starting } = shareRuns(configuration, report);
  const engine = await starting;
  const identity = { runId: request.runId, workflowId: `${request.kind}/${request.runId}`, bug };
  const row = await recordRun(session, identity, request.title);
  const seen = (await session.runs.listEvents(request.runId, 0)).at(-1)?.sequence ?? 0;
  await startWorkflow(engine, request, identity);
  const onEvent = options.quiet ? () => undefined : ({ message }: { message: string }) => report(`${request.runId}: ${message}`);
  return { session, engine, row, following: { onEvent, after: seen } };
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
