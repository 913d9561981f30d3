/** List prices in USD per million tokens. */
export interface ModelPrice {
  inputUsdPerMillion: number;
  outputUsdPerMillion: number;
}

/** Prices of a day; settings may override or add models. */
export interface PriceTable {
  /** ISO date of the newest check against the providers' price pages. */
  asOf: string;
  models: Record<string, ModelPrice>;
}

const price = (inputUsdPerMillion: number, outputUsdPerMillion: number): ModelPrice => ({ inputUsdPerMillion, outputUsdPerMillion });

/** Public list prices without discounts for caching or batches (deploybase.ai, table of the provider's prices of March 2026). A model that is not here has an unknown price, not none. */
export const LIST_PRICES: PriceTable = {
  asOf: '2026-03-31',
  models: {
    'gpt-5': price(1.25, 10),
    'gpt-5-mini': price(0.25, 2),
    'gpt-5-nano': price(0.05, 0.4),
    'gpt-4.1': price(2, 8),
    'gpt-4.1-mini': price(0.4, 1.6),
    'gpt-4.1-nano': price(0.1, 0.4),
    'gpt-4o': price(2.5, 10),
    'gpt-4o-mini': price(0.15, 0.6),
    o3: price(2, 8),
    'o4-mini': price(1.1, 4.4),
  },
};

/** A table with some models overridden or added; the date stays that of the base where nothing newer is said. */
export function withPrices(base: PriceTable, overrides: Partial<PriceTable>): PriceTable {
  return { asOf: overrides.asOf ?? base.asOf, models: { ...base.models, ...overrides.models } };
}

/** Price of a model, also of a dated snapshot such as `gpt-4o-2024-08-06`; null when unknown. */
export function priceOf(table: PriceTable, model: string): ModelPrice | null {
  const base = model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  for (const name of [model, base]) if (Object.hasOwn(table.models, name)) return table.models[name]!;
  return null;
}

/** Cost in USD of a number of tokens; null when the price is unknown. */
export function costOf(table: PriceTable, model: string, usage: { inputTokens: number; outputTokens: number }): number | null {
  const found = priceOf(table, model);
  if (found === null) return null;
  return (usage.inputTokens * found.inputUsdPerMillion + usage.outputTokens * found.outputUsdPerMillion) / 1_000_000;
}
