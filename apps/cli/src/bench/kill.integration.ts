import { describe, expect, it } from 'vitest';
import { findInterpreter } from '@reenact/environment';
import { loadConfiguration } from '../config.js';
import { ensureWorkflowBundle } from '../testing/run-cli.js';
import { renderKillBench, runKillBench } from './run-kill-bench.js';

const POINTS = 6;

describe('kill test', () => {
  it(`loses nothing and says nothing twice over ${POINTS} kills of command, worker and server`, async () => {
    await ensureWorkflowBundle();
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
