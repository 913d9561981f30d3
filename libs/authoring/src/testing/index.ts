export { plainClaim, plainReport } from './plain-report.js';
export { createMemoryStores } from './memory-stores.js';
export type { MemoryStores } from './memory-stores.js';
export { createScriptedModelClient } from './scripted-model-client.js';
export type { ScriptedAnswer, ScriptedModelClient } from './scripted-model-client.js';
