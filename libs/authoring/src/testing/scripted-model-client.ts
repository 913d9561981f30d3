import { AppError } from '@reenact/domain';
import type { ModelAnswer, ModelClient, ModelRequest } from '@reenact/domain';

/** One scripted answer: a text, an error to throw, or a function of the request. */
export type ScriptedAnswer = string | Error | ((request: ModelRequest) => string);

export interface ScriptedModelClient extends ModelClient {
  /** Every request so far, in order. */
  readonly requests: ModelRequest[];
}

/** A model that gives prepared answers in their order, or by purpose; the fake of the model port. @throws AppError `internal` when the answers are used up. */
export function createScriptedModelClient(
  answers: ScriptedAnswer[] | Record<string, ScriptedAnswer[]>,
  name = 'scripted',
): ScriptedModelClient {
  const requests: ModelRequest[] = [];
  const queues = Array.isArray(answers) ? null : new Map(Object.entries(answers).map(([purpose, list]) => [purpose, [...list]]));
  const queue = Array.isArray(answers) ? [...answers] : [];
  return {
    name,
    requests,
    complete: async (request, { signal }): Promise<ModelAnswer> => {
      signal.throwIfAborted();
      requests.push(request);
      const next = queues ? queues.get(request.purpose)?.shift() : queue.shift();
      if (next === undefined) throw new AppError('internal', `The scripted model has no answer left for "${request.purpose}".`);
      if (next instanceof Error) throw next;
      const text = typeof next === 'string' ? next : next(request);
      return {
        text,
        inputTokens: Math.ceil((request.system.length + request.user.length) / 4),
        outputTokens: Math.ceil(text.length / 4),
        costUsd: 0,
        model: name,
      };
    },
  };
}
