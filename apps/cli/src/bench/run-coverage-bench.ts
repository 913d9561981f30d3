import { COVERAGE_DESIGNS, COVERAGE_RATES, coverageEnds, exactCoverage, simulateCoverage } from '@reenact/verdict/testing';
import type { SimulatedCoverage } from '@reenact/verdict/testing';
import { alignColumns } from './align-columns.js';

export interface CoverageBenchOptions {
  /** Simulated verdicts of each row. */
  verdicts: number;
  /** The same seed gives the same figures. */
  seed: number;
  onRow: (row: CoverageRow) => void;
}

/** One way of reporting a flaky fault, at one true rate. */
export interface CoverageRow extends SimulatedCoverage {
  design: string;
  rate: number;
  /** Share of verdicts whose interval holds the rate: simulated, and by the exact count of all series. */
  share: number;
  exactShare: number;
  holds: boolean;
}

export interface CoverageBenchResult {
  schemaVersion: 1;
  seed: number;
  rows: CoverageRow[];
  holds: boolean;
  seconds: number;
}

/** The published interval is a 95 % one (verdict.md section 6). */
const LEAST_SHARE = 0.95;
/** Verdicts that a row has to rest on (issue: at least 300). */
const LEAST_VERDICTS = 300;

/** How often the published interval holds the true rate of a flaky fault, by the real planner and judge over simulated trials. */
export function runCoverageBench({ verdicts, seed, onRow }: CoverageBenchOptions): CoverageBenchResult {
  const begun = performance.now();
  const rows = COVERAGE_DESIGNS.flatMap((design) => {
    const ends = coverageEnds(design);
    return COVERAGE_RATES.map((rate) => {
      const row = weighCoverage(design.name, rate, {
        ...simulateCoverage(design, rate, { verdicts, seed }),
        exact: exactCoverage(ends, rate),
      });
      onRow(row);
      return row;
    });
  });
  return {
    schemaVersion: 1,
    seed,
    rows,
    holds: rows.every((row) => row.holds),
    seconds: Math.round((performance.now() - begun) / 100) / 10,
  };
}

/** Whether enough verdicts, simulated and in all that can be, cover the rate. */
export function weighCoverage(design: string, rate: number, { exact, ...counts }: SimulatedCoverage & { exact: number }): CoverageRow {
  const share = counts.covered / counts.verdicts;
  const holds = counts.verdicts >= LEAST_VERDICTS && share >= LEAST_SHARE && exact >= LEAST_SHARE;
  return { ...counts, design, rate, share, exactShare: exact, holds };
}

/** One line a design and rate. */
export function renderCoverage(result: CoverageBenchResult): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const header = ['design', 'rate', 'verdicts', 'covered', 'share', 'exact', 'trials each', 'reproduced', 'covered of these', ''];
  const rows = result.rows.map((row) => [
    row.design,
    String(row.rate),
    String(row.verdicts),
    String(row.covered),
    percent(row.share),
    percent(row.exactShare),
    (row.candidateTrials / row.verdicts).toFixed(1),
    String(row.reproduced),
    row.reproduced === 0 ? '' : percent(row.reproducedCovered / row.reproduced),
    row.holds ? 'holds' : 'falls short',
  ]);
  return [
    ...alignColumns([header, ...rows]),
    '',
    `seed ${result.seed}; at least ${percent(LEAST_SHARE)} of at least ${LEAST_VERDICTS} verdicts a row must cover the rate: ${result.holds ? 'holds' : 'falls short'}`,
  ].join('\n');
}
