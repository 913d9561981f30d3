import { mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ArtifactStore, JudgeRequest, ReproduceRequest, RunRequest, Verdict } from '@reenact/domain';
import { isReproduced } from '@reenact/domain';
import { clopperPearson } from '@reenact/verdict';
import { readCases } from './case-folder.js';
import type { CaseFolder } from './case-folder.js';
import { judgeRequest } from './judge-request.js';
import { patchedProject } from './patched-project.js';
import { makeRows } from './row-log.js';
import type { RowLog } from './row-log.js';
import { isUndecided, questionsOf } from './verdict-items.js';
import type { BenchQuestion } from './verdict-items.js';

export interface NullBenchOptions {
  casesDirectory: string;
  python: string;
  concurrency: number;
  allowUnsandboxed: boolean;
}

export interface NullBenchPorts {
  artifacts: ArtifactStore;
  run: (request: JudgeRequest | ReproduceRequest) => Promise<Verdict>;
  log: RowLog<NullRow>;
  onRow: (row: NullRow, done: number, total: number) => void;
}

/** One judgement over something that does not have the fault. */
export interface NullRow {
  case: string;
  /** What was judged: a script on the patched project, a trap on the project with the fault, or the whole pipeline. */
  what: string;
  /** `none`: nothing to compare with; `own`: the project itself; `fix`: the patched project beside a trap. */
  control: 'none' | 'own' | 'fix';
  column: 'case' | 'report';
  verdict: string;
  wrong: boolean;
  trials: number;
}

export interface NullBenchResult {
  schemaVersion: 1;
  rows: NullRow[];
  /** Those that could have been wrong: an answer without an oracle, or of a platform that failed, is no test of anything. */
  judgements: number;
  undecided: number;
  wrongReproduced: number;
  /** Sets of trials that these judgements rest on; both columns of a script share one, so that they are not independent. */
  trialSets: number;
  /** One-sided 95 % upper bound on the share of sets with a wrong `reproduced…`, exact (Clopper and Pearson 1934). */
  upperBound: number;
  holds: boolean;
  seconds: number;
}

/** Judgements that the experiment has to hold (issue: at least 200). */
export const LEAST_JUDGEMENTS = 200;

interface NullQuestion {
  question: BenchQuestion | null;
  folder: CaseFolder;
  control: NullRow['control'];
}

/**
 * The null experiment: judges scripts where the fault is not, and counts how often the answer is `reproduced…` all the same.
 * References and honest scripts run on the patched project, traps on both, the whole pipeline without a model on the patched
 * project; each with a control that is as healthy and without any, which is the harder test. Cheats are another bench's matter.
 */
export async function runNullBench(options: NullBenchOptions, ports: NullBenchPorts): Promise<NullBenchResult> {
  const begun = performance.now();
  const folders = (await readCases(options.casesDirectory)).filter(({ patch }) => patch !== null);
  const questions = folders.flatMap(nullQuestions);
  const scratch = await mkdtemp(path.join(tmpdir(), 'reenact-null-'));
  const series = `null-${randomBytes(6).toString('hex')}`;
  try {
    const patched = new Map<string, string>();
    for (const folder of folders) patched.set(folder.directory, await patchedProject(folder, scratch));
    const rows = await makeRows(questions, {
      width: options.concurrency,
      log: ports.log,
      keyOf: ({ question, folder, control }) =>
        [folder.id, question?.script.name, question?.project, question?.column, control].map((word) => word ?? '').join(' '),
      make: async (question) => {
        const request = await requestOf(question, { options, ports, series, patched: patched.get(question.folder.directory) ?? '' });
        return toRow(question, await ports.run(request));
      },
      onRow: ports.onRow,
    });
    return { schemaVersion: 1, ...weighNull(rows), seconds: Math.round((performance.now() - begun) / 100) / 10 };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Everything about one case that must not come out as `reproduced…`. */
function nullQuestions(folder: CaseFolder): NullQuestion[] {
  const honest = questionsOf([folder]).filter(({ script }) => script.kind !== 'cheat');
  const healthy = honest
    .filter(({ project }) => project === 'patched')
    .flatMap((question) => (['own', 'none'] as const).map((control) => ({ question, folder, control })));
  const traps = honest
    .filter(({ script, project }) => script.kind === 'trap' && project === 'buggy')
    .flatMap((question) => (['fix', 'none'] as const).map((control) => ({ question, folder, control })));
  const whole = (['own', 'none'] as const).map((control) => ({ question: null, folder, control }));
  return [...healthy, ...traps, ...whole];
}

interface Stage {
  options: NullBenchOptions;
  ports: NullBenchPorts;
  series: string;
  patched: string;
}

/** Each kind of control has trials of its own, so that no two judgements of one script share them. */
async function requestOf(
  { question, folder, control }: NullQuestion,
  { options, ports, series, patched }: Stage,
): Promise<JudgeRequest | ReproduceRequest> {
  const { python, allowUnsandboxed } = options;
  const asked = question ?? { folder, script: { name: '', kind: 'honest', text: '', oracle: null }, project: 'patched', column: 'report' };
  const directory = asked.project === 'buggy' ? folder.projectDirectory : patched;
  const settings = { directory, python, controlPython: null, allowUnsandboxed };
  const judged = await judgeRequest(asked, settings, { artifacts: ports.artifacts, series: `${series}-${control}` });
  const request = control === 'none' ? { ...judged, fixed: null } : judged;
  if (question !== null) return request;
  return { ...runPartOf(request), kind: 'reproduce', title: `${folder.id}: the whole pipeline on the patched project` };
}

/** What a judgement asks for beside its script. */
function runPartOf(request: JudgeRequest): RunRequest {
  const shared: RunRequest & Partial<JudgeRequest> = { ...request };
  delete shared.script;
  delete shared.oracles;
  return shared;
}

function toRow({ question, folder, control }: NullQuestion, verdict: Verdict): NullRow {
  return {
    case: folder.id,
    what: question === null ? 'the whole pipeline' : `${question.script.name} (${question.project})`,
    control,
    column: question?.column ?? 'report',
    verdict: verdict.verdict,
    wrong: isReproduced(verdict.verdict),
    trials: verdict.trials,
  };
}

/** Counts and bound over what was decided. Without a wrong one the bound is 1 − 0.05^(1/n), close to 3/n for n sets of trials. */
export function weighNull(rows: NullRow[]): Omit<NullBenchResult, 'schemaVersion' | 'seconds'> {
  const decided = rows.filter((row) => !isUndecided(row.verdict));
  const wrong = decided.filter((row) => row.wrong);
  const setsOf = (own: NullRow[]) => new Set(own.map((row) => `${row.case} ${row.what} ${row.control}`)).size;
  return {
    rows,
    judgements: decided.length,
    undecided: rows.length - decided.length,
    wrongReproduced: wrong.length,
    trialSets: setsOf(decided),
    // The two-sided interval at 90 % leaves 5 % on either side.
    upperBound: decided.length === 0 ? 1 : clopperPearson(setsOf(wrong), setsOf(decided), 0.9).high,
    holds: wrong.length === 0 && decided.length >= LEAST_JUDGEMENTS,
  };
}

/** Counts by what was judged and by state, wrong ones one by one. */
export function renderNull(result: NullBenchResult): string {
  const kind = (row: NullRow): string =>
    row.what === 'the whole pipeline'
      ? row.what
      : row.what.endsWith('(buggy)')
        ? 'traps on the project with the fault'
        : 'scripts on the patched project';
  const lines = [...Map.groupBy(result.rows, (row) => `${kind(row)}, control: ${row.control}`)].map(([name, rows]) => {
    const states = [...Map.groupBy(rows, ({ verdict }) => verdict)].map(([state, own]) => `${own.length} ${state}`);
    return `${name.padEnd(56)} ${String(rows.length).padStart(4)}  ${states.join(', ')}`;
  });
  const wrong = result.rows
    .filter((row) => row.wrong)
    .map((row) => `WRONG  ${row.case}: ${row.what}, control ${row.control}: ${row.verdict}`);
  const bound = [
    `${result.wrongReproduced} of ${result.judgements} decided judgements wrongly reproduced; ${result.undecided} undecided ones count as nothing`,
    `${result.trialSets} sets of trials: with 95 % confidence the share of wrong ones is below ${(result.upperBound * 100).toFixed(2)} %`,
  ];
  const mark = result.holds ? 'holds' : `falls short: 0 wrong of at least ${LEAST_JUDGEMENTS} are asked for`;
  return [...lines, ...wrong, '', ...bound, mark].join('\n');
}
