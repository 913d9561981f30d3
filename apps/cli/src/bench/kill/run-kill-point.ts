import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunRow } from '@reenact/domain';
import { findProcesses } from './live-processes.js';
import { killTarget, startRunCommand, stopEngine } from './kill-ground.js';
import type { Command, KillGround } from './kill-ground.js';
import { writeKillCase } from './kill-case.js';
import type { KillPoint, KillTarget } from './kill-points.js';
import { checkRecords } from './kill-records.js';
import type { CheckedStores, Undisturbed } from './kill-records.js';
import { watchTrials } from './trial-watch.js';

const POLL_MILLISECONDS = 40;
/** How often a user starts the same command again before giving up. */
const MAX_COMMANDS = 6;
const PATIENCE_SECONDS = 180;
const TARGET_PATIENCE_SECONDS = 30;
/** Processes of a trial may take that long to go after its verdict. */
const LEFT_PATIENCE_SECONDS = 5;

/** What came of one kill. */
export interface KillRow {
  point: number;
  target: KillTarget;
  /** Phase of the story at the kill; `start` before its first line, `after` when the command had its verdict already. */
  phase: string;
  /** From the start of the command to the kill. */
  killedAfterSeconds: number;
  /** From the kill to the verdict. */
  recoveredSeconds: number;
  /** Commands that a user had to start again. */
  restarts: number;
  /** Trials that were begun again: those under way at the kill. */
  reExecuted: number;
  lost: string[];
  contradictory: string[];
  leftBehind: string[];
}

/** Everything that a point needs. */
export interface PointContext {
  ground: KillGround;
  stores: CheckedStores;
  casesDirectory: string;
  paths: { work: string };
  undisturbed: Undisturbed;
}

/** Runs a case of its own, kills the target at the point, does what a user would do, and checks everything that is left. */
export async function runKillPoint(context: PointContext, point: KillPoint): Promise<KillRow> {
  const name = `probe${point.number}x${Math.floor(Math.random() * 1e9).toString(36)}`;
  const caseDirectory = path.join(context.casesDirectory, `case-${point.number}`);
  await writeKillCase(caseDirectory, name);
  if (point.cold) await stopEngine(context.ground);
  const kill: { at: number | null } = { at: null };
  const watch = watchTrials({ runDatabase: context.stores.runDatabase, work: context.paths.work }, () => kill.at);
  const begun = seconds();
  const first = startRunCommand(context.ground, caseDirectory);
  const phase = await killAt(context, { point, name, command: first }, kill);
  const { restarts, failure, verdict } = await untilVerdict(context, caseDirectory, first);
  const ended = seconds();
  const trials = await watch.stop();
  const row = await runOf(context.stores, name);
  const records =
    row === null ? { lost: ['there is no run'], contradictory: [] } : await checkRecords(context.stores, row, context.undisturbed);
  const printed =
    row === null || verdict === row.verdict ? [] : [`the command printed ${String(verdict)}, the run says ${String(row.verdict)}`];
  return {
    point: point.number,
    target: point.target,
    phase,
    killedAfterSeconds: round((kill.at ?? begun) - begun),
    recoveredSeconds: round(ended - (kill.at ?? begun)),
    restarts,
    reExecuted: trials.reExecuted,
    lost: [...failure, ...records.lost],
    contradictory: [...records.contradictory, ...trials.contradictions, ...printed, ...(await duplicates(context.stores, name))],
    leftBehind: await leftBehind(context, name),
  };
}

/** Waits for the point's event and delay, then kills. @returns the phase at that moment. */
async function killAt(
  context: PointContext,
  run: { point: KillPoint; name: string; command: Command },
  kill: { at: number | null },
): Promise<string> {
  const { point, name, command } = run;
  const deadline = seconds() + PATIENCE_SECONDS;
  while (seconds() < deadline && command.status() === null) {
    if (point.event < 0 || (await storyLength(context.stores, name)) > point.event) break;
    await sleep(POLL_MILLISECONDS);
  }
  await sleep(point.delaySeconds * 1000);
  const ended = command.status() !== null;
  // a worker or server is killed after the verdict too; a command that has ended can't be
  const done = await killTarget(
    context.ground,
    ended && point.target === 'cli' ? 'worker' : point.target,
    command,
    TARGET_PATIENCE_SECONDS,
  );
  if (!done) return 'no target';
  kill.at = seconds();
  if (ended) return 'after';
  return (await lastPhase(context.stores, name)) ?? 'start';
}

/** Starts the same command again and again until it prints a verdict, as a user would. */
async function untilVerdict(
  context: PointContext,
  caseDirectory: string,
  first: Command,
): Promise<{ restarts: number; verdict: string | null; failure: string[] }> {
  const said: string[] = [];
  let command = first;
  for (let restarts = 0; restarts < MAX_COMMANDS; restarts += 1) {
    await inTime(command);
    const verdict = verdictOf(command.output());
    if (verdict !== null) return { restarts, verdict, failure: [] };
    // a killed command says nothing; one that ends with an error is told about
    if (command.status() !== 137) said.push(`${command.status()}: ${command.talk().trim().slice(-400)}`);
    command = startRunCommand(context.ground, caseDirectory);
  }
  command.child.kill('SIGKILL');
  await command.ended;
  return { restarts: MAX_COMMANDS, verdict: null, failure: [`no verdict after ${MAX_COMMANDS} commands: ${said.join(' | ')}`] };
}

async function inTime(command: Command): Promise<void> {
  const timer = setTimeout(() => command.child.kill('SIGKILL'), PATIENCE_SECONDS * 1000);
  await command.ended.finally(() => clearTimeout(timer));
}

function verdictOf(output: string): string | null {
  try {
    return (JSON.parse(output) as { verdict?: string }).verdict ?? null;
  } catch {
    return null;
  }
}

/** The run of a case: the word that only this case has is in its title. */
async function runOf({ runs }: CheckedStores, name: string): Promise<RunRow | null> {
  return (await runs.listRuns(1000)).find((row) => row.title.includes(name)) ?? null;
}

async function duplicates({ runs }: CheckedStores, name: string): Promise<string[]> {
  const rows = (await runs.listRuns(1000)).filter((row) => row.title.includes(name));
  return rows.length > 1 ? [`${rows.length} runs of one request`] : [];
}

async function storyLength(stores: CheckedStores, name: string): Promise<number> {
  const row = await runOf(stores, name);
  return row === null ? 0 : (await stores.runs.listEvents(row.runId, 0)).length;
}

async function lastPhase(stores: CheckedStores, name: string): Promise<string | null> {
  const row = await runOf(stores, name);
  return row === null ? null : ((await stores.runs.listEvents(row.runId, 0)).at(-1)?.phase ?? null);
}

/** Processes of trials that are there after the verdict, and folders of trials. */
async function leftBehind({ paths }: PointContext, name: string): Promise<string[]> {
  const deadline = seconds() + LEFT_PATIENCE_SECONDS;
  for (;;) {
    const processes = (await findProcesses([`${name}.py`, `${paths.work}/`])).map(
      (one) => `process ${one.pid}: ${one.words.join(' ').slice(0, 120)}`,
    );
    const folders = await openWork(paths.work);
    const left = [...processes, ...folders];
    if (left.length === 0 || seconds() > deadline) return left;
    await sleep(200);
  }
}

/** What trials left in the folders of workers; an empty folder is nothing. */
async function openWork(work: string): Promise<string[]> {
  const found: string[] = [];
  for (const worker of await namesIn(work)) {
    const own = (await namesIn(path.join(work, worker))).filter((name) => name !== 'sandbox');
    const inner = await namesIn(path.join(work, worker, 'sandbox'));
    found.push(...own.map((name) => `work/${worker}/${name}`), ...inner.map((name) => `work/${worker}/sandbox/${name}`));
  }
  return found;
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

function seconds(): number {
  return performance.now() / 1000;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
