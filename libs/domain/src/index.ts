/** Types only come from the schemas, so that no zod enters a workflow bundle. */
export type * from './schemas/index.js';
export * from './errors.js';
export * from './ids.js';
export * from './canonical-json.js';
export * from './sha256.js';
export type * from './ports.js';
export * from './exit-status.js';
export * from './result-words.js';
export type * from './activities.js';
export type * from './requests.js';
export type * from './bisection.js';
export type * from './minimise.js';
export * from './attempt-loop.js';
export * from './lever-words.js';
export * from './oracle-facts.js';
export * from './queues.js';
export * from './search-attributes.js';
