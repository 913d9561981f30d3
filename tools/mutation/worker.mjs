// Runs the specs of one mutant after the other in one vitest: the mutated text is handed to the module loader, no file is changed.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createVitest } from 'vitest/node';
import { applyMutant } from './mutants.mjs';

const root = process.argv[2];
let current = null;

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
    reporters: [{}],
    maxWorkers: 1,
  },
  {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id) =>
          current !== null && id.split('?')[0] === current.path ? applyMutant(readFileSync(current.path, 'utf8'), current) : null,
      },
    ],
  },
);
const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId, one]));

/** Whether a spec fails; each spec by itself, the nearest first, until one does. */
async function isKilled(mutant) {
  // The file of the mutant before must be read anew as well.
  if (current !== null) vitest.invalidateFile(current.path);
  current = mutant;
  for (const spec of mutant.specs) {
    const specification = specifications.get(spec);
    if (specification === undefined) continue;
    vitest.invalidateFile(mutant.path);
    vitest.state.clearErrors();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
    // The answer holds every module that ran so far; of those only this spec has run on this mutant.
    const own = testModules.find(({ moduleId }) => moduleId === spec);
    if (unhandledErrors.length > 0 || own === undefined || !own.ok()) return spec;
  }
  return null;
}

process.on('message', (mutant) => {
  void isKilled(mutant).then((killedBy) => process.send({ killedBy }));
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: specifications.size > 0 });
