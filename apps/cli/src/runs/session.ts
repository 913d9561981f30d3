import { mkdirSync } from 'node:fs';
import type { ArtifactStore, Configuration, RunStore } from '@reenact/domain';
import { FolderArtifactStore, SqliteRunStore } from '@reenact/store';
import { statePaths } from '../state-paths.js';
import type { StatePaths } from '../state-paths.js';

/** The stores of a state directory, open for one command. */
export interface Session {
  configuration: Configuration;
  paths: StatePaths;
  runs: RunStore;
  artifacts: ArtifactStore;
  close(): void;
}

/**
 * Opens the stores of a state directory, and makes it when absent.
 * @param report gets one sentence when a database had to be set aside.
 */
export function openSession(configuration: Configuration, report: (message: string) => void): Session {
  const paths = statePaths(configuration.stateDirectory);
  mkdirSync(paths.scratch, { recursive: true });
  const runs = new SqliteRunStore(paths.runDatabase, report);
  return { configuration, paths, runs, artifacts: new FolderArtifactStore(paths.artifacts), close: () => runs.close() };
}
