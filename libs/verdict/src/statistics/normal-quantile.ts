type Coefficients = readonly [number, number, number, number, number, number, number, number];

// Rational approximations PPND16 (Wichura 1988): numerator and denominator of the centre, the tail and the far tail.
const CENTRE_UPPER: Coefficients = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087, 33430.57558358813,
  2509.0809287301227,
];
const CENTRE_LOWER: Coefficients = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854,
];
const TAIL_UPPER: Coefficients = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 7.745450142783414e-4,
];
const TAIL_LOWER: Coefficients = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457, 5.475938084995345e-4,
  1.0507500716444169e-9,
];
const FAR_UPPER: Coefficients = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124, 0.0012426609473880784,
  2.7115555687434876e-5, 2.0103343992922881e-7,
];
const FAR_LOWER: Coefficients = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 7.868691311456133e-4, 1.8463183175100548e-5, 1.421511758316446e-7,
  2.0442631033899397e-15,
];

function polynomial(coefficients: Coefficients, x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

function ratio(upper: Coefficients, lower: Coefficients, x: number): number {
  return polynomial(upper, x) / polynomial(lower, x);
}

/**
 * The z with P(Z ≤ z) = p for a standard normal Z, to about 16 digits (Wichura 1988, Applied Statistics 37:477, algorithm
 * AS 241). −∞ for 0 and ∞ for 1. @throws RangeError outside [0, 1]
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`no probability: ${p}`);
  const offset = p - 0.5;
  if (Math.abs(offset) <= 0.425) return offset * ratio(CENTRE_UPPER, CENTRE_LOWER, 0.180625 - offset * offset);
  const tail = offset < 0 ? p : 1 - p;
  if (tail === 0) return offset < 0 ? -Infinity : Infinity;
  const depth = Math.sqrt(-Math.log(tail));
  const size = depth <= 5 ? ratio(TAIL_UPPER, TAIL_LOWER, depth - 1.6) : ratio(FAR_UPPER, FAR_LOWER, depth - 5);
  return offset < 0 ? -size : size;
}

/** The z that a share `confidence` of a standard normal distribution lies within: 1.96 for 0.95. @throws RangeError outside (0, 1) */
export function twoSidedZ(confidence: number): number {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`no confidence: ${confidence}`);
  return normalQuantile((1 + confidence) / 2);
}
