import { homedir } from 'node:os';
import path from 'node:path';

/** Where the test node comes from, as the environment of the test run tells. */
export interface TestBedConfiguration {
  /** A node that is there already; null where one is started for the tests. */
  url: string | null;
  /** Folder that keeps what is dear to fetch. */
  cacheDirectory: string;
  /** Homes of Java that the environment names. */
  javaHomes: string[];
  searchPath: string;
  /** Whether a lacking prerequisite fails the run: in CI nothing is left out. */
  mustRun: boolean;
}

/** Reads `ES_URL`, `REENACT_TESTBED_CACHE`, `ES_JAVA_HOME`, `JAVA_HOME`, `PATH` and `CI`. */
export function readTestBedConfiguration(): TestBedConfiguration {
  const { ES_URL, REENACT_TESTBED_CACHE, ES_JAVA_HOME, JAVA_HOME, PATH, CI } = process.env;
  return {
    url: ES_URL ? ES_URL : null,
    cacheDirectory: path.resolve(REENACT_TESTBED_CACHE ? REENACT_TESTBED_CACHE : path.join(homedir(), '.cache', 'reenact-testbeds')),
    javaHomes: [ES_JAVA_HOME ?? '', JAVA_HOME ?? ''].filter((home) => home !== ''),
    searchPath: PATH ?? '',
    mustRun: Boolean(CI),
  };
}
