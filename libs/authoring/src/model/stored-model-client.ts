import { contentId, isAppError } from '@reenact/domain';
import type { ArtifactStore, Clock, ModelAnswer, ModelCall, ModelClient, ModelRequest, RunStore } from '@reenact/domain';
import { promptHash } from './recorded-model-client.js';
import type { Spend } from './metered-model-client.js';

export interface StoredModelSettings {
  client: ModelClient;
  runs: Pick<RunStore, 'getModelCall' | 'putModelCall'>;
  artifacts: Pick<ArtifactStore, 'putBytes' | 'getBytes'>;
  clock: Clock;
  runId: string;
}

/** Key of a model call: equal prompts to one model within one run are one call. */
export function modelCallKey(runId: string, model: string, request: ModelRequest): string {
  return contentId({ runId, model, prompt: promptHash(request) });
}

/**
 * Stores every call with prompt, answer, tokens and cost, and gives a stored answer back instead of calling again, so that
 * a repeated activity pays nothing. A call that failed is stored with its error and may be made again.
 */
export function createStoredModelClient(settings: StoredModelSettings): ModelClient {
  return {
    name: settings.client.name,
    complete: async (request, options) => {
      const key = modelCallKey(settings.runId, settings.client.name, request);
      const stored = await settings.runs.getModelCall(key);
      if (stored?.answer) return restore(stored, stored.answer, settings);
      return callAndStore(settings, { key, request, options });
    },
  };
}

async function restore(call: ModelCall, answer: string, { artifacts }: StoredModelSettings): Promise<ModelAnswer> {
  const text = Buffer.from(await artifacts.getBytes(answer)).toString('utf8');
  return { text, inputTokens: call.inputTokens, outputTokens: call.outputTokens, costUsd: call.costUsd, model: call.model };
}

async function callAndStore(
  settings: StoredModelSettings,
  call: { key: string; request: ModelRequest; options: Parameters<ModelClient['complete']>[1] },
): Promise<ModelAnswer> {
  const { client, artifacts, clock, runs, runId } = settings;
  const { key, request, options } = call;
  const prompt = await artifacts.putBytes(Buffer.from(JSON.stringify(request)));
  const began = clock.now().getTime();
  const record = { schemaVersion: 1 as const, purpose: request.purpose, promptHash: promptHash(request), prompt };
  try {
    const answer = await client.complete(request, options);
    const ref = await artifacts.putBytes(Buffer.from(answer.text));
    const { inputTokens, outputTokens, costUsd, model } = answer;
    await runs.putModelCall(key, runId, {
      ...record,
      model,
      answer: ref,
      inputTokens,
      outputTokens,
      costUsd,
      seconds: (clock.now().getTime() - began) / 1000,
      error: null,
    });
    return answer;
  } catch (error) {
    if (!options.signal.aborted) {
      const code = isAppError(error) ? error.code : 'internal';
      await runs.putModelCall(key, runId, {
        ...record,
        model: client.name,
        answer: null,
        inputTokens: 0,
        outputTokens: 0,
        costUsd: 0,
        seconds: (clock.now().getTime() - began) / 1000,
        error: code,
      });
    }
    throw error;
  }
}

/** Spend over a run's stored calls: the source of a meter after a restart. */
export async function storedSpend(runs: Pick<RunStore, 'listModelCalls'>, runId: string): Promise<Spend> {
  const calls = await runs.listModelCalls(runId);
  const unknown = calls.some((call) => call.costUsd === null);
  return {
    tokens: calls.reduce((sum, call) => sum + call.inputTokens + call.outputTokens, 0),
    costUsd: unknown ? null : calls.reduce((sum, call) => sum + (call.costUsd ?? 0), 0),
  };
}
