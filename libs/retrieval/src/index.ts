export { createContextSource } from './context-source.js';
export type { ContextSourceOptions } from './context-source.js';
export { shortQuery } from './query.js';
export type { ShortQuery } from './query.js';
