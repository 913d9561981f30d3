export { ensureEngine } from './engine/engine.js';
export type { Engine } from './engine/engine.js';
export { closeRuns, runToVerdict } from './runs/run-to-verdict.js';
export type { RunToVerdictOptions } from './runs/run-to-verdict.js';
export { openSession } from './runs/session.js';
export type { Session } from './runs/session.js';
