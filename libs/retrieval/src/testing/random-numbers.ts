/** Source of numbers from 0 (included) to 1 (not) that repeats for one seed: a multiplicative congruential generator. */
export function createRandom(seed: number): () => number {
  // Park and Miller's "minimal standard", multiplier 48271, modulus 2^31 − 1: products stay exact in a double.
  let state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}

/** One number of the standard normal distribution (Box and Muller). */
export function normalNumber(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A unit vector near `centre` (`spread` is the noise's length beside the centre's 1); anywhere where no centre is given. */
export function unitVector(random: () => number, dimensions: number, centre?: Float32Array, spread = 1): Float32Array {
  const noise = spread / Math.sqrt(dimensions);
  const vector = Float64Array.from({ length: dimensions }, (_, place) => (centre?.[place] ?? 0) + noise * normalNumber(random));
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}
