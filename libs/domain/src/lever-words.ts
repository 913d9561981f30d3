import type { Lever, LeverResult } from './schemas/index.js';

/** The lever in words that follow "with": `PYTHONHASHSEED=3`, `1 thread`, `2 busy processes per processor`. */
export function leverWords({ kind, value }: Lever): string {
  if (kind === 'hash-seed') return `PYTHONHASHSEED=${value}`;
  const [one, many] = kind === 'threads' ? ['thread', 'threads'] : ['busy process per processor', 'busy processes per processor'];
  return `${value} ${value === 1 ? one : many}`;
}

/** What a lever does: `with PYTHONHASHSEED=3 in 5 of 5, with PYTHONHASHSEED=1 in 0 of 5`. */
export function leverResultWords({ lever, under, against, otherSeed }: LeverResult): string {
  const other = otherSeed === null ? 'without it' : `with ${leverWords({ kind: 'hash-seed', value: otherSeed })}`;
  return `with ${leverWords(lever)} in ${under.shown} of ${under.total}, ${other} in ${against.shown} of ${against.total}`;
}
