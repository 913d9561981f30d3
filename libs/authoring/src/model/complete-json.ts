import { AppError } from '@reenact/domain';
import type { ModelClient, ModelRequest } from '@reenact/domain';
import { z } from 'zod';
import { extractJson } from './extract-json.js';
import { mendTypes } from './mend-types.js';
import { promptHash } from './recorded-model-client.js';
import { strictJsonSchema } from './strict-json-schema.js';

export interface JsonQuestion<T> {
  purpose: string;
  system: string;
  user: string;
  schema: z.ZodType<T>;
  schemaName: string;
  maxOutputTokens: number;
  temperature: number;
  /** Last chance to read an answer that is no JSON, such as a bare script; null = give up. */
  rescue?: (text: string) => unknown;
}

export interface JsonAnswer<T> {
  value: T;
  /** Hash of the prompt that was answered: provenance of what is made of it. */
  promptHash: string;
}

const SHOWN_ANSWER = 6_000;

/**
 * Asks for JSON and validates it. An invalid answer gets one repair turn, which shows the answer and what is wrong with it.
 * @throws AppError `llm-output-invalid` after the second invalid answer
 */
export async function completeJson<T>(
  client: ModelClient,
  question: JsonQuestion<T>,
  options: Parameters<ModelClient['complete']>[1],
): Promise<JsonAnswer<T>> {
  const request: ModelRequest = {
    purpose: question.purpose,
    system: question.system,
    user: question.user,
    schema: strictJsonSchema(question.schema),
    schemaName: question.schemaName,
    maxOutputTokens: question.maxOutputTokens,
    temperature: question.temperature,
  };
  const first = await client.complete(request, options);
  const read = readAnswer(first.text, question);
  if (read.ok) return { value: read.value, promptHash: promptHash(request) };
  const user = `${question.user}\n\nYour previous answer could not be used: ${read.problem}\nIt began:\n${first.text.slice(0, SHOWN_ANSWER)}\n\nAnswer again with one complete JSON object that fits the schema, and nothing else.`;
  const repair = { ...request, user, purpose: `${question.purpose}-repair` };
  const second = await client.complete(repair, options);
  const repaired = readAnswer(second.text, question);
  if (repaired.ok) return { value: repaired.value, promptHash: promptHash(repair) };
  throw new AppError(
    'llm-output-invalid',
    `The model ${client.name} gave no usable answer for "${question.purpose}" in two turns: ${repaired.problem}`,
    {
      hint: 'A bigger model or a larger answer limit may help; everything that needs no model goes on.',
    },
  );
}

type Read<T> = { ok: true; value: T } | { ok: false; problem: string };

function readAnswer<T>(text: string, question: JsonQuestion<T>): Read<T> {
  let problem = text.trim() === '' ? 'it was empty.' : 'it held no complete JSON object.';
  let value: T | undefined;
  const accepts = (candidate: unknown): boolean => {
    const parsed = mendTypes(question.schema, candidate);
    if (parsed.success) value = parsed.data;
    else if (typeof candidate === 'object' && candidate !== null) problem = z.prettifyError(parsed.error).slice(0, 1500);
    return parsed.success;
  };
  if (extractJson(text, accepts) !== undefined || accepts(question.rescue?.(text))) return { ok: true, value: value as T };
  return { ok: false, problem };
}
