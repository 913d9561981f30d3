export { makeFolderOnce } from './make-folder-once.js';
export { MemoryArtifactStore } from './memory-artifact-store.js';
export { MemoryRunStore } from './memory-run-store.js';
export { BY_CLOCK, isKilled, sweepKills } from './kill-sweep.js';
export type { KillCount, KillPlan, KillSubject } from './kill-sweep.js';
export { spawnModuleProcess } from './module-process.js';
