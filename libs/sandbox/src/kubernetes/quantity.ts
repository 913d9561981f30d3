const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const QUANTITY = /^([+-]?[0-9]{1,20}(?:\.[0-9]{0,20})?|[+-]?\.[0-9]{1,20})(?:[eE]([+-]?[0-9]{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/;

/**
 * The number of a resource quantity as API servers write it, such as `1500m`, `16Gi`, `2e3`; NaN for any other text (Kubernetes
 * documentation, "Quantity").
 */
export function parseQuantity(text: string): number {
  const match = QUANTITY.exec(text);
  if (match === null) return Number.NaN;
  const [, digits, exponent, suffix] = match;
  return exponent === undefined ? Number(digits) * (SUFFIXES[suffix ?? ''] ?? Number.NaN) : Number(`${digits}e${exponent}`);
}
