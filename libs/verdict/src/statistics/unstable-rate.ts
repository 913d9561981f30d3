/** Least share of trials that must show a signal before it may be called unstable, and of how many (verdict.md section 5). */
export const UNSTABLE_SHARE = 0.15;
export const UNSTABLE_TRIALS = 10;
