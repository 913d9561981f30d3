import { randomBytes } from 'node:crypto';
import type { ArtifactStore, JudgeRequest, MinimiseRequest, Verdict } from '@reenact/domain';
import { AppError, isReproduced } from '@reenact/domain';
import { sizeOf } from '@reenact/verdict';
import type { Bundle } from '@reenact/verdict';
import { alignColumns } from './align-columns.js';
import { readCases } from './case-folder.js';
import type { CaseFolder } from './case-folder.js';
import { judgeRequest } from './judge-request.js';
import { makeRows } from './row-log.js';
import type { RowLog } from './row-log.js';

export interface MinimiseBenchOptions {
  casesDirectory: string;
  /** Names of the cases to take; empty = all. */
  only: string[];
  python: string;
  controlPython: string | null;
  /** Variants that may be tried for each. */
  maxTests: number;
  concurrency: number;
  allowUnsandboxed: boolean;
}

export interface MinimiseBenchPorts {
  artifacts: ArtifactStore;
  run: (request: JudgeRequest | MinimiseRequest) => Promise<Verdict>;
  /** Stores the bundle of a run and makes a request of it, without id and series. */
  draft: (runId: string) => Promise<Omit<MinimiseRequest, 'runId' | 'series' | 'kind' | 'maxTests'>>;
  readBundleOf: (runId: string) => Promise<Pick<Bundle, 'candidate'>>;
  /** What a run told. */
  messagesOf: (runId: string) => Promise<string[]>;
  log: RowLog<MinimiseRow>;
  onRow: (row: MinimiseRow, done: number, total: number) => void;
}

/** A verdict and the size of what it rests on. */
interface Sized {
  verdict: string;
  grade: string | null;
  lines: number;
}

/** One case, before and after. */
export interface MinimiseRow {
  case: string;
  before: Sized;
  /** Null where the case was not reproduced, so that there was nothing to make smaller. */
  after: Sized | null;
  /** Lines of the smaller script that the whole one does not have: smaller numbers, blocks that were emptied. */
  rewrittenLines: number;
  /** Command line and ranks before and after, where they differ. */
  launch: string | null;
  variants: number;
  /** Trials of the verification; each variant takes at least one more. */
  trials: number;
  seconds: number;
  holds: boolean;
}

export interface MinimiseBenchResult {
  schemaVersion: 1;
  rows: MinimiseRow[];
  minimised: number;
  holds: boolean;
}

/** Cases that must have become smaller (issue: six). */
const LEAST_CASES = 6;

/** Judges the reference script of each case, makes the bundle that comes out smaller, and compares. */
export async function runMinimiseBench(options: MinimiseBenchOptions, ports: MinimiseBenchPorts): Promise<MinimiseBenchResult> {
  const rows = await makeRows(chosen(await readCases(options.casesDirectory), options.only), {
    width: options.concurrency,
    log: ports.log,
    keyOf: ({ id }) => id,
    make: (folder) => minimiseCase(folder, options, ports),
    onRow: ports.onRow,
  });
  return { schemaVersion: 1, ...weighMinimised(rows) };
}

function chosen(folders: CaseFolder[], only: readonly string[]): CaseFolder[] {
  const unknown = only.filter((name) => !folders.some(({ id }) => id === name));
  if (unknown.length > 0)
    throw new AppError('usage', `There is no case ${unknown.join(', ')}.`, {
      hint: `There are: ${folders.map(({ id }) => id).join(', ')}.`,
    });
  return only.length === 0 ? folders : folders.filter(({ id }) => only.includes(id));
}

async function minimiseCase(folder: CaseFolder, options: MinimiseBenchOptions, ports: MinimiseBenchPorts): Promise<MinimiseRow> {
  const script = folder.scripts.find(({ kind }) => kind === 'reference');
  if (script === undefined) throw new AppError('case-invalid', `${folder.id} has no reference_repro.py.`);
  const { python, controlPython, allowUnsandboxed } = options;
  const settings = { directory: folder.projectDirectory, python, controlPython, allowUnsandboxed };
  const request = await judgeRequest({ folder, script, project: 'buggy', column: 'case' }, settings, { artifacts: ports.artifacts });
  const whole = { verdict: await ports.run(request), ...(await ports.readBundleOf(request.runId)) };
  if (!isReproduced(whole.verdict.verdict)) return toMinimiseRow(folder.id, whole, null, 0);
  const runId = `bench-${randomBytes(6).toString('hex')}`;
  const draft = await ports.draft(request.runId);
  const verdict = await ports.run({
    ...draft,
    python,
    controlPython: folder.patch === null ? controlPython : null,
    allowUnsandboxed,
    kind: 'minimise',
    maxTests: options.maxTests,
    runId,
    series: runId,
  });
  return toMinimiseRow(folder.id, whole, { verdict, ...(await ports.readBundleOf(runId)) }, variantsOf(await ports.messagesOf(runId)));
}

/** The workflow says in its story how many it tried. */
function variantsOf(messages: readonly string[]): number {
  return Number(messages.map((message) => /^(\d{1,9}) variants were tried$/.exec(message)?.[1]).find(Boolean) ?? 0);
}

interface Judged extends Pick<Bundle, 'candidate'> {
  verdict: Pick<Verdict, 'verdict' | 'grade' | 'trials' | 'seconds'>;
}

/** Compares a whole bundle with its smaller form: smaller, still shown, and of no lower grade. */
export function toMinimiseRow(name: string, whole: Judged, smaller: Judged | null, variants: number): MinimiseRow {
  const [before, after] = [sized(whole), smaller === null ? null : sized(smaller)];
  const launches = [whole, smaller ?? whole].map(({ candidate }) =>
    candidate.launch.steps.map(({ argv, ranks }) => `${argv.join(' ')}${ranks > 1 ? ` × ${ranks}` : ''}`).join('; '),
  );
  const rewrittenLines = smaller === null ? 0 : linesOf(smaller).filter((line) => !linesOf(whole).includes(line)).length;
  const isSmaller = after !== null && (after.lines < before.lines || rewrittenLines > 0 || launches[0] !== launches[1]);
  const isGradeKept = after !== null && (after.grade ?? 'Z') <= (before.grade ?? 'Z');
  return {
    case: name,
    before,
    after,
    rewrittenLines,
    launch: launches[0] === launches[1] ? null : launches.join(' → '),
    variants,
    trials: smaller?.verdict.trials ?? whole.verdict.trials,
    seconds: Math.round((smaller ?? whole).verdict.seconds * 10) / 10,
    holds: isSmaller && after.lines <= before.lines && isReproduced(smaller?.verdict.verdict ?? 'not_shown') && isGradeKept,
  };
}

function sized({ verdict, candidate }: Judged): Sized {
  return { verdict: verdict.verdict, grade: verdict.grade, lines: sizeOf(candidate).lines };
}

function linesOf({ candidate }: Judged): string[] {
  return candidate.files.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '');
}

/** All that were reproduced must have become smaller, and enough of them. */
export function weighMinimised(rows: MinimiseRow[]): Omit<MinimiseBenchResult, 'schemaVersion'> {
  const tried = rows.filter((row) => row.after !== null);
  const minimised = tried.filter((row) => row.holds).length;
  return { rows, minimised, holds: minimised === tried.length && minimised >= LEAST_CASES };
}

/** One line a case, and the count. */
export function renderMinimised(result: MinimiseBenchResult): string {
  const header = ['case', 'lines', 'rewritten', 'verdict', 'grade', 'variants', 'trials', 'seconds', ''];
  const rows = result.rows.map(({ before, after, ...row }) => [
    row.case,
    after === null ? String(before.lines) : `${before.lines} → ${after.lines}`,
    String(row.rewrittenLines),
    after === null || after.verdict === before.verdict ? before.verdict : `${before.verdict} → ${after.verdict}`,
    after === null || after.grade === before.grade ? (before.grade ?? '') : `${before.grade ?? ''} → ${after.grade ?? ''}`,
    String(row.variants),
    String(row.trials),
    row.seconds.toFixed(1),
    after === null ? 'nothing to make smaller' : row.holds ? 'holds' : 'falls short',
  ]);
  const launches = result.rows.flatMap((row) => (row.launch === null ? [] : [`${row.case}: ${row.launch}`]));
  const count = `${result.minimised} cases are smaller, still shown and of no lower grade (all that were reproduced, at least ${LEAST_CASES})`;
  return [...alignColumns([header, ...rows]), ...launches, '', count, result.holds ? 'holds' : 'falls short'].join('\n');
}
