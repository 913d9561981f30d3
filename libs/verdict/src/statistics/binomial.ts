/** ln n! by summation; exact to floating point for the few hundred trials that are ever counted. */
function logFactorial(n: number): number {
  let sum = 0;
  for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor);
  return sum;
}

function logPowers(k: number, n: number, p: number): number {
  const hits = k === 0 ? 0 : k * Math.log(p);
  const misses = n - k === 0 ? 0 : (n - k) * Math.log1p(-p);
  return hits + misses;
}

/** P(X ≤ k) for X ~ Binomial(n, p), with p in [0, 1]. */
export function binomialAtMost(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  let sum = 0;
  for (let hits = 0; hits <= k; hits += 1) {
    const logChoose = logFactorial(n) - logFactorial(hits) - logFactorial(n - hits);
    sum += Math.exp(logChoose + logPowers(hits, n, p));
  }
  return Math.min(1, sum);
}

/** The least k with P(X > k) ≤ `error` for X ~ Binomial(n, p): what a rate of at most p may show in n trials. */
export function binomialBound(n: number, p: number, error: number): number {
  let k = 0;
  while (k < n && 1 - binomialAtMost(k, n, p) > error) k += 1;
  return k;
}
