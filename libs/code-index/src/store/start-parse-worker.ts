import { Worker } from 'node:worker_threads';

/** Runs a module of the sources as it is: `./x.js` stands for `./x.ts`, workspace packages for their sources; Node strips the types. */
const RUN_SOURCES = `const { registerHooks } = require('node:module');
const { workerData } = require('node:worker_threads');
registerHooks({ resolve(specifier, context, next) {
  const inSources = { ...context, conditions: [...context.conditions, '@reenact/source'] };
  try { return next(specifier, inSources); } catch (error) {
    if (!specifier.endsWith('.js')) throw error;
    return next(specifier.slice(0, -3) + '.ts', inSources);
  }
} });
import(workerData.entry);`;

/** Starts a thread that parses (`parse-worker.ts`): compiled beside compiled code, from its source where this module is a source. */
export function startParseWorker(): Worker {
  const entry = new URL(`./parse-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  // The flags of this process are its own affair; an inherited `--import` or `--eval` would run in every worker.
  const execArgv: string[] = [];
  if (entry.pathname.endsWith('.js')) return new Worker(entry, { execArgv });
  return new Worker(RUN_SOURCES, { eval: true, execArgv, workerData: { entry: entry.href } });
}
