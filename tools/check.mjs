// Every check that CI runs, one tier after the other: `./reenact test` (all) or `./reenact test unit lint` (some).
// Closes with the plain line "N passed, N failed"; a tier that could not run counts as failed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { checkDocuments, checkFirstExample, checkOwnCases } from './end-to-end.mjs';
import { buildInBackground, differences, machineState, missingPrerequisite, runCluster } from './test-beds/kubernetes/cluster-commands.mjs';

const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, '.reenact', 'test-results');

/** One command as one check. */
function command(title, argv) {
  return () => {
    const done = spawnSync(argv[0], argv.slice(1), { cwd: root, stdio: 'inherit', env: { ...process.env, NX_DAEMON: 'false' } });
    return done.status === 0
      ? { passed: 1, failed: 0 }
      : { passed: 0, failed: 1, note: `${title} ended with ${done.status ?? done.signal}` };
  };
}

/** One vitest project; its tests are counted one by one, and none at all is a failure. */
function vitest(project, variables = {}) {
  return () => {
    const report = path.join(results, `${project}.json`);
    rmSync(report, { force: true });
    const argv = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ];
    const done = spawnSync(process.execPath, argv, { cwd: root, stdio: 'inherit', env: { ...process.env, ...variables } });
    const counted = readReport(report);
    if (counted === null || counted.passed + counted.failed === 0) return { passed: 0, failed: 1, note: `${project}: no test ran` };
    if (done.status !== 0 && counted.failed === 0) return { ...counted, failed: 1, note: `${project}: vitest ended with ${done.status}` };
    return counted;
  };
}

function readReport(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map((test) => `${path.relative(root, name)} > ${test.fullName}: ${(test.failureMessages[0] ?? '').slice(0, 1500)}`),
    );
    // A skipped test is one that could not run: in CI that is a failure.
    return { passed: numPassedTests, failed: numFailedTests + (process.env.CI ? numPendingTests : 0), failures };
  } catch {
    return null;
  }
}

/**
 * Tests on a real cluster, and whether the machine is as it was when they are over. The cluster's folder is named after this checkout,
 * so that what a killed run left is ended by the next one.
 */
function kubernetes() {
  const lack = missingPrerequisite();
  if (lack !== null && !process.env.CI) return { passed: 0, failed: 0, note: `not run: ${lack}` };
  if (lack !== null) return { passed: 0, failed: 1, note: lack };
  const directory = path.join(tmpdir(), `rk-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
  const run = vitest('kubernetes', { REENACT_CLUSTER: directory });
  try {
    runCluster(directory, 'down');
    const before = machineState(directory);
    const outcome = run();
    runCluster(directory, 'down');
    const left = differences(before, machineState(directory));
    if (left.length === 0) return { ...outcome, passed: outcome.passed + 1 };
    const failure = `the test cluster left something of itself:\n${left.join('\n')}`;
    return { ...outcome, failed: outcome.failed + 1, failures: [...(outcome.failures ?? []), failure] };
  } catch (error) {
    return { passed: 0, failed: 1, note: `the test cluster: ${error.message}` };
  }
}

const node = process.execPath;
const tiers = {
  format: command('prettier', [node, 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
  graph: command('project graph', [node, 'node_modules/nx/dist/bin/nx.js', 'graph', '--file=.nx/graph.json']),
  lint: command('eslint', [node, 'node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0']),
  types: command('tsc', [node, 'node_modules/typescript/bin/tsc', '--build']),
  unit: vitest('unit'),
  integration: vitest('integration'),
  kubernetes,
  documents: () => checkDocuments(root),
  example: () => checkFirstExample(root),
  cases: () => checkOwnCases(root),
};

function main() {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !(name in tiers));
  if (unknown.length > 0) {
    console.error(`✖ No such tier: ${unknown.join(', ')}. There are: ${Object.keys(tiers).join(', ')}.  [usage]`);
    return 2;
  }
  mkdirSync(results, { recursive: true });
  const chosen = asked.length > 0 ? asked : Object.keys(tiers);
  // Minutes on a cold cache: they pass beside the tiers that come first.
  const needsCluster = chosen.includes('integration') || chosen.includes('kubernetes');
  if (needsCluster && missingPrerequisite() === null) buildInBackground();
  let passed = 0;
  let failed = 0;
  const lines = [];
  const failures = [];
  for (const name of chosen) {
    const begun = Date.now();
    console.log(`\n── ${name}`);
    const outcome = tiers[name]();
    passed += outcome.passed;
    failed += outcome.failed;
    failures.push(...(outcome.failures ?? []));
    lines.push(
      `${name.padEnd(12)} ${outcome.passed} passed, ${outcome.failed} failed, ${Math.round((Date.now() - begun) / 1000)} s${outcome.note ? ` (${outcome.note})` : ''}`,
    );
  }
  // Once more at the end, where a log that was cut still has them.
  if (failures.length > 0) console.log(`\n${failures.join('\n')}`);
  console.log(`\n${lines.join('\n')}`);
  if (passed + failed === 0) failed = 1;
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = main();
