// The mutation check: changes the sources of the verdict in small ways, one at a time, and sees whether a test fails.
//   node tools/mutation/main.mjs [--minutes 20] [--seed 1] [--only oracles/hang] [--most 500] [--json]
import { fork } from 'node:child_process';
import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { listMutants, sampleMutants } from './mutants.mjs';
import { relatedSpecs } from './related-specs.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const sources = path.join(root, 'libs', 'verdict', 'src');
/** What must be guarded: oracles, rules and statistics, nothing left out by hand. */
const FOLDERS = ['oracles', 'integrity', 'statistics'];
/** A mutant whose tests do not end is noticed as well. */
const LIMIT_SECONDS = 60;
const WORKERS = 2;
/** Least share of mutants that a test must notice. */
const LEAST_SCORE = 0.8;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});

function allMutants() {
  const files = globSync(`{${FOLDERS.join(',')}}/**/*.ts`, { cwd: sources }).filter(
    (file) => !file.endsWith('.spec.ts') && !file.includes('fixtures/') && file.includes(options.only),
  );
  return files.sort().flatMap((file) => listMutants(file, readFileSync(path.join(sources, file), 'utf8')));
}

/** One vitest in a process group of its own, so that a test without an end can be ended with all its children. */
function startWorker() {
  const child = fork(path.join(import.meta.dirname, 'worker.mjs'), [root], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return { child, next: () => new Promise((resolve) => child.once('message', resolve)) };
}

function stopWorker({ child }) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function runQueue(queue, deadline, tell) {
  let worker = startWorker();
  await worker.next();
  while (queue.length > 0 && Date.now() < deadline) {
    const mutant = queue.shift();
    worker.child.send(mutant);
    const answer = await Promise.race([
      worker.next(),
      new Promise((resolve) => setTimeout(resolve, LIMIT_SECONDS * 1_000, { killedBy: 'no end' })),
      new Promise((resolve) => worker.child.once('exit', () => resolve({ killedBy: 'the tests broke off' }))),
    ]);
    tell({ ...mutant, killedBy: answer.killedBy });
    if (answer.killedBy === 'no end' || worker.child.exitCode !== null) {
      stopWorker(worker);
      worker = startWorker();
      await worker.next();
    }
    worker.child.removeAllListeners('exit');
  }
  stopWorker(worker);
}

/** Wilson interval for a share, 95 % (Wilson 1927). */
function wilson(hits, total) {
  const z = 1.959964;
  const middle = (hits + (z * z) / 2) / (total + z * z);
  const half = (z * Math.sqrt((hits * (total - hits)) / total + (z * z) / 4)) / (total + z * z);
  return [middle - half, middle + half];
}

function report(results, all) {
  const survivors = results.filter(({ killedBy }) => killedBy === null);
  const killed = results.length - survivors.length;
  const [low, high] = wilson(killed, Math.max(1, results.length));
  const score = killed / Math.max(1, results.length);
  if (options.json)
    console.log(JSON.stringify({ seed: Number(options.seed), all, tried: results.length, killed, score, low, high, survivors }));
  else {
    for (const [file, own] of Map.groupBy(results, ({ file }) => file)) {
      const noticed = own.filter(({ killedBy }) => killedBy !== null).length;
      console.log(`${file.padEnd(48)} ${String(noticed).padStart(4)} of ${String(own.length).padStart(4)}`);
    }
    for (const { file, line, before, after } of survivors.sort((a, b) => (a.file < b.file ? -1 : 1)))
      console.log(`survived  ${file}:${line}  ${before} → ${after}`);
    const percent = (share) => (share * 100).toFixed(1);
    console.log(
      `\n${killed} of ${results.length} mutants noticed (${percent(score)} %, 95 % interval ${percent(low)}–${percent(high)} %), drawn from ${all} with seed ${options.seed}`,
    );
    console.log(score >= LEAST_SCORE ? 'holds' : `falls short: at least ${LEAST_SCORE * 100} % are asked for`);
  }
  return results.length > 0 && score >= LEAST_SCORE ? 0 : 1;
}

/** Without any change no spec may fail: else every mutant would seem to be noticed. */
async function failingSpec(specs) {
  const halves = Array.from({ length: WORKERS }, (_unused, index) => specs.filter((_spec, at) => at % WORKERS === index));
  const answers = await Promise.all(
    halves.map(async (own) => {
      const worker = startWorker();
      await worker.next();
      worker.child.send({ path: '', specs: own });
      const { killedBy } = await worker.next();
      stopWorker(worker);
      return killedBy;
    }),
  );
  return answers.find((answer) => answer !== null) ?? null;
}

async function main() {
  const mutants = allMutants();
  const specsOf = relatedSpecs(sources);
  const queue = sampleMutants(mutants, Number(options.most), Number(options.seed)).map((mutant) => {
    const file = path.join(sources, mutant.file);
    return { ...mutant, path: file, specs: specsOf(file) };
  });
  const failing = await failingSpec([...new Set(queue.flatMap(({ specs }) => specs))]);
  if (failing !== null) {
    console.error(`✖ ${path.relative(root, failing)} fails without any change; mend it first.`);
    return 2;
  }
  const results = [];
  const began = Date.now();
  const tell = (result) => {
    results.push(result);
    if (result.killedBy === null) process.stderr.write(`\rsurvived  ${result.file}:${result.line}  ${result.before} → ${result.after}\n`);
    const minutes = ((Date.now() - began) / 60_000).toFixed(1);
    process.stderr.write(
      `\r${results.length} mutants in ${minutes} min, ${results.filter(({ killedBy }) => killedBy === null).length} survived`,
    );
  };
  const deadline = began + Number(options.minutes) * 60_000;
  await Promise.all(Array.from({ length: WORKERS }, () => runQueue(queue, deadline, tell)));
  process.stderr.write('\n');
  return report(results, mutants.length);
}

process.exit(await main());
