import { normalDraw, seededDraws } from '@reenact/domain';

/** Vectors of a real encoder crowd together; independent directions would make any search look exact. */
const CLUSTERS = 200;
/** Weights of a vector's own direction and of its cluster's: two of one cluster have a cosine near 0.36. */
const OWN = 0.8;
const SHARED = 0.6;

/** Vectors of one length, one after another. */
export interface VectorSet {
  width: number;
  rows: Float32Array;
}

/** Unit vectors around seeded centres; the same seed gives the same ones. `stream` tells sets over the same centres apart. */
export function clusteredVectors(count: number, width: number, { seed, stream }: { seed: number; stream: number }): VectorSet {
  const centreNormal = normals(seed);
  const centres = Array.from({ length: CLUSTERS }, () => unit(Float32Array.from({ length: width }, centreNormal)));
  const draw = seededDraws(seed * 7919 + stream);
  const normal = normals(seed * 104_729 + stream);
  const rows = new Float32Array(count * width);
  for (let row = 0; row < count; row++) {
    const centre = centres[Math.floor(draw() * CLUSTERS)]!;
    const own = unit(Float32Array.from({ length: width }, normal));
    rows.set(unit(own.map((value, column) => OWN * value + SHARED * centre[column]!)), row * width);
  }
  return { width, rows };
}

/** One vector of a set, not copied. */
export function vectorAt({ rows, width }: VectorSet, row: number): Float32Array {
  return rows.subarray(row * width, (row + 1) * width);
}

/** Standard normal draws. */
function normals(seed: number): () => number {
  const draw = seededDraws(seed);
  return () => normalDraw(draw);
}

function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return vector.map((value) => value / length);
}
