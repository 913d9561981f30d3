import { createHash } from 'node:crypto';

/** Places of a vector that one word moves; of 384, few enough that two words seldom move the same. */
const PLACES_PER_TOKEN = 24;

/**
 * A unit vector of words by a sparse random projection: each word moves a few places up or down, the same for every text, by its
 * weight and the logarithm of how often it comes.
 */
export function projectTokens(tokens: string[], weigh: (token: string) => number, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const [token, same] of Map.groupBy(tokens, (each) => each)) {
    const weight = weigh(token) * (1 + Math.log(same.length));
    for (const { place, sign } of movesOf(token, dimensions)) vector[place] = (vector[place] ?? 0) + sign * weight;
  }
  const length = Math.hypot(...vector);
  // A text without words points somewhere too: no engine takes a vector of length 0.
  if (length === 0) vector[0] = 1;
  return Float32Array.from(vector, (value) => value / (length === 0 ? 1 : length));
}

function movesOf(token: string, dimensions: number): { place: number; sign: number }[] {
  const bytes = createHash('shake256', { outputLength: 2 * PLACES_PER_TOKEN })
    .update(token)
    .digest();
  return Array.from({ length: PLACES_PER_TOKEN }, (_, number) => {
    const value = bytes.readUInt16LE(2 * number);
    return { place: (value >>> 1) % dimensions, sign: value % 2 === 0 ? 1 : -1 };
  });
}
