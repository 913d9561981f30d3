import { homedir } from 'node:os';
import path from 'node:path';

/** Which cluster tests use, as the environment of the test run tells. */
export interface ClusterConfiguration {
  /** Folder of a cluster that runs or is to be kept; null = one is started and ended. */
  directory: string | null;
  cacheDirectory: string;
  searchPath: string;
  /** All variables, for the programs that tests start. */
  environment: Record<string, string | undefined>;
  /** Whether a lacking prerequisite fails the run: in CI nothing is left out. */
  mustRun: boolean;
}

/** Reads `REENACT_CLUSTER`, `REENACT_TESTBED_CACHE`, `PATH` and `CI`. */
export function readClusterConfiguration(): ClusterConfiguration {
  const { REENACT_CLUSTER, REENACT_TESTBED_CACHE, PATH, CI } = process.env;
  return {
    directory: REENACT_CLUSTER ? path.resolve(REENACT_CLUSTER) : null,
    cacheDirectory: path.resolve(REENACT_TESTBED_CACHE ? REENACT_TESTBED_CACHE : path.join(homedir(), '.cache', 'reenact-testbeds')),
    searchPath: PATH ?? '',
    environment: process.env,
    mustRun: Boolean(CI),
  };
}
