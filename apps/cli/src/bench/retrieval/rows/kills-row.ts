import { sweepKills } from '@reenact/store/testing';
import type { KillCount } from '@reenact/store/testing';
import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import type { RowContext } from '../row-context.js';

/** Five at each write and rename, and so many at random times, for the index and for the engine. */
const KILLS = { killsPerPoint: 5, killsByClock: 16 };
const LEAST_KILLS = 100;

/** SIGKILLs spread over every write and rename of the index and of the engine, each followed by a look at what is left. */
export async function killsRow({ product, ground, report }: RowContext): Promise<BenchLine[]> {
  const counts: KillCount[] = [];
  for (const part of ['index', 'engine'] as const) {
    const subject = await product.kills[part](await ground.scratch());
    await sweepKills(subject, KILLS, (count) => {
      const named = { ...count, point: `${part}: ${count.point}` };
      report(`kills: ${named.point}: ${named.kills} killed, ${named.differing.length} differ`);
      for (const difference of named.differing) report(`kills: ${named.point}: ${difference}`);
      counts.push(named);
    });
  }
  return killLines(counts);
}

/** A line for each point, and one that weighs them together. */
export function killLines(counts: readonly KillCount[]): BenchLine[] {
  const told = counts.map(({ point, kills, differing }): BenchLine => ({
    row: 'kills',
    measure: point,
    value: `${kills} kills, ${differing.length} differ`,
    bar: '',
    mark: 'told',
    figures: { kills, differing: differing.length },
  }));
  const kills = counts.reduce((sum, count) => sum + count.kills, 0);
  const differing = counts.reduce((sum, count) => sum + count.differing.length, 0);
  const missed = counts.filter((count) => count.kills === 0).length;
  const line = {
    row: 'kills' as const,
    measure: 'SIGKILLs at every write and rename: what differs from a clean build',
    value: `${kills} kills at ${counts.length} points, ${differing} differ, ${missed} points missed`,
    bar: `≥ ${LEAST_KILLS} kills, 0 differ, 0 missed`,
    figures: { kills, points: counts.length, differing, missed },
  };
  return [...told, weighedLine(line, kills >= LEAST_KILLS && differing === 0 && missed === 0)];
}
