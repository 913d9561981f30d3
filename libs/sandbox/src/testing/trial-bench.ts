import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EvidenceOf, EvidenceRecord, Sandbox, SandboxOutcome, TrialRequest } from '@reenact/domain';
import { Launch } from '@reenact/domain/schemas';
import { readEvidence } from '../evidence-reader.js';

/** A trial as tests write it: files by relative path, the rest has defaults. */
export interface BenchTrial {
  /** Files of `script/`; `main.py` is what runs when `steps` is left out. */
  script?: Record<string, string>;
  subject?: Record<string, string>;
  steps?: { argv: string[]; ranks?: number; continueOnError?: boolean }[];
  limits?: Partial<Launch['limits']>;
  env?: Record<string, string>;
  silentSeconds?: number;
  coverage?: string[];
  probe?: TrialRequest['probe'];
  watchFiles?: string[];
  allowUnsandboxed?: boolean;
  /** Default: one of its own. */
  executionId?: string;
  signal?: AbortSignal;
}

export interface BenchResult {
  outcome: SandboxOutcome;
  records: EvidenceRecord[];
  request: TrialRequest;
  of<K extends EvidenceRecord['kind']>(kind: K): EvidenceOf<K>[];
  /** All lines of standard output, in the order of the stream. */
  stdout(): string[];
}

let count = 0;

/** Writes the trial's files into a fresh folder, executes it and reads its evidence. */
export async function runBenchTrial(sandbox: Sandbox, interpreter: string, trial: BenchTrial): Promise<BenchResult> {
  const base = await mkdtemp(join(tmpdir(), 'reenact-bench-'));
  const request: TrialRequest = {
    executionId: trial.executionId ?? `bench-${process.pid}-${count++}`,
    origin: { workflowId: 'bench', runToken: `bench-${process.pid}`, arm: 'candidate' },
    scriptDirectory: await writeFiles(join(base, 'script'), trial.script ?? {}),
    subjectDirectory: await writeFiles(join(base, 'subject'), trial.subject ?? { 'project.py': 'ANSWER = 42\n' }),
    importRoots: ['.'],
    interpreter,
    launch: Launch.parse({
      schemaVersion: 1,
      steps: trial.steps ?? [{ argv: ['python', '@script/main.py'] }],
      env: trial.env ?? {},
      limits: { wallSeconds: 60, ...trial.limits },
      silentSeconds: trial.silentSeconds ?? null,
      ...(trial.watchFiles === undefined ? {} : { watchFiles: trial.watchFiles }),
    }),
    outputDirectory: join(base, 'out'),
    coverage: trial.coverage ?? null,
    ...(trial.probe === undefined ? {} : { probe: trial.probe }),
    allowUnsandboxed: trial.allowUnsandboxed ?? false,
  };
  const outcome = await sandbox.execute(request, { signal: trial.signal ?? new AbortController().signal, onProgress: () => undefined });
  const records = outcome.outcome === 'finished' ? await readEvidence(outcome.evidencePath) : [];
  const of = <K extends EvidenceRecord['kind']>(kind: K): EvidenceOf<K>[] =>
    records.filter((record): record is EvidenceOf<K> => record.kind === kind);
  const stdout = (): string[] => of('stream').flatMap((record) => (record.channel === 'stdout' ? [record.line] : []));
  return { outcome, records, request, of, stdout };
}

/** Host processes whose environment or command line holds a text: what a trial left running. */
export async function processesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || name === String(process.pid)) continue;
    const parts = await Promise.all(['environ', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'latin1').catch(() => '')));
    if (parts.join('\0').includes(text)) found.push(name);
  }
  return found;
}

async function writeFiles(directory: string, files: Record<string, string>): Promise<string> {
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}
