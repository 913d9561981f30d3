// One cluster for all tests of the vitest project `kubernetes`: that of REENACT_CLUSTER where it runs already, which stays, or one
// that is started before the first test and ended after the last. Tests find it by REENACT_CLUSTER.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { missingPrerequisite, runCluster } from './cluster-commands.mjs';

let started = null;

/** Called by vitest before the tests. Where there can be no cluster, the tests say so themselves, or fail in CI. */
export function setup() {
  const given = process.env.REENACT_CLUSTER;
  if (given && existsSync(path.join(given, 'kubeconfig'))) return;
  if (missingPrerequisite() !== null) return;
  started = given ? path.resolve(given) : mkdtempSync(path.join(tmpdir(), 'rk-'));
  process.env.REENACT_CLUSTER = started;
  try {
    runCluster(started, 'up');
  } catch (cause) {
    teardown();
    throw new Error('the test cluster did not start; what it said stands above', { cause });
  }
}

/** Called by vitest after the tests. */
export function teardown() {
  if (started === null) return;
  runCluster(started, 'down');
  rmSync(started, { recursive: true, force: true });
}
