export { createContextSource } from './context-source.js';
export type { ContextSourceOptions } from './context-source.js';
