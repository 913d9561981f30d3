import {
  LIST_PRICES,
  createMeteredModelClient,
  createOpenAiModelClient,
  createRecordingModelClient,
  createReplayingModelClient,
  createStoredModelClient,
  storedSpend,
  withPrices,
} from '@reenact/authoring';
import type { PriceTable } from '@reenact/authoring';
import type { ArtifactStore, ModelClient, ModelConfiguration, ModelUse, RunStore } from '@reenact/domain';

const CALL_TIMEOUT_SECONDS = 600;

/**
 * The model of a run: a recording where one is named, else the endpoint of the configuration. Every call is stored, and made
 * only where the run's limits leave room for its worst case.
 */
export function createModelSource(
  configuration: ModelConfiguration | null,
  stores: { artifacts: ArtifactStore; runs: RunStore },
): (runId: string, use: ModelUse) => ModelClient | null {
  return (runId, use) => {
    const prices = pricesOf(configuration);
    const endpoint = endpointOf(configuration, use, prices);
    if (endpoint === null) return null;
    const metered = createMeteredModelClient({
      client: endpoint,
      prices,
      budget: use.budget,
      spent: () => storedSpend(stores.runs, runId),
    });
    return createStoredModelClient({ client: metered, ...stores, clock: { now: () => new Date() }, runId });
  };
}

function endpointOf(configuration: ModelConfiguration | null, use: ModelUse, prices: PriceTable): ModelClient | null {
  const replay = use.replay ?? configuration?.replay ?? null;
  if (replay !== null) return createReplayingModelClient(replay);
  if (configuration === null) return null;
  const client = createOpenAiModelClient({
    api: configuration.api,
    baseUrl: configuration.baseUrl ?? 'https://api.openai.com/v1',
    apiKey: configuration.apiKey ?? 'none',
    model: configuration.name,
    timeoutSeconds: CALL_TIMEOUT_SECONDS,
    prices,
  });
  const record = use.record ?? configuration.record;
  return record === null ? client : createRecordingModelClient(client, record);
}

function pricesOf(configuration: ModelConfiguration | null): PriceTable {
  if (configuration?.price == null) return LIST_PRICES;
  const { input, output } = configuration.price;
  return withPrices(LIST_PRICES, { models: { [configuration.name]: { inputUsdPerMillion: input, outputUsdPerMillion: output } } });
}
