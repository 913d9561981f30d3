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
  let logChoose = 0;
  for (let hits = 0; hits <= k; hits += 1) {
    sum += Math.exp(logChoose + logPowers(hits, n, p));
    logChoose += Math.log(n - hits) - Math.log(hits + 1);
  }
  return Math.min(1, sum);
}

/** The least k with P(X > k) ≤ `error` for X ~ Binomial(n, p): what a rate of at most p may show in n trials. */
export function binomialBound(n: number, p: number, error: number): number {
  let k = 0;
  while (k < n && 1 - binomialAtMost(k, n, p) > error) k += 1;
  return k;
}
