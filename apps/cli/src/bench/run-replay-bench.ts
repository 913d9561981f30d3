import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { ArtifactStore, JudgeRequest, Rate, ReplayRequest, Verdict } from '@reenact/domain';
import { isReproduced } from '@reenact/domain';
import { readCases } from './case-folder.js';
import { judgeRequest } from './judge-request.js';
import { makeRows } from './row-log.js';
import type { RowLog } from './row-log.js';
import { questionsOf } from './verdict-items.js';

export interface ReplayBenchOptions {
  casesDirectory: string;
  python: string;
  bundles: number;
  times: number;
  concurrency: number;
  allowUnsandboxed: boolean;
}

export interface ReplayBenchPorts {
  artifacts: ArtifactStore;
  run: (request: JudgeRequest | ReplayRequest) => Promise<Verdict>;
  /** Stores the bundle at this path and makes the request of its replay, without id and series. */
  draft: (bundle: string) => Promise<Omit<ReplayRequest, 'runId' | 'series'>>;
  /** Folder of a run. */
  folderOf: (runId: string) => string;
  log: RowLog<ReplayRow>;
  onRow: (row: ReplayRow, done: number, total: number) => void;
}

/** The verdicts on one bundle: the one it was made with, and those of its replays. */
export interface ReplayRow {
  case: string;
  script: string;
  flaky: boolean;
  verdicts: { verdict: string; rate: Rate }[];
  pairs: number;
  agreeing: number;
}

export interface ReplayBenchResult {
  schemaVersion: 1;
  rows: ReplayRow[];
  deterministic: { pairs: number; agreeing: number };
  flaky: { bundles: number; pairs: number; agreeing: number };
  holds: boolean;
}

/** Least share of pairs of replays of deterministic kinds that must agree, and how many bundles must be flaky. */
const LEAST_AGREEMENT = 0.98;
const LEAST_FLAKY = 5;

/**
 * Judges scripts that show the fault, and replays the bundles that come out, with fresh trials each time. Flaky cases come
 * first, so that enough of them are among the bundles.
 */
export async function runReplayBench(options: ReplayBenchOptions, ports: ReplayBenchPorts): Promise<ReplayBenchResult> {
  const { python, allowUnsandboxed } = options;
  const questions = questionsOf(await readCases(options.casesDirectory))
    .filter(
      ({ script, project, column }) =>
        project === 'buggy' && column === 'case' && (script.kind === 'reference' || script.kind === 'honest'),
    )
    .sort((a, b) => Number(isFlaky(b.folder)) - Number(isFlaky(a.folder)))
    .slice(0, options.bundles);
  const rows = await makeRows(questions, {
    width: options.concurrency,
    log: ports.log,
    keyOf: ({ folder, script }) => `${folder.id} ${script.name}`,
    make: async (question) => {
      const directory = question.folder.projectDirectory;
      const request = await judgeRequest(
        question,
        { directory, python, controlPython: null, allowUnsandboxed },
        { artifacts: ports.artifacts },
      );
      const verdicts = [await ports.run(request)];
      const draft = await ports.draft(path.join(ports.folderOf(request.runId), 'bundle.tar'));
      for (let time = 0; time < options.times; time += 1) {
        const runId = `bench-${randomBytes(6).toString('hex')}`;
        verdicts.push(await ports.run({ ...draft, python, allowUnsandboxed, runId, series: runId }));
      }
      return toRow({ case: question.folder.id, script: question.script.name, flaky: isFlaky(question.folder) }, verdicts);
    },
    onRow: ports.onRow,
  });
  return weighReplays(rows, options.bundles);
}

function isFlaky(folder: { truth: { flaky?: unknown } }): boolean {
  return folder.truth.flaky !== null && folder.truth.flaky !== undefined;
}

function toRow(about: Pick<ReplayRow, 'case' | 'script' | 'flaky'>, verdicts: Verdict[]): ReplayRow {
  const said = verdicts.map(({ verdict, rate }) => ({ verdict, rate }));
  const pairs = said.flatMap((first, index) => said.slice(index + 1).map((second) => agree(first, second)));
  return { ...about, verdicts: said, pairs: pairs.length, agreeing: pairs.filter(Boolean).length };
}

/** Two replays agree when both are `reproduced…` and their intervals overlap, or their states are equal (verdict.md section 6). */
export function agree(first: Pick<Verdict, 'verdict' | 'rate'>, second: Pick<Verdict, 'verdict' | 'rate'>): boolean {
  if (!isReproduced(first.verdict) || !isReproduced(second.verdict)) return first.verdict === second.verdict;
  return first.rate.low <= second.rate.high && second.rate.low <= first.rate.high;
}

/** Adds the pairs up, deterministic and flaky bundles apart. */
export function weighReplays(rows: ReplayRow[], bundles: number): ReplayBenchResult {
  const sum = (own: ReplayRow[]) => ({
    pairs: own.reduce((total, row) => total + row.pairs, 0),
    agreeing: own.reduce((total, row) => total + row.agreeing, 0),
  });
  const flakyRows = rows.filter((row) => row.flaky);
  const deterministic = sum(rows.filter((row) => !row.flaky));
  const enough = rows.length >= bundles && flakyRows.length >= LEAST_FLAKY && deterministic.pairs > 0;
  const holds = enough && deterministic.agreeing >= LEAST_AGREEMENT * deterministic.pairs;
  return { schemaVersion: 1, rows, deterministic, flaky: { bundles: flakyRows.length, ...sum(flakyRows) }, holds };
}

/** One line a bundle, and the shares. */
export function renderReplays(result: ReplayBenchResult): string {
  const lines = result.rows.map((row) => {
    const said = row.verdicts.map(({ verdict, rate }) => `${verdict} ${rate.shown}/${rate.total}`).join(', ');
    return `${row.case.padEnd(24)} ${row.script.padEnd(28)} ${row.flaky ? 'flaky' : '     '}  ${row.agreeing} of ${row.pairs} agree: ${said}`;
  });
  const { deterministic, flaky } = result;
  return [
    ...lines,
    '',
    `deterministic kinds: ${deterministic.agreeing} of ${deterministic.pairs} pairs agree (at least ${LEAST_AGREEMENT * 100} %)`,
    `flaky: ${flaky.agreeing} of ${flaky.pairs} pairs of ${flaky.bundles} bundles agree (at least ${LEAST_FLAKY} bundles)`,
    result.holds ? 'holds' : 'falls short',
  ].join('\n');
}
