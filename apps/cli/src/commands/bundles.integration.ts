import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bisection } from '@reenact/domain/schemas';
import { findInterpreter } from '@reenact/environment';
import { loadConfiguration } from '../config.js';
import { ensureWorkflowBundle, runCli } from '../testing/run-cli.js';

const COMMITS = 64;
const FIRST_BAD = 37;

const REPORT = `# Counting the batches dies with ZeroDivisionError

Traceback (most recent call last):
  File "train.py", line 3, in <module>
    print("batches", count(12, 0))
  File "batches.py", line 6, in count
    return items // size
ZeroDivisionError: integer division or modulo by zero

To reproduce: \`python train.py\`
`;

/** Most of it has nothing to do with the fault. */
const LONG_SCRIPT = `import math
from batches import count


def unused(values):
    return [math.sqrt(value) for value in values]


data = list(range(100))
for index in range(20):
    data[index] += 1
print("sizes", len(data), unused(data)[:2])
if len(data) > 3:
    print("batches", count(len(data), 4))
print("last", count(len(data), 0))
`;

let root: string;
let runId: string;
let python: string;

beforeAll(async () => {
  await ensureWorkflowBundle();
  root = await mkdtemp(path.join(tmpdir(), 'reenact-bisect-'));
  python = (await findInterpreter('python3', loadConfiguration().searchPath)) ?? 'python3';
  await writeFile(path.join(root, 'report.md'), REPORT);
  await seedRepository(path.join(root, 'project'));
});

afterAll(async () => {
  await runCli(root, ['down']);
  await rm(root, { recursive: true, force: true });
});

/** A history in which one commit takes out a guard; the code that uses it never changes. */
async function seedRepository(directory: string): Promise<void> {
  await mkdir(directory);
  const git = (...argv: string[]) => execa('git', ['-C', directory, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...argv]);
  await git('init', '--quiet', '-b', 'main');
  await writeFile(path.join(directory, 'train.py'), 'from batches import count\n\nprint("batches", count(12, 0))\n');
  for (let index = 0; index < COMMITS; index += 1) {
    const guard = index < FIRST_BAD ? '    if size == 0:\n        return 0\n' : '';
    await writeFile(
      path.join(directory, 'batches.py'),
      `REVISION = ${index}\n\n\ndef count(items, size):\n${guard}    return items // size\n`,
    );
    await git('add', '--all');
    await git('commit', '--quiet', '--message', `change ${index}`);
    if (index === 0) await git('tag', 'first');
  }
}

describe('minimise', () => {
  it('cuts a script down to what the fault needs, verifies it, and ships what was tested', async () => {
    await writeFile(path.join(root, 'repro.py'), LONG_SCRIPT);
    const options = ['--python', python, '--unsandboxed', '--json'];
    const given = ['--script', 'repro.py', '--report', 'report.md', '--subject', path.join(root, 'project')];
    const judged = await runCli(root, ['judge', ...given, ...options]);
    const made = await runCli(root, ['minimise', (JSON.parse(judged.stdout) as { runId: string }).runId, ...options]);
    const small = JSON.parse(made.stdout) as { runId: string; verdict: string };
    expect(small.verdict).toBe('reproduced_uncontrolled');
    await runCli(root, ['open', small.runId, '--to', 'opened']);
    const text = await readFile(path.join(root, 'opened', 'script', 'repro.py'), 'utf8');
    expect(text).toContain('count(len(data), 0)');
    expect(text.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(5);
  });
});

describe('bisect', () => {
  it('finds the exact commit of a seeded history, with the bundle of a run', async () => {
    const project = path.join(root, 'project');
    const shared = ['--python', python, '--unsandboxed', '--json'];
    const run = await runCli(root, ['run', '--report', 'report.md', '--subject', project, '--no-model', ...shared]);
    const judged = JSON.parse(run.stdout) as { runId: string; verdict: string };
    runId = judged.runId;
    expect(judged.verdict).toBe('reproduced_uncontrolled');
    const axis = ['--axis', 'git', '--subject', project, '--good', 'first', '--bad', 'main'];
    const found = await runCli(root, ['bisect', runId, ...axis, ...shared]);
    const bisection = Bisection.parse(JSON.parse(found.stdout));
    expect(found.exitCode).toBe(0);
    expect(bisection).toMatchObject({ status: 'found', points: COMMITS, contradictions: [] });
    expect(bisection.culprit?.candidates.map((point) => point.label)).toEqual([expect.stringMatching(/^[0-9a-f]{12} change 37$/)]);
    const shown = await runCli(root, ['show', bisection.runId, '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'found' });
  });

  it('refuses ends that do not fit, before any trial', async () => {
    const done = await runCli(root, [
      'bisect',
      runId,
      '--axis',
      'git',
      '--subject',
      path.join(root, 'project'),
      '--good',
      'main',
      '--bad',
      'first',
    ]);
    expect(done.exitCode).toBe(2);
    expect(done.stderr).toContain('is no ancestor of');
  });
});
