import { AppError } from '@reenact/domain';
import type { Budget, ModelClient, ModelRequest } from '@reenact/domain';
import { costOf, priceOf } from './prices.js';
import type { PriceTable } from './prices.js';

/** What a run has spent on finished calls. */
export interface Spend {
  tokens: number;
  /** Null when a call's price was unknown. */
  costUsd: number | null;
}

export interface MeterSettings {
  client: ModelClient;
  prices: PriceTable;
  budget: Pick<Budget, 'costUsd' | 'tokens'>;
  /** Spend of all finished calls of the run, from the store, so that a restart forgets nothing. */
  spent: () => Promise<Spend>;
}

interface Reservation {
  tokens: number;
  costUsd: number;
}

/**
 * Keeps a run's token and money limits. Before each call the worst case is reserved: every two bytes of prompt one token
 * (real text has three to four), and the whole answer length; calls that run at the same time count each other's reservation.
 * @throws AppError `budget-exceeded` before the call is made; under a money limit also for a model of unknown price unless
 * a token limit is set.
 */
export function createMeteredModelClient(settings: MeterSettings): ModelClient {
  const open = new Set<Reservation>();
  /** Spend of calls of this client that the store may not hold yet is never forgotten: the larger of both counts. */
  const own: Spend = { tokens: 0, costUsd: 0 };
  return {
    name: settings.client.name,
    complete: async (request, options) => {
      const stored = await settings.spent();
      const reservation = reserve(settings, { stored, own, open: [...open] }, request);
      open.add(reservation);
      try {
        const answer = await settings.client.complete(request, options);
        own.tokens += answer.inputTokens + answer.outputTokens;
        own.costUsd = own.costUsd === null || answer.costUsd === null ? null : own.costUsd + answer.costUsd;
        return answer;
      } finally {
        open.delete(reservation);
      }
    },
  };
}

function reserve(
  { client, prices, budget }: MeterSettings,
  so: { stored: Spend; own: Spend; open: Reservation[] },
  request: ModelRequest,
): Reservation {
  const inputTokens = Math.ceil(Buffer.byteLength(request.system + request.user + JSON.stringify(request.schema ?? '')) / 2);
  const tokens = inputTokens + request.maxOutputTokens;
  const costUsd = costOf(prices, client.name, { inputTokens, outputTokens: request.maxOutputTokens });
  if (budget.tokens !== null) {
    const used = Math.max(so.stored.tokens, so.own.tokens) + so.open.reduce((sum, item) => sum + item.tokens, 0);
    if (used + tokens > budget.tokens)
      throw exceeded(`${used} of ${budget.tokens} tokens are used, and this call may take ${tokens} more`, '--budget-tokens');
  }
  if (budget.costUsd !== null)
    checkMoney(
      {
        limit: budget.costUsd,
        costUsd,
        priced: priceOf(prices, client.name) !== null,
        hasTokenLimit: budget.tokens !== null,
        model: client.name,
      },
      so,
    );
  return { tokens, costUsd: costUsd ?? 0 };
}

interface MoneyQuestion {
  limit: number;
  costUsd: number | null;
  priced: boolean;
  hasTokenLimit: boolean;
  model: string;
}

function checkMoney(question: MoneyQuestion, so: { stored: Spend; own: Spend; open: Reservation[] }): void {
  if (!question.priced || question.costUsd === null) {
    // An unknown price is not a price of nothing; the token limit then is what bounds the run.
    if (question.hasTokenLimit) return;
    throw exceeded(
      `the price of ${question.model} is unknown, so a limit in USD cannot be kept`,
      '--budget-tokens, or a price for the model',
    );
  }
  const used = Math.max(so.stored.costUsd ?? 0, so.own.costUsd ?? 0) + so.open.reduce((sum, item) => sum + item.costUsd, 0);
  if (used + question.costUsd > question.limit) {
    throw exceeded(
      `${used.toFixed(4)} of ${question.limit} USD are used, and this call may cost ${question.costUsd.toFixed(4)} more`,
      '--budget-usd',
    );
  }
}

function exceeded(what: string, option: string): AppError {
  return new AppError('budget-exceeded', `The model budget ends here: ${what}.`, { hint: `Raise it with ${option}.` });
}
