import path from 'node:path';

/** Places under the state directory that command line and worker share. */
export interface StatePaths {
  artifacts: string;
  runDatabase: string;
  workerState: string;
  workerLock: string;
  /** Touched by `down`: whoever follows a run then leaves off instead of starting everything again. */
  stopMark: string;
  logs: string;
  workerLog: string;
  /** Private copies while a snapshot is taken; emptied after use. */
  scratch: string;
  /** Code indexes, one database a repository; they can be removed at any time. */
  indexes: string;
  /** Images that were built, as one OCI layout. */
  images: string;
  /** What building images goes by: Debian roots, facts about interpreters, byte code. */
  imageCache: string;
  /** Environments that were built; each folder is one. */
  environments: string;
  /** Reports of unexpected errors. */
  crashes: string;
}

/** @param stateDirectory absolute path of the state directory (`.reenact`). */
export function statePaths(stateDirectory: string): StatePaths {
  const logs = path.join(stateDirectory, 'logs');
  return {
    artifacts: path.join(stateDirectory, 'artifacts'),
    runDatabase: path.join(stateDirectory, 'runs.sqlite'),
    workerState: path.join(stateDirectory, 'worker.json'),
    workerLock: path.join(stateDirectory, 'worker.lock'),
    stopMark: path.join(stateDirectory, 'stopped-by-user'),
    logs,
    workerLog: path.join(logs, 'worker.log'),
    scratch: path.join(stateDirectory, 'scratch'),
    indexes: path.join(stateDirectory, 'indexes'),
    images: path.join(stateDirectory, 'images'),
    imageCache: path.join(stateDirectory, 'image-cache'),
    environments: path.join(stateDirectory, 'environments'),
    crashes: path.join(logs, 'crashes'),
  };
}
