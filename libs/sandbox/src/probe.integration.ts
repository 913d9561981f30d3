import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EvidenceRecord } from '@reenact/domain/schemas';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const run = promisify(execFile);
const probeDirectory = join(dirname(fileURLToPath(import.meta.url)), '..', 'probe');

/** Two processes, a warning, a caught and an uncaught exception, and coverage: every kind of record that the probe has. */
const program = `
import os, traceback, warnings
def fit(rows):
    warnings.warn("few rows")
    raise ValueError("bad rows \\udcff")
if os.fork() == 0:
    os._exit(3)
os.wait()
try:
    fit(1)
except ValueError:
    traceback.print_exc()
fit(2)
`;

async function recordsOf(): Promise<unknown[]> {
  const root = await mkdtemp(join(tmpdir(), 'probe-'));
  try {
    await writeFile(join(root, 'train.py'), program);
    const env = { PATH: process.env['PATH'], PYTHONPATH: probeDirectory, PYTHONDONTWRITEBYTECODE: '1' };
    const trial = { PROJECT_DIR: root, REENACT_PROBE_DIR: root, REENACT_COVERAGE: '1' };
    await run('python3', ['train.py'], { cwd: root, env: { ...env, ...trial } }).catch(() => undefined);
    const names = (await readdir(root)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8')));
    return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as unknown);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe('probe', () => {
  it('writes records that fit the evidence schema once the supervisor has numbered them', async () => {
    const records = await recordsOf();
    const parsed = records.map((record, seq) => EvidenceRecord.parse({ ...(record as object), seq, source: 'probe' }));
    const kinds = new Set(parsed.map((record) => record.kind));
    expect([...kinds].sort()).toEqual(['coverage', 'exception', 'modules', 'notice', 'process', 'warning']);
    const covered = parsed.flatMap((record) => (record.kind === 'coverage' ? record.files : []));
    expect(covered.flatMap((file) => file.functions ?? [])).toContain('fit');
  });

  it('passes its own tests under the oldest and the newest interpreter found', async () => {
    const { stdout } = await run('python3', [join(probeDirectory, 'tests', 'run_all.py'), '--most', '2']);
    expect(stdout).toMatch(/^\d+ interpreters, 0 failed$/m);
  }, 900_000);
});
