import type { AttemptRecord, Usage } from './activities.js';
import type { Budget, VerdictState } from './schemas/index.js';

/** Three attempts in a row with equal signatures bring no new information (architecture.md section 2). */
export const NO_NEWS_LIMIT = 3;

/** States that end the search: a proof is there. */
const PROVEN: ReadonlySet<string> = new Set<VerdictState>(['reproduced', 'reproduced_uncontrolled', 'reproduced_unstable']);

/** Whether an attempt's result ends the whole search. */
export function endsSearch(result: string): boolean {
  return PROVEN.has(result);
}

/** Whether an attempt uses up one of its context's attempts: those spoiled by the platform do not count. */
export function countsAsAttempt(attempt: Pick<AttemptRecord, 'result'>): boolean {
  return attempt.result !== 'infra_error';
}

/** True when the last three counted attempts brought the same outcome. */
export function bringsNoNews(attempts: readonly Pick<AttemptRecord, 'signature' | 'result'>[]): boolean {
  const counted = attempts.filter(countsAsAttempt);
  const last = counted.slice(-NO_NEWS_LIMIT);
  return last.length === NO_NEWS_LIMIT && last.every((attempt) => attempt.signature === last[0]?.signature);
}

/** The limit of tokens or money that is spent (the caller keeps the time), in words that begin with `budget`, or null. Unknown prices do not count as zero: see `costUsd`. */
export function spentBudget(budget: Omit<Budget, 'minutes'>, usage: Usage): string | null {
  if (budget.tokens !== null && usage.inputTokens + usage.outputTokens >= budget.tokens) return `budget: ${budget.tokens} tokens are spent`;
  if (budget.costUsd !== null && usage.costUsd !== null && usage.costUsd >= budget.costUsd)
    return `budget: ${budget.costUsd} USD are spent`;
  if (budget.costUsd !== null && budget.tokens === null && usage.modelCalls > 0 && usage.costUsd === null) {
    return 'budget: the price of the model is not known, so the limit in USD cannot be kept';
  }
  return null;
}

/** Usage of nothing. */
export const NO_USAGE: Usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
