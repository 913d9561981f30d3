export { FolderArtifactStore } from './folder-artifact-store.js';
export { reachableFrom } from './reachable.js';
export type { GarbageOptions, GarbageResult } from './garbage.js';
export { isInnerLink, isInnerPath, treeHashOf } from './tree-manifest.js';
export type { TreeEntry } from './tree-manifest.js';
export { SqliteRunStore } from './sqlite-run-store.js';
export { openRunFolder, runFolderPath } from './run-folder.js';
export type { RunFolder } from './run-folder.js';
export { writeFileAside } from './write-aside.js';
