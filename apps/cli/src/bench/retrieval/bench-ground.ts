import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '@reenact/domain';
import { startJsonLines } from './json-lines-process.js';
import type { JsonLinesProcess } from './json-lines-process.js';
import type { Prose } from './long-queries.js';

const run = promisify(execFile);
/** The bench's scripts and lists, in the repository. */
export const BENCH_FOLDER = path.resolve(import.meta.dirname, '..', '..', '..', '..', '..', 'bench', 'retrieval');
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A docstring whose function is looked for. */
export interface DocstringQuery {
  /** Relative to the tree. */
  file: string;
  name: string;
  text: string;
}

/** A tree laid out from the pinned packages. */
export interface SizedTree {
  directory: string;
  files: number;
  definitions: number;
  /** Queries whose function lies in the tree, where its docstring was taken out. */
  queries: DocstringQuery[];
  prose: Prose;
}

export interface GroundOptions {
  /** Cache of corpora and trees. */
  directory: string;
  /** Interpreter for the scripts that need nothing but the standard library. */
  python: string;
  /** Makes the interpreter that has the peers, given their pinned requirements; asked once, and only when a row needs it. */
  peersPython: (requirements: string[]) => Promise<string>;
  /** Variables that programs started from here get. */
  environment: NodeJS.ProcessEnv;
  report: (message: string) => void;
}

/** What rows stand on: corpora, trees, peers, scratch. Everything is made when it is first asked for, and kept. */
export interface BenchGround {
  /** Where everything is kept from bench to bench. */
  directory: string;
  /** A tree of at least so many definitions; `large` packages come in only where asked for. */
  tree(definitions: number, sets: readonly ('main' | 'large')[]): Promise<SizedTree>;
  /** @param script a file of `bench/retrieval/peers`. */
  startPeer(script: string, ...rest: string[]): Promise<JsonLinesProcess>;
  /** Where trees that rows only read are indexed: the same for all rows, so that each file is parsed once. */
  store: string;
  /** A new empty folder, gone when the bench ends. */
  scratch(): Promise<string>;
  close(): Promise<void>;
}

/** Prepares the ground; nothing is fetched before a row asks for it. */
export async function openGround(options: GroundOptions): Promise<BenchGround> {
  await mkdir(options.directory, { recursive: true });
  const scratchRoot = await mkdtemp(path.join(options.directory, 'scratch-'));
  const fetched = new Map<string, Promise<void>>();
  const trees = new Map<string, Promise<SizedTree>>();
  let peers: Promise<string> | null = null;
  const once = <T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  };
  return {
    directory: options.directory,
    tree: (definitions, sets) =>
      once(trees, `${sets.join('-')}-${definitions}`, async () => {
        for (const set of sets) await once(fetched, set, () => fetchCorpora(options, set));
        return layOutTree(options, definitions, sets);
      }),
    async startPeer(script, ...rest) {
      peers ??= readRequirements().then(options.peersPython);
      // LanceDB hangs for ever on two cores unless it is told to take more threads (retrieval.md section 4.3).
      const environment = { ...options.environment, LANCE_CPU_THREADS: '4', PYTHONDONTWRITEBYTECODE: '1' };
      return startJsonLines([await peers, path.join(BENCH_FOLDER, 'peers', script), ...rest], environment);
    },
    store: path.join(scratchRoot, 'store'),
    scratch: () => mkdtemp(path.join(scratchRoot, 's-')),
    close: () => rm(scratchRoot, { recursive: true, force: true }),
  };
}

async function readRequirements(): Promise<string[]> {
  const text = await readFile(path.join(BENCH_FOLDER, 'peers', 'requirements.txt'), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

async function fetchCorpora(options: GroundOptions, set: string): Promise<void> {
  options.report(`corpora: looking for the pinned packages (${set})`);
  const script = path.join(BENCH_FOLDER, 'fetch_corpora.py');
  const { stdout } = await run(options.python, [script, '--into', options.directory, '--set', set], {
    env: options.environment,
    maxBuffer: MOST_OUTPUT_BYTES,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  // A package that cannot be had makes the trees smaller, which their counts tell.
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const told = JSON.parse(line) as { package: string; files?: number; error?: string };
    options.report(`corpora: ${told.package}: ${told.error ?? `${told.files} files`}`);
  }
}

async function layOutTree(options: GroundOptions, definitions: number, sets: readonly string[]): Promise<SizedTree> {
  const key = `${sets.join('-')}-${definitions}`;
  const folder = path.join(options.directory, 'sized');
  const record = path.join(folder, `${key}.json`);
  const directory = path.join(folder, key);
  if (await exists(record)) return JSON.parse(await readFile(record, 'utf8')) as SizedTree;
  options.report(`tree: laying out ${definitions} definitions`);
  const prose = path.join(folder, `${key}.prose.json`);
  await mkdir(folder, { recursive: true });
  const { stdout } = await run(
    options.python,
    [
      path.join(BENCH_FOLDER, 'make_tree.py'),
      ...['--corpus', options.directory, '--definitions', String(definitions), '--into', directory],
      ...['--queries', path.join(BENCH_FOLDER, 'queries.jsonl'), '--prose', prose],
      ...sets.flatMap((set) => ['--set', set]),
    ],
    { env: options.environment, maxBuffer: MOST_OUTPUT_BYTES },
  ).catch((error: { stderr?: string }) => {
    throw new AppError('usage', `The tree could not be laid out: ${error.stderr?.trim().split('\n').at(-1) ?? 'no reason was told'}`, {
      hint: 'The corpora come from ordinary package sources with pip; name a folder that has them with --corpus DIR.',
    });
  });
  const lines = stdout.trim().split('\n');
  const counts = JSON.parse(lines.pop() ?? '{}') as { files: number; definitions: number };
  const tree: SizedTree = {
    directory,
    files: counts.files,
    definitions: counts.definitions,
    queries: lines.map((line) => JSON.parse(line) as DocstringQuery),
    prose: JSON.parse(await readFile(prose, 'utf8')) as Prose,
  };
  // Written last and renamed: a tree without its record is made again.
  await writeFile(`${record}.part`, JSON.stringify(tree));
  await rename(`${record}.part`, record);
  return tree;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
