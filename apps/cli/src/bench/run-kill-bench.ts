import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError, seededDraws } from '@reenact/domain';
import type { Configuration, Verdict } from '@reenact/domain';
import { FolderArtifactStore, SqliteRunStore } from '@reenact/store';
import { connectTemporal } from '@reenact/temporal/client';
import { findTemporalServer, resolveTemporalCli } from '@reenact/temporal/server';
import { workerVariables } from '../config.js';
import { statePaths } from '../state-paths.js';
import { writeKillCase } from './kill/kill-case.js';
import { startRunCommand, stopEngine } from './kill/kill-ground.js';
import type { KillGround } from './kill/kill-ground.js';
import { spreadKillPoints } from './kill/kill-points.js';
import { answerOf, readStory } from './kill/kill-records.js';
import type { CheckedStores, Undisturbed } from './kill/kill-records.js';
import { runKillPoint } from './kill/run-kill-point.js';
import type { KillRow } from './kill/run-kill-point.js';

/** How to run the kill test. */
export interface KillBenchOptions {
  points: number;
  /** Absolute path of the interpreter of the trials. */
  python: string;
  /** The same seed gives the same points. */
  seed: number;
  allowUnsandboxed: boolean;
  onRow: (row: KillRow) => void;
  report: (message: string) => void;
}

/** What the kill test found. `holds` = nothing lost, nothing contradictory, nothing left behind. */
export interface KillBenchResult {
  schemaVersion: 1;
  points: number;
  seed: number;
  /** An undisturbed run of the same case, on a warm engine. */
  undisturbedSeconds: number;
  rows: KillRow[];
  totals: {
    lost: number;
    contradictory: number;
    leftBehind: number;
    reExecuted: number;
    restarts: number;
    medianRecoveredSeconds: number;
    maxRecoveredSeconds: number;
  };
  /** Findings about the whole: workflows that ran more than once, a last run that differs. */
  afterwards: string[];
  holds: boolean;
}

/**
 * Kills command, worker and server at points spread over a whole run, each time does what a user would do, and checks what is left
 * against an undisturbed run. Everything happens in a state directory of its own, which is removed when all holds.
 *
 * @throws AppError `internal` when the undisturbed run gives no verdict.
 */
export async function runKillBench(configuration: Configuration, options: KillBenchOptions): Promise<KillBenchResult> {
  const root = await mkdtemp(path.join(tmpdir(), 'reenact-kill-'));
  const ground = await prepareGround(configuration, options, root);
  const { runDatabase, artifacts } = statePaths(ground.stateDirectory);
  const stores = { runs: new SqliteRunStore(runDatabase), artifacts: new FolderArtifactStore(artifacts), runDatabase };
  const casesDirectory = path.join(root, 'cases');
  let holds = false;
  try {
    await undisturbedRun({ ground, stores, casesDirectory }, 'cold');
    const undisturbed = await undisturbedRun({ ground, stores, casesDirectory }, 'warm');
    const rows: KillRow[] = [];
    for (const point of spreadKillPoints(options.points, undisturbed, seededDraws(options.seed))) {
      const row = await runKillPoint(
        { ground, stores, casesDirectory, paths: { work: path.join(ground.stateDirectory, 'work') }, undisturbed },
        point,
      );
      rows.push(row);
      options.onRow(row);
    }
    const last = await undisturbedRun({ ground, stores, casesDirectory }, 'last');
    const afterwards = [
      ...(JSON.stringify(last.answer) === JSON.stringify(undisturbed.answer) ? [] : ['the run afterwards has another verdict']),
      ...(await repeatedWorkflows(ground, configuration)),
    ];
    const result = conclude({ points: options.points, seed: options.seed, undisturbedSeconds: undisturbed.totalSeconds, rows, afterwards });
    holds = result.holds;
    return result;
  } finally {
    stores.runs.close();
    await stopEngine(ground);
    if (holds) await rm(root, { recursive: true, force: true });
    else options.report(`Kept for a look: ${root}`);
  }
}

async function prepareGround(configuration: Configuration, options: KillBenchOptions, root: string): Promise<KillGround> {
  const stateDirectory = path.join(root, 'state');
  await mkdir(stateDirectory, { recursive: true });
  // the program is shared with the user's own engine; nothing else is
  const cli = await resolveTemporalCli({
    cliPath: configuration.temporal.cli ?? undefined,
    searchPath: configuration.searchPath,
    toolsDirectory: path.join(configuration.stateDirectory, 'tools'),
    pythonPath: configuration.python ?? undefined,
    report: options.report,
  });
  const variables = {
    ...workerVariables({ ...configuration, stateDirectory }),
    TEMPORAL_CLI: cli.path,
    TEMPORAL_ADDRESS: undefined,
  };
  const runArguments = ['--python', options.python, '--no-model', ...(options.allowUnsandboxed ? ['--unsandboxed'] : [])];
  return { stateDirectory, variables, runArguments };
}

interface Place {
  ground: KillGround;
  stores: CheckedStores;
  casesDirectory: string;
}

async function undisturbedRun({ ground, stores, casesDirectory }: Place, name: string): Promise<Undisturbed & { totalSeconds: number }> {
  const caseDirectory = path.join(casesDirectory, name);
  await writeKillCase(caseDirectory, `probe${name}`);
  const begun = Date.now();
  const command = startRunCommand(ground, caseDirectory);
  await command.ended;
  const totalSeconds = (Date.now() - begun) / 1000;
  const verdict = await storedVerdict(stores, command.output());
  if (verdict === null) throw new AppError('internal', `The undisturbed run gave no verdict: ${command.talk().slice(-1000)}`);
  const marks = readStory(stores.runDatabase, verdict.runId).map(({ key, phase, at }) => ({
    key,
    phase,
    seconds: (Date.parse(at) - begun) / 1000,
  }));
  return { answer: answerOf(verdict), marks, totalSeconds };
}

async function storedVerdict({ runs }: CheckedStores, output: string): Promise<Verdict | null> {
  try {
    return await runs.getVerdict((JSON.parse(output) as { runId: string }).runId);
  } catch {
    return null;
  }
}

/** Workflows that were executed more than once, or did not complete. */
async function repeatedWorkflows({ stateDirectory }: KillGround, { temporal }: Configuration): Promise<string[]> {
  const server = await findTemporalServer({ stateDirectory, namespace: temporal.namespace });
  if (server === null) return ['no server at the end'];
  const connected = await connectTemporal({ address: server.address, namespace: server.namespace });
  try {
    const seen = new Set<string>();
    const findings: string[] = [];
    for await (const { workflowId, status } of connected.client.workflow.list()) {
      if (seen.has(workflowId)) findings.push(`workflow ${workflowId} was executed more than once`);
      if (status.name !== 'COMPLETED') findings.push(`workflow ${workflowId} is ${status.name}`);
      seen.add(workflowId);
    }
    return findings;
  } finally {
    await connected.close();
  }
}

function conclude(found: Pick<KillBenchResult, 'points' | 'seed' | 'undisturbedSeconds' | 'rows' | 'afterwards'>): KillBenchResult {
  const { rows } = found;
  const count = (take: (row: KillRow) => number) => rows.reduce((sum, row) => sum + take(row), 0);
  const recovered = rows.map((row) => row.recoveredSeconds).sort((a, b) => a - b);
  const totals = {
    lost: count((row) => row.lost.length),
    contradictory: count((row) => row.contradictory.length),
    leftBehind: count((row) => row.leftBehind.length),
    reExecuted: count((row) => row.reExecuted),
    restarts: count((row) => row.restarts),
    medianRecoveredSeconds: recovered[Math.floor((recovered.length - 1) / 2)] ?? 0,
    maxRecoveredSeconds: recovered.at(-1) ?? 0,
  };
  const holds = totals.lost + totals.contradictory + totals.leftBehind + found.afterwards.length === 0;
  return { schemaVersion: 1, ...found, totals, holds };
}

const COLUMNS = [
  'point',
  'target',
  'phase',
  'killed at s',
  'recovered s',
  'restarts',
  're-executed',
  'lost',
  'contradictory',
  'left behind',
];

/** The table for people. */
export function renderKillBench(result: KillBenchResult): string {
  const { totals } = result;
  const lines = result.rows.map((row) => [
    String(row.point),
    row.target,
    row.phase,
    row.killedAfterSeconds.toFixed(1),
    row.recoveredSeconds.toFixed(1),
    String(row.restarts),
    String(row.reExecuted),
    String(row.lost.length),
    String(row.contradictory.length),
    String(row.leftBehind.length),
  ]);
  const details = result.rows.flatMap((row) =>
    [...row.lost, ...row.contradictory, ...row.leftBehind].map((text) => `point ${row.point}: ${text}`),
  );
  return [
    ...table([COLUMNS, ...lines]),
    ...[...details, ...result.afterwards].map((text) => `✖ ${text}`),
    '',
    `${result.rows.length} points: ${totals.lost} lost, ${totals.contradictory} contradictory, ${totals.leftBehind} left behind, ${totals.reExecuted} trial(s) re-executed; verdict after ${totals.medianRecoveredSeconds.toFixed(1)} s (median), ${totals.maxRecoveredSeconds.toFixed(1)} s (most); undisturbed ${result.undisturbedSeconds.toFixed(1)} s: ${result.holds ? 'holds' : 'falls short'}`,
  ].join('\n');
}

function table(rows: string[][]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
