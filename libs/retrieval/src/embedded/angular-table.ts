import { angularSimilarity } from '../formula.js';

/** Cells over cosines from −1 to 1: 64 kB, and bounds within 0.0001 except next to the ends. */
const CELLS = 8192;
const TABLE = Float64Array.from({ length: CELLS + 1 }, (_, cell) => angularSimilarity((2 * cell) / CELLS - 1));
/** Up to this cosine a straight line within a cell is right to 3e-8 (cell² · second derivative / 8). */
const STRAIGHT = 0.9;

/** A similarity that is at least that of the cosine. The arc cosine of every chunk would take most of a search's time. */
export function similarityAbove(cosine: number): number {
  return TABLE[Math.ceil(cellOf(cosine))] ?? 1;
}

/** A similarity that is at most that of the cosine. */
export function similarityBelow(cosine: number): number {
  return TABLE[Math.floor(cellOf(cosine))] ?? 0;
}

/** The similarity of a cosine within 3e-8. */
export function similarityNear(cosine: number): number {
  if (cosine < -STRAIGHT || cosine > STRAIGHT) return angularSimilarity(cosine);
  const place = cellOf(cosine);
  const cell = Math.floor(place);
  const low = TABLE[cell] ?? 0;
  return low + ((TABLE[cell + 1] ?? 1) - low) * (place - cell);
}

function cellOf(cosine: number): number {
  return (Math.min(1, Math.max(-1, cosine)) + 1) * (CELLS / 2);
}
