import { existsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { findInterpreter } from '@reenact/environment';
import { INSTALLATION, loadConfiguration } from '../config.js';
import { renderKillBench, runKillBench } from './run-kill-bench.js';

const POINTS = 6;

describe('kill test', () => {
  it(`loses nothing and says nothing twice over ${POINTS} kills of command, worker and server`, async () => {
    await buildWorkflowBundle();
    const configuration = loadConfiguration();
    const python = await findInterpreter('python3', configuration.searchPath);
    const result = await runKillBench(configuration, {
      points: POINTS,
      seed: 1,
      python: python ?? 'python3',
      allowUnsandboxed: true,
      onRow: () => undefined,
      report: () => undefined,
    });
    expect(result.holds, renderKillBench(result)).toBe(true);
    expect(result.rows.map((row) => row.target)).toEqual(['cli', 'worker', 'server', 'cli', 'worker', 'server']);
    expect(result.rows.filter((row) => row.phase === 'no target')).toEqual([]);
  }, 600_000);
});

/** The commands run from what was compiled; the start script makes the bundle, the type check alone does not. */
async function buildWorkflowBundle(): Promise<void> {
  const dist = path.join(INSTALLATION, 'apps', 'worker', 'dist');
  if (!existsSync(path.join(dist, 'workflow-bundle.js'))) await execa(process.execPath, [path.join(dist, 'bundle.js')]);
}
