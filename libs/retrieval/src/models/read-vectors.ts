import { AppError } from '@reenact/domain';
import { recordOf } from './model-json.js';

/** What an answer is held to. */
export interface ExpectedVectors {
  count: number;
  dimensions: number;
  /** The endpoint, for errors. */
  where: string;
}

/**
 * Vectors of an `/embeddings` answer in the order of the request, at length 1.
 * @throws AppError `llm-output-invalid` where one is missing, double or no vector; `config-invalid` where its length is another.
 */
export function readVectors(text: string, { count, dimensions, where }: ExpectedVectors): Float32Array[] {
  const invalid = (what: string): AppError =>
    new AppError('llm-output-invalid', `The ${where} gave an answer that cannot be used: ${what}.`);
  const vectors: Float32Array[] = [];
  for (const [place, entry] of entriesOf(text, invalid).entries()) {
    const { embedding, index = place } = recordOf(entry);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || vectors[index] !== undefined)
      throw invalid('its entries do not fit the request');
    if (!isNumbers(embedding)) throw invalid('an entry is no list of numbers');
    if (embedding.length !== dimensions) {
      throw new AppError('config-invalid', `The ${where} gave a vector of ${embedding.length} numbers, not ${dimensions}.`, {
        hint: `Set EMBEDDER_DIMENSIONS=${embedding.length}, or name the model that was meant.`,
      });
    }
    vectors[index] = unitVector(embedding, invalid);
  }
  if (Object.keys(vectors).length !== count) throw invalid(`it has ${Object.keys(vectors).length} vectors for ${count} texts`);
  return vectors;
}

function entriesOf(text: string, invalid: (what: string) => AppError): unknown[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  const { data } = recordOf(answer);
  if (!Array.isArray(data)) throw invalid('it has no list of data');
  return data;
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => typeof number === 'number');
}

function unitVector(numbers: number[], invalid: (what: string) => AppError): Float32Array {
  const length = Math.hypot(...numbers);
  if (!(length > 0 && length < Infinity)) throw invalid('a vector has no direction');
  return Float32Array.from(numbers, (value) => value / length);
}
