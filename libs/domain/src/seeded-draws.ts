/**
 * Deterministic draws in [0, 1) with 32 bits each (mulberry32, Ettinger 2017): equal seed, equal draws on every machine.
 * For resampling and simulated trials, never for secrets.
 */
export function seededDraws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One draw of the standard normal distribution (Box & Muller 1958), from two of `draw`. */
export function normalDraw(draw: () => number): number {
  // A draw may be 0, 1 − draw never.
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
