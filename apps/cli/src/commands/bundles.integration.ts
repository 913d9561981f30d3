import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bisection } from '@reenact/domain/schemas';
import { findInterpreter } from '@reenact/environment';
import { seededReport, writeSeededHistory } from '../bench/seeded-history.js';
import { loadConfiguration } from '../config.js';
import { ensureWorkflowBundle, runCli } from '../testing/run-cli.js';

const COMMITS = 64;
const FIRST_BAD = 37;

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
  await writeFile(path.join(root, 'report.md'), seededReport(1));
  await writeSeededHistory(path.join(root, 'project'), { commits: COMMITS, firstBad: FIRST_BAD, rate: 1 });
});

afterAll(async () => {
  await runCli(root, ['down']);
  await rm(root, { recursive: true, force: true });
});

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
