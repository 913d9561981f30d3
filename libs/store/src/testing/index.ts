export { makeFolderOnce } from './make-folder-once.js';
export { MemoryArtifactStore } from './memory-artifact-store.js';
export { MemoryRunStore } from './memory-run-store.js';
export { spawnSourceProcess } from './source-process.js';
