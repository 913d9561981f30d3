// Runs one spec after the other in one vitest, each on a mutant: its text is handed to the module loader, no file is changed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createVitest } from 'vitest/node';
import { applyMutant } from './mutants.mjs';
import { withMarks } from './reach.mjs';

const [root, sources, mode] = process.argv.slice(2);
/** In the first pass no mutant is set: every source has marks instead, which tell what a spec runs. */
const isMarking = mode === 'marks';
const scratch = mkdtempSync(path.join(os.tmpdir(), 'reenact-mutation-'));
const reachFile = path.join(scratch, 'reached.json');
let current = null;

function textOf(id) {
  const file = id.split('?')[0];
  if (isMarking && file.startsWith(`${sources}/`) && file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    return withMarks(path.relative(sources, file), readFileSync(file, 'utf8'));
  return current !== null && file === current.path ? applyMutant(readFileSync(file, 'utf8'), current) : null;
}

const conditions = ['@reenact/source', 'node'];
// Without the configuration file: plugins given here do not reach the projects that it defines.
const vitest = await createVitest(
  'test',
  {
    root,
    config: false,
    // A transformed module that is kept on disk would outlive its mutant.
    fsModuleCache: false,
    watch: false,
    include: ['libs/verdict/src/**/*.spec.ts'],
    testTimeout: 30_000,
    // The first failure tells enough.
    bail: isMarking ? 0 : 1,
    reporters: [{}],
    maxWorkers: 1,
    ...(isMarking ? { setupFiles: [path.join(import.meta.dirname, 'reach-setup.mjs')], env: { MUTATION_REACH: reachFile } } : {}),
  },
  { resolve: { conditions }, ssr: { resolve: { conditions } }, plugins: [{ name: 'mutant', enforce: 'pre', load: textOf }] },
);
const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId, one]));

/** Whether the spec fails, in how many milliseconds, and in the first pass which functions it ran. */
async function runSpec(spec, mutant) {
  // The file of the mutant before must be read anew as well.
  for (const changed of [current, mutant]) if (changed) vitest.invalidateFile(changed.path);
  current = mutant;
  vitest.state.clearErrors();
  rmSync(reachFile, { force: true });
  const began = Date.now();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specifications.get(spec)]);
  // The answer holds every module that ran so far; of those only this spec has run on this mutant.
  const own = testModules.find(({ moduleId }) => moduleId === spec);
  const failed = unhandledErrors.length > 0 || own === undefined || !own.ok();
  return { failed, milliseconds: Date.now() - began, reached: isMarking && !failed ? JSON.parse(readFileSync(reachFile, 'utf8')) : [] };
}

process.on('message', ({ spec, mutant }) => {
  void runSpec(spec, mutant).then((answer) => process.send(answer));
});
process.on('disconnect', () => {
  rmSync(scratch, { recursive: true, force: true });
  process.exit(0);
});
process.send({ ready: specifications.size > 0 });
