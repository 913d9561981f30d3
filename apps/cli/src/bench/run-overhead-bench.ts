import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { JudgeRequest, Verdict } from '@reenact/domain';
import { readCases } from './case-folder.js';
import type { CaseFolder } from './case-folder.js';
import { judgeRequest } from './judge-request.js';
import type { RequestPorts } from './judge-request.js';

const BARE_RUNS = 3;
/** What a trial may cost beside its script (the project's own bar; one second is the next one). */
const BAR_SECONDS = 1.5;

export interface OverheadRow {
  case: string;
  trials: number;
  /** Median wall seconds of the same script, run bare. */
  bareSeconds: number;
  /** From the start of the run to its verdict. */
  verdictSeconds: number;
  /** (verdict − trials × bare) ÷ trials. Below zero where trials ran side by side. */
  overheadPerTrialSeconds: number;
}

export interface OverheadResult {
  schemaVersion: 1;
  rows: OverheadRow[];
  medianPerTrialSeconds: number;
  barSeconds: number;
  holds: boolean;
}

/**
 * What the platform costs per trial: time from start to verdict minus the script's own time, beside bare runs of the same
 * scripts in the same run. The environment is warm: the first case is judged once before anything is counted.
 */
export async function runOverheadBench(
  options: { casesDirectory: string; python: string; most: number; allowUnsandboxed: boolean },
  ports: RequestPorts & { judge: (request: JudgeRequest) => Promise<Verdict>; onRow: (row: OverheadRow) => void },
): Promise<OverheadResult> {
  const folders = (await readCases(options.casesDirectory)).filter((folder) => folder.patch !== null).slice(0, options.most);
  const [first] = folders;
  if (first !== undefined) await judgeReference(first, options, ports);
  const rows: OverheadRow[] = [];
  for (const folder of folders) {
    const bareSeconds = await bareRun(folder, options.python);
    const verdict = await judgeReference(folder, options, ports);
    const row = {
      case: folder.id,
      trials: verdict.trials,
      bareSeconds: round(bareSeconds),
      verdictSeconds: round(verdict.seconds),
      overheadPerTrialSeconds: round((verdict.seconds - verdict.trials * bareSeconds) / Math.max(1, verdict.trials)),
    };
    rows.push(row);
    ports.onRow(row);
  }
  const medianPerTrialSeconds = median(rows.map((row) => row.overheadPerTrialSeconds));
  return { schemaVersion: 1, rows, medianPerTrialSeconds, barSeconds: BAR_SECONDS, holds: medianPerTrialSeconds <= BAR_SECONDS };
}

async function judgeReference(
  folder: CaseFolder,
  options: { python: string; allowUnsandboxed: boolean },
  ports: RequestPorts & { judge: (request: JudgeRequest) => Promise<Verdict> },
): Promise<Verdict> {
  const script = folder.scripts.find((one) => one.kind === 'reference');
  if (script === undefined) throw new Error(`${folder.id} has no reference script`);
  const request = await judgeRequest(
    { folder, script, project: 'buggy', column: 'case' },
    { directory: folder.projectDirectory, controlPython: null, ...options },
    ports,
  );
  return ports.judge(request);
}

async function bareRun(folder: CaseFolder, python: string): Promise<number> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'reenact-bare-'));
  try {
    const project = path.join(scratch, 'project');
    await cp(folder.projectDirectory, project, { recursive: true });
    const seconds: number[] = [];
    for (let run = 0; run < BARE_RUNS; run++) {
      const begun = performance.now();
      await execa(python, [path.join(folder.directory, 'reference_repro.py')], {
        cwd: project,
        env: { PROJECT_DIR: project },
        reject: false,
        stdin: 'ignore',
      });
      seconds.push((performance.now() - begun) / 1000);
    }
    return median(seconds);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return round(sorted[Math.floor((sorted.length - 1) / 2)] ?? 0);
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

/** The table for people. */
export function renderOverhead(result: OverheadResult): string {
  const lines = result.rows.map(
    (row) =>
      `${row.case.padEnd(24)} ${String(row.trials).padStart(6)} ${row.bareSeconds.toFixed(2).padStart(8)} ${row.verdictSeconds.toFixed(2).padStart(10)} ${row.overheadPerTrialSeconds.toFixed(2).padStart(12)}`,
  );
  const header = `${'case'.padEnd(24)} ${'trials'.padStart(6)} ${'bare s'.padStart(8)} ${'verdict s'.padStart(10)} ${'s per trial'.padStart(12)}`;
  const verdict = result.holds ? 'holds' : 'falls short';
  return [
    header,
    ...lines,
    '',
    `median platform cost per trial ${result.medianPerTrialSeconds.toFixed(2)} s, bar ${result.barSeconds} s: ${verdict}`,
  ].join('\n');
}
