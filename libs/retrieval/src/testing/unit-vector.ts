import { normalDraw } from '@reenact/domain';

/** A unit vector near `centre` (`spread` is the noise's length beside the centre's 1); anywhere where no centre is given. */
export function unitVector(draw: () => number, dimensions: number, centre?: Float32Array, spread = 1): Float32Array {
  const noise = spread / Math.sqrt(dimensions);
  const vector = Float64Array.from({ length: dimensions }, (_, place) => (centre?.[place] ?? 0) + noise * normalDraw(draw));
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}
