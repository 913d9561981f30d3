import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BY_CLOCK, spawnModuleProcess } from '@reenact/store/testing';
import type { KillPlan, KillSubject } from '@reenact/store/testing';
import { databaseFile, openTree } from '../store/open-tree.js';
import type { OpenTreeOptions } from '../store/open-tree.js';

/** More than one batch of records, so that kills fall between two commits as well. */
const FILES = 230;
/** Records between two kills at `record`: with five of them, in the first batch and in the second. */
const RECORDS_BETWEEN = 53;
/** What a run by the clock takes at most on a free machine. */
const CLOCK_MILLISECONDS = { least: 100, spread: 2_000 };
const LARGEST_BYTES = 8 * 1024 * 1024;

/** Every write and rename of the index. */
const POINTS = [
  'create',
  'schema',
  'record',
  'commit-records',
  'records-committed',
  'revision',
  'revision-committed',
  'collect',
  'collect-committed',
  'loops',
  'loops-committed',
  'mark',
  'aside-shm',
  'aside-wal',
  'aside',
  'aside-unmark',
];
const ON_A_NEW_INDEX = ['create', 'schema', 'record'];
const ON_A_DAMAGED_INDEX = ['mark', 'aside-shm', 'aside-wal', 'aside', 'aside-unmark'];

/** Indexes the tree, with its loops where one of their writes is the point, and kills itself at the so-manyth write of a kind. */
const CHILD = `
import { openTree } from './open-tree.js';
const [tree, directory, point, times, threads] = ARGUMENTS;
let left = times;
const onWrite = (at) => { if (at === point && --left === 0) process.kill(process.pid, 'SIGKILL'); };
const opened = await openTree(tree, { directory, threads, onWrite, limits: { revisions: 1 }, revision: String(Date.now()) });
if (point.startsWith('loops')) await opened.codeIndex();
opened.close();`;

/** The index of a tree as something that is killed. */
export interface IndexKills extends KillSubject {
  /** Python files of the tree. */
  files: number;
  /** Files that a run in this process still has to parse. */
  unparsed(): Promise<number>;
}

/** Makes a tree in an empty folder, whose index is killed. */
export async function createIndexKills(scratch: string): Promise<IndexKills> {
  const [tree, store] = [path.join(scratch, 'tree'), path.join(scratch, 'store')];
  let edits = 0;
  const put = (place: number): Promise<void> => writeFile(path.join(tree, `m${place}.py`), sourceOf(place, edits++));
  await mkdir(tree);
  for (let place = 0; place < FILES; place++) await put(place);
  return {
    files: FILES,
    points: POINTS,
    async prepare({ point }) {
      if (ON_A_NEW_INDEX.includes(point)) return rm(store, { recursive: true, force: true });
      await mkdir(store, { recursive: true });
      if (ON_A_DAMAGED_INDEX.includes(point)) await writeFile(databaseFile(store, tree), `no database ${edits}`);
      for (let place = 0; place < FILES; place += point === BY_CLOCK ? 3 : 10) await put(place);
    },
    start(plan) {
      const child = spawnModuleProcess(
        CHILD.replace('ARGUMENTS', JSON.stringify([tree, store, ...argumentsOf(plan)])),
        path.join(import.meta.dirname, '..', 'store'),
      );
      const { least, spread } = CLOCK_MILLISECONDS;
      if (plan.point === BY_CLOCK) setTimeout(() => child.kill('SIGKILL'), least + Math.random() * spread);
      return child;
    },
    differences: ({ point }) => onCopy(scratch, store, (copy) => differencesOf(tree, copy, point.startsWith('loops'))),
    unparsed: () => onCopy(scratch, store, async (copy) => (await contents(tree, { directory: copy })).parsed),
  };
}

/** A function, or in every fortieth file a training loop; each edit gives other ones. */
function sourceOf(place: number, edit: number): string {
  if (place % 40 > 0) return `def f${place}(x):\n    return x + ${edit}\n`;
  return `def train${edit}(loss):\n    for x in range(${edit}):\n        loss.backward()\n`;
}

/** Point, times and threads of a child. */
function argumentsOf({ point, round }: KillPlan): [string, number, number] {
  return [point, point === 'record' ? 1 + ((round * RECORDS_BETWEEN) % FILES) : 1, round % 4 === 3 ? 2 : 0];
}

/** Works on a copy of the store, so that the next run finds what the kill left. */
async function onCopy<T>(scratch: string, store: string, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(path.join(scratch, 'copy-'));
  try {
    await cp(store, copy, { recursive: true });
    return await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function differencesOf(tree: string, store: string, withLoops: boolean): Promise<string[]> {
  const notices: string[] = [];
  const continued = await contents(tree, { directory: store, onNotice: (message) => notices.push(message) }, withLoops);
  const clean = await contents(tree, {}, withLoops);
  const again = await contents(tree, { directory: store });
  const found = notices.filter((notice) => !notice.includes('set aside'));
  if (continued.index !== clean.index) found.push('the index is not that of a clean build');
  if (again.parsed > 0) found.push(`${again.parsed} files were parsed once more`);
  return [...found, ...(await leftBehind(tree, store))];
}

async function contents(tree: string, options: OpenTreeOptions, withLoops = false): Promise<{ parsed: number; index: string }> {
  const opened = await openTree(tree, { threads: 0, ...options });
  try {
    const loops = withLoops ? (await opened.codeIndex()).loops : [];
    return { parsed: opened.counts.parsed, index: JSON.stringify([opened.digest, loops, [...opened.searchable()]]) };
  } finally {
    opened.close();
  }
}

async function leftBehind(tree: string, store: string): Promise<string[]> {
  const names = (await readdir(store)).map((name) => name.replace(/^[0-9a-f]{32}/, 'ID'));
  const known = ['ID.sqlite', 'ID.sqlite.lock', ...['', '-wal', '-shm'].map((part) => `ID.sqlite.damaged${part}`)];
  const found = names.filter((name) => !known.includes(name)).map((name) => `${name} was left behind`);
  const { size } = await stat(databaseFile(store, tree));
  return size < LARGEST_BYTES ? found : [...found, `the index has ${size} bytes`];
}
