import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ArtifactStore, Bisection, BisectRequest, JudgeRequest, Verdict } from '@reenact/domain';
import { seededDraws } from '@reenact/domain';
import { alignColumns } from './align-columns.js';
import { makeRows } from './row-log.js';
import type { RowLog } from './row-log.js';
import { SEEDED_SCRIPT, seededReport, writeSeededHistory } from './seeded-history.js';

export interface BisectBenchOptions {
  python: string;
  commits: number;
  /** Searches for a fault by chance; a third as many, at least one, for one that always shows. */
  tries: number;
  /** The same seed gives the same culprits; whether a trial shows the fault is chance all the same. */
  seed: number;
  concurrency: number;
  allowUnsandboxed: boolean;
}

export interface BisectBenchPorts {
  artifacts: ArtifactStore;
  judge: (request: JudgeRequest) => Promise<Verdict>;
  /** Stores the bundle of a run. @returns its tree. */
  bundleTreeOf: (runId: string) => Promise<string>;
  bisect: (request: BisectRequest) => Promise<Bisection>;
  log: RowLog<BisectRow>;
  onRow: (row: BisectRow, done: number, total: number) => void;
}

/** One search whose culprit is known. */
export interface BisectRow {
  /** How often a commit with the fault shows it. */
  rate: number;
  number: number;
  firstBad: number;
  status: Bisection['status'];
  /** What was named: nothing, or the labels of the candidates. */
  named: string[];
  answer: 'exact' | 'range' | 'none' | 'wrong';
  trials: number;
  seconds: number;
}

export interface BisectBenchResult {
  schemaVersion: 1;
  commits: number;
  seed: number;
  rows: BisectRow[];
  always: { tries: number; exact: number };
  byChance: { tries: number; exact: number; wrong: number };
  holds: boolean;
}

/** The bar: 60 commits, every search for a fault that always shows, nine of ten for one that shows in three of ten trials. */
const LEAST_COMMITS = 60;
const LEAST_TRIES = 10;
const LEAST_SHARE = 0.9;
const CHANCE = 0.3;
const MAX_TRIALS = 600;

interface Search {
  rate: number;
  number: number;
  firstBad: number;
}

/** Searches seeded histories with the bundle of one run on their last commit, each with its own culprit and fresh trials. */
export async function runBisectBench(options: BisectBenchOptions, ports: BisectBenchPorts): Promise<BisectBenchResult> {
  const { commits, tries, seed, concurrency } = options;
  const scratch = await mkdtemp(path.join(tmpdir(), 'reenact-bisections-'));
  try {
    const bundles = new Map<number, Promise<string>>();
    const bundleAt = (rate: number) => {
      const made = bundles.get(rate) ?? makeBundle(rate, { options, ports, scratch });
      bundles.set(rate, made);
      return made;
    };
    const rows = await makeRows(searchesOf(commits, tries, seed), {
      width: concurrency,
      log: ports.log,
      keyOf: ({ rate, number }) => `${rate} ${number}`,
      make: async (search) => {
        const directory = path.join(scratch, `${search.rate}-${search.number}`);
        await writeSeededHistory(directory, { commits, firstBad: search.firstBad, rate: search.rate });
        return toRow(search, await ports.bisect(bisectRequest(directory, search, { options, bundleTree: await bundleAt(search.rate) })));
      },
      onRow: ports.onRow,
    });
    return { schemaVersion: 1, ...weighBisections(rows, commits), seed };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The culprits to be found: the same seed, the same ones. */
export function searchesOf(commits: number, tries: number, seed: number): Search[] {
  const draw = seededDraws(seed);
  const search = (rate: number, count: number) =>
    Array.from({ length: count }, (_unused, number) => ({ rate, number, firstBad: 1 + Math.floor(draw() * (commits - 1)) }));
  return [...search(1, Math.max(1, Math.ceil(tries / 3))), ...search(CHANCE, tries)];
}

interface Stage {
  options: BisectBenchOptions;
  ports: BisectBenchPorts;
  scratch: string;
}

/** A verdict is not needed, since a search measures by itself: the bundle is. */
async function makeBundle(rate: number, { options, ports, scratch }: Stage): Promise<string> {
  const directory = path.join(scratch, `bundle-${rate}`);
  await writeSeededHistory(directory, { commits: options.commits, firstBad: 1, rate });
  const store = (text: string) => ports.artifacts.putBytes(Buffer.from(text));
  const runId = `bench-${randomBytes(6).toString('hex')}`;
  await ports.judge({
    kind: 'judge',
    schemaVersion: 1,
    runId,
    series: runId,
    title: `a seeded history, rate ${rate}`,
    report: await store(seededReport(rate)),
    subject: { type: 'folder', path: directory },
    treeHash: null,
    fixed: null,
    fixedTreeHash: null,
    controlPython: null,
    python: options.python,
    requirements: [],
    goodRequirements: [],
    limits: {},
    allowUnsandboxed: options.allowUnsandboxed,
    model: { enabled: false, budget: { costUsd: null, tokens: null, minutes: null, attemptsPerContext: 5 }, record: null, replay: null },
    script: { name: 'repro.py', text: await store(SEEDED_SCRIPT) },
    oracles: null,
  });
  return ports.bundleTreeOf(runId);
}

function bisectRequest(
  directory: string,
  search: Search,
  { options, bundleTree }: { options: BisectBenchOptions; bundleTree: string },
): BisectRequest {
  const runId = `bench-${randomBytes(6).toString('hex')}`;
  return {
    kind: 'bisect',
    schemaVersion: 1,
    runId,
    series: runId,
    title: `search ${search.number} at rate ${search.rate}`,
    bundleTree,
    axis: { type: 'git', url: directory, good: 'first', bad: 'main' },
    rate: search.rate,
    python: options.python,
    requirements: [],
    maxTrials: MAX_TRIALS,
    allowUnsandboxed: options.allowUnsandboxed,
  };
}

/** Holds a search against its culprit. */
export function toRow(search: Search, bisection: Pick<Bisection, 'status' | 'culprit' | 'trials' | 'seconds'>): BisectRow {
  const named = bisection.culprit?.candidates.map(({ label }) => label) ?? [];
  const isThere = named.some((label) => label.endsWith(` change ${search.firstBad}`));
  const answer = named.length === 0 ? 'none' : !isThere ? 'wrong' : named.length === 1 ? 'exact' : 'range';
  const { status, trials } = bisection;
  return { ...search, status, named, answer, trials, seconds: Math.round(bisection.seconds * 10) / 10 };
}

/** Counts exact answers, and holds them against the bar. */
export function weighBisections(rows: BisectRow[], commits: number): Omit<BisectBenchResult, 'schemaVersion' | 'seed'> {
  const count = (own: BisectRow[], answer: BisectRow['answer']) => own.filter((row) => row.answer === answer).length;
  const [steady, chance] = [rows.filter(({ rate }) => rate === 1), rows.filter(({ rate }) => rate < 1)];
  const always = { tries: steady.length, exact: count(steady, 'exact') };
  const byChance = { tries: chance.length, exact: count(chance, 'exact'), wrong: count(chance, 'wrong') };
  const enough = commits >= LEAST_COMMITS && always.tries > 0 && byChance.tries >= LEAST_TRIES;
  const holds = enough && always.exact === always.tries && byChance.exact >= LEAST_SHARE * byChance.tries;
  return { commits, rows, always, byChance, holds };
}

/** One line a search, and the counts. */
export function renderBisections(result: BisectBenchResult): string {
  const header = ['rate', 'search', 'culprit', 'status', 'answer', 'trials', 'seconds'];
  const rows = result.rows.map((row) => [
    String(row.rate),
    String(row.number),
    `change ${row.firstBad}`,
    row.status,
    row.answer,
    String(row.trials),
    row.seconds.toFixed(1),
  ]);
  const { always, byChance } = result;
  return [
    ...alignColumns([header, ...rows]),
    '',
    `${result.commits} commits (at least ${LEAST_COMMITS}), seed ${result.seed}`,
    `always shown: the exact commit in ${always.exact} of ${always.tries} searches (all)`,
    `shown in ${CHANCE * 10} of 10 trials: in ${byChance.exact} of ${byChance.tries}, another commit in ${byChance.wrong} (at least 9 of 10, of at least ${LEAST_TRIES})`,
    result.holds ? 'holds' : 'falls short',
  ].join('\n');
}
