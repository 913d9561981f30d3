// The mutation check: changes the sources of the verdict in small ways, one at a time, and sees whether a test fails.
//   node tools/mutation/main.mjs [--minutes 20] [--seed 1] [--folders oracles,integrity,statistics] [--only oracles/hang] [--most 500] [--json]
import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { listMutants, sampleMutants } from './mutants.mjs';
import { importersOf, relatedSpecs } from './related-specs.mjs';
import { createSpecRunner } from './spec-runner.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const sources = path.join(root, 'libs', 'verdict', 'src');
/** What must be guarded: oracles, rules and statistics, nothing left out by hand. */
const FOLDERS = 'oracles,integrity,statistics';
/** A spec that takes much longer than without the mutant does not end: the mutant is noticed as well. A limit for each spec. */
const LEAST_LIMIT_SECONDS = 60;
const LIMIT_TIMES = 15;
const FIRST_LIMIT_SECONDS = 600;
const WORKERS = 2;
/** Least share of mutants that a test must notice. */
const LEAST_SCORE = 0.8;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '100000' },
    folders: { type: 'string', default: FOLDERS },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});

function allMutants(files) {
  const folders = options.folders.split(',');
  return files
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)) && file.includes(options.only))
    .filter((file) => !file.endsWith('.spec.ts') && !file.endsWith('.integration.ts') && !file.includes('fixtures/'))
    .flatMap((file) => listMutants(file, readFileSync(path.join(sources, file), 'utf8')));
}

/** @returns {Promise<string | null>} the spec that notices the mutant */
async function killerOf(mutant, runner, timesOf) {
  for (const spec of mutant.specs) {
    const limitSeconds = Math.max(LEAST_LIMIT_SECONDS, (LIMIT_TIMES * timesOf.get(spec)) / 1_000);
    const { failed } = await runner.run(spec, mutant, limitSeconds);
    if (failed) return spec;
  }
  return null;
}

async function runQueue(queue, { deadline, timesOf, tell }) {
  const runner = createSpecRunner({ root, sources, mode: 'mutants' });
  while (queue.length > 0 && Date.now() < deadline) {
    const mutant = queue.shift();
    tell({ ...mutant, killedBy: await killerOf(mutant, runner, timesOf) });
  }
  runner.stop();
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

/** What every spec runs. Without any change none may fail: else every mutant would seem to be noticed. */
async function measureReach(specs) {
  const queue = [...specs];
  const reaches = [];
  const runners = Array.from({ length: WORKERS }, () => createSpecRunner({ root, sources, mode: 'marks' }));
  await Promise.all(
    runners.map(async (runner) => {
      while (queue.length > 0) {
        const spec = queue.shift();
        reaches.push({ spec, ...(await runner.run(spec, null, FIRST_LIMIT_SECONDS)) });
      }
      runner.stop();
    }),
  );
  return reaches;
}

async function main() {
  const files = globSync('**/*.ts', { cwd: sources }).sort();
  const specs = files.filter((file) => file.endsWith('.spec.ts')).map((file) => path.join(sources, file));
  const mutants = allMutants(files);
  const reaches = await measureReach(specs);
  const failing = reaches.find(({ failed }) => failed);
  if (failing) {
    console.error(`✖ ${path.relative(root, failing.spec)} fails without any change; mend it first.`);
    return 2;
  }
  const specsOf = relatedSpecs(reaches, importersOf(new Map(files.map((file) => [file, readFileSync(path.join(sources, file), 'utf8')]))));
  const queue = sampleMutants(mutants, Number(options.most), Number(options.seed)).map((mutant) => ({
    ...mutant,
    path: path.join(sources, mutant.file),
    specs: specsOf(mutant),
  }));
  const results = [];
  const began = Date.now();
  const tell = (result) => {
    results.push(result);
    if (result.killedBy === null) process.stderr.write(`\rsurvived  ${result.file}:${result.line}  ${result.before} → ${result.after}\n`);
    const minutes = ((Date.now() - began) / 60_000).toFixed(1);
    const survived = results.filter(({ killedBy }) => killedBy === null).length;
    process.stderr.write(`\r${results.length} of ${queue.length + results.length} mutants in ${minutes} min, ${survived} survived`);
  };
  const timesOf = new Map(reaches.map(({ spec, milliseconds }) => [spec, milliseconds]));
  const deadline = began + Number(options.minutes) * 60_000;
  await Promise.all(Array.from({ length: WORKERS }, () => runQueue(queue, { deadline, timesOf, tell })));
  process.stderr.write('\n');
  return report(results, mutants.length);
}

process.exit(await main());
