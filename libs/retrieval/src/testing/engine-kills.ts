import { cp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChunkIndex, IndexName } from '@reenact/domain';
import { BY_CLOCK, spawnModuleProcess } from '@reenact/store/testing';
import type { KillPlan, KillSubject } from '@reenact/store/testing';
import { createEmbeddedIndex } from '../embedded/embedded-index.js';
import { sampleChunks } from './sample-chunks.js';

/** Every write and rename of the embedded engine. */
const POINTS = ['create', 'part', 'sync', 'rename', 'sync-folder', 'collect'];
const AFTER_THE_RENAME = ['sync-folder', 'collect'];
/** Writes of parts between two kills at `part`: with five of them, from the header to the vectors. */
const PARTS_BETWEEN = 9;
const MOST_DELAY_MILLISECONDS = 200;
const NAME: IndexName = { repository: 'r', revision: 'main' };
const OTHER: IndexName = { repository: 'r', revision: 'other' };
/** The two states that are published in turn: each has a number of chunks of its own. */
const STATES = [40, 80].map((chunksPerFile) => ({ seed: 1, files: 10, chunksPerFile, dimensions: 64, pendingShare: 0.1 }));
const QUERIES = [['w1'], ['w2', 'w40'], ['w7', 'w11', 'w300', 'part_003_py']];

/** Publishes the states in turn, beginning with one of them, and kills itself at the so-manyth write of a kind. */
const CHILD = `
import { writeSync } from 'node:fs';
import { createEmbeddedIndex } from './embedded-index.js';
import { sampleChunks } from '../testing/sample-chunks.js';
const [directory, name, states, point, times, first, turns] = ARGUMENTS;
let left = times;
const onWrite = (at) => { if (at === point && --left === 0) process.kill(process.pid, 'SIGKILL'); };
const index = createEmbeddedIndex({ directory, onWrite, keep: { generations: 1, bytes: 2 ** 30 } });
for (let turn = first; turn < first + turns; turn++) {
  await index.publish(name, sampleChunks(states[turn % 2]), { embedding: 'e' });
  writeSync(1, 'published\\n');
}`;

/** The embedded engine as something that is killed while it publishes, in an empty folder. */
export async function createEngineKills(scratch: string): Promise<KillSubject> {
  const directory = path.join(scratch, 'engine');
  const clean = await Promise.all(STATES.map((_state, number) => cleanAnswers(path.join(scratch, `clean-${number}`), number)));
  /** Answers of what was last published whole. */
  let held = 'nothing';
  await mkdir(directory);
  return {
    points: POINTS,
    async prepare() {
      await createEmbeddedIndex({ directory }).publish(OTHER, sampleChunks(stateOf(0)), { embedding: 'e' });
      const abandoned = path.join(directory, 'abandoned.aside');
      await writeFile(abandoned, 'of a process that was killed long ago');
      await utimes(abandoned, 0, 0);
    },
    start: (plan) => startPublisher(directory, plan),
    async differences({ point, round }) {
      const found: string[] = [];
      const after = await answersOf(createEmbeddedIndex({ directory }));
      const isDone = AFTER_THE_RENAME.includes(point);
      const expected = point === BY_CLOCK ? [held, ...clean] : [isDone ? clean[round % 2] : held];
      if (!expected.includes(after)) found.push(`what is held is not the ${isDone ? 'new' : 'old'} state`);
      held = after;
      return [...found, ...(await goOn(directory, path.join(scratch, 'copy'), clean))];
    },
  };
}

function startPublisher(directory: string, { point, round }: KillPlan): ReturnType<typeof spawnModuleProcess> {
  const isByClock = point === BY_CLOCK;
  const times = point === 'part' ? 1 + round * PARTS_BETWEEN : 1 + (point === 'collect' ? round % 2 : 0);
  const given = [directory, NAME, STATES, point, times, round, isByClock ? 1_000_000 : 1];
  const child = spawnModuleProcess(CHILD.replace('ARGUMENTS', JSON.stringify(given)), path.join(import.meta.dirname, '..', 'embedded'));
  const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), Math.random() * MOST_DELAY_MILLISECONDS);
  if (isByClock) child.stdout?.once('data', kill);
  else child.stdout?.resume();
  return child;
}

/** Publishes over a copy of what a kill left. */
async function goOn(directory: string, copy: string, clean: string[]): Promise<string[]> {
  const found: string[] = [];
  await rm(copy, { recursive: true, force: true });
  await cp(directory, copy, { recursive: true, preserveTimestamps: true });
  const index = createEmbeddedIndex({ directory: copy, keep: { generations: 1, bytes: 2 ** 30 } });
  for (const [number, answers] of clean.entries()) {
    await index.publish(NAME, sampleChunks(stateOf(number)), { embedding: 'e' });
    if ((await answersOf(index)) !== answers) found.push(`state ${number}, published again, is not that of a clean build`);
  }
  const left = (await readdir(copy)).filter((name) => !/^[0-9a-f-]{36}\.aside$/.test(name));
  return left.length === 1 ? found : [...found, `left behind: ${left.join(', ')}`];
}

async function cleanAnswers(directory: string, number: number): Promise<string> {
  const index = createEmbeddedIndex({ directory });
  await index.publish(NAME, sampleChunks(stateOf(number)), { embedding: 'e' });
  return answersOf(index);
}

/** Everything that is answered to the queries, with all scores. @throws AppError `index-damaged` for a torn file. */
async function answersOf(index: ChunkIndex): Promise<string> {
  const search = await index.open(NAME);
  if (search === null) return 'nothing';
  const vector = sampleChunks(stateOf(0)).find((chunk) => chunk.vector !== null)?.vector ?? null;
  const answers = [];
  for (const tokens of QUERIES) answers.push(await search.search({ tokens, vector, limit: 1_000 }));
  await search.close();
  return JSON.stringify(answers);
}

function stateOf(number: number): (typeof STATES)[0] {
  const state = STATES[number];
  if (state === undefined) throw new RangeError(`There is no state ${number}.`);
  return state;
}
