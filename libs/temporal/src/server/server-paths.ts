import { join } from 'node:path';

/** Every place that the embedded server uses; all lie under the state directory. */
export interface ServerPaths {
  directory: string;
  stateFile: string;
  lockFile: string;
  logFile: string;
  databaseFile: string;
  /** Where the pinned package is installed, one folder a version. */
  toolsDirectory: string;
}

/** @param stateDirectory absolute path of the project's state directory (`.reenact`). */
export function serverPaths(stateDirectory: string): ServerPaths {
  const directory = join(stateDirectory, 'temporal');
  return {
    directory,
    stateFile: join(directory, 'server.json'),
    lockFile: join(directory, 'server.lock'),
    logFile: join(directory, 'server.log'),
    databaseFile: join(directory, 'temporal.db'),
    toolsDirectory: join(stateDirectory, 'tools'),
  };
}
