// The two tiers that run the product as a user does: the README's first example, and the verdict bench on our own cases.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const FIRST_EXAMPLE = 'examples/numpy-removed-alias';

function reenact(root, argv) {
  const done = spawnSync(path.join(root, 'reenact'), argv, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1024 * 1024 });
  try {
    return { status: done.status, value: JSON.parse(done.stdout) };
  } catch {
    return { status: done.status, value: null };
  }
}

/** The first example must come out `reproduced`, with its control absent. */
export function checkFirstExample(root) {
  const { status, value } = reenact(root, ['run', FIRST_EXAMPLE, '--no-model', '--force', '--json']);
  const controlled = value?.controls?.some((control) => control.state === 'absent') === true;
  if (status === 0 && value?.verdict === 'reproduced' && controlled) return { passed: 1, failed: 0 };
  return { passed: 0, failed: 1, note: `${FIRST_EXAMPLE}: ${value?.verdict ?? `no verdict, exit status ${status}`}` };
}

/** Every judged item of our own cases is one check; an undecided one is no pass. */
export function checkOwnCases(root) {
  const { value } = reenact(root, ['bench', 'verdict', '--cases', 'bench/cases', '--with', 'numpy', '--json']);
  if (value === null) return { passed: 0, failed: 1, note: 'the verdict bench gave no table' };
  const inColumn = value.items.filter((item) => item.column === 'case');
  const wrong = inColumn.filter((item) => !item.ok);
  const wrongReports = value.items.filter((item) => item.column === 'report' && !item.ok && !item.undecided);
  for (const item of [...wrong, ...wrongReports]) console.log(`  ${item.case} ${item.script} (${item.project}, ${item.column}): ${item.verdict}, expected ${item.expected}`);
  const failed = wrong.length + wrongReports.length;
  return { passed: inColumn.length - wrong.length, failed: inColumn.length === 0 ? 1 : failed };
}
