import { clopperPearson } from '@reenact/verdict';

/** Share of queries that found what they look for, with its exact 95 % interval. */
export interface HitRate {
  hits: number;
  total: number;
  share: number;
  low: number;
  high: number;
}

/** Counts the places (from 0; -1 = not found) below `depth`. */
export function hitRate(places: readonly number[], depth: number): HitRate {
  const hits = places.filter((place) => place >= 0 && place < depth).length;
  const { low, high } = clopperPearson(hits, places.length);
  return { hits, total: places.length, share: places.length === 0 ? 0 : hits / places.length, low, high };
}

/** Mean of 1 / place, places from 1; 0 for what was not found. */
export function meanReciprocalRank(places: readonly number[]): number {
  return places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0) / Math.max(1, places.length);
}

/** `0.621 (0.596 to 0.646; 932 of 1500)`. */
export function describeRate({ hits, total, share, low, high }: HitRate): string {
  return `${share.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}; ${hits} of ${total})`;
}

/** Queries that only one of two rankings answers: what a difference of their shares rests on. */
export function discordant(left: readonly number[], right: readonly number[], depth: number): { left: number; right: number } {
  const found = (place: number | undefined): boolean => place !== undefined && place >= 0 && place < depth;
  return {
    left: left.filter((place, query) => found(place) && !found(right[query])).length,
    right: left.filter((place, query) => !found(place) && found(right[query])).length,
  };
}
