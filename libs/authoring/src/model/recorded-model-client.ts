import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, contentId } from '@reenact/domain';
import type { ModelAnswer, ModelClient, ModelRequest } from '@reenact/domain';
import { z } from 'zod';

const Recording = z.object({
  schemaVersion: z.literal(1),
  request: z.object({ purpose: z.string(), system: z.string(), user: z.string() }).loose(),
  answer: z.object({
    text: z.string(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number().nullable(),
    model: z.string(),
  }),
});

/** Hash of everything that a model sees: system, user, schema and limits; the model's name is not part of it, so that a recording replays under any. */
export function promptHash(request: ModelRequest): string {
  return contentId(request);
}

/** Passes calls on and writes each with its answer to `folder/<prompt hash>.json` (aside, then renamed). */
export function createRecordingModelClient(client: ModelClient, folder: string): ModelClient {
  return {
    name: client.name,
    complete: async (request, options) => {
      const answer = await client.complete(request, options);
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${promptHash(request)}.json`);
      const aside = `${path}.${randomUUID()}`;
      await writeFile(aside, `${JSON.stringify({ schemaVersion: 1, request, answer }, null, 2)}\n`);
      await rename(aside, path);
      return answer;
    },
  };
}

/**
 * Answers from a folder of recordings and calls nobody. Replayed tokens are those of the recording; nothing is paid.
 * @throws AppError `model-call-not-recorded` for a prompt that the folder does not hold
 */
export function createReplayingModelClient(folder: string, name = 'replay'): ModelClient {
  return {
    name,
    complete: async (request, { signal }): Promise<ModelAnswer> => {
      signal.throwIfAborted();
      const hash = promptHash(request);
      const text = await readFile(join(folder, `${hash}.json`), 'utf8').catch(() => null);
      if (text === null) {
        throw new AppError('model-call-not-recorded', `No recording for the call "${request.purpose}" (prompt ${hash.slice(0, 12)}).`, {
          hint: 'The prompt changed since the recording: record again, with the same report, subject and settings.',
        });
      }
      return { ...parseRecording(text, hash).answer, costUsd: 0 };
    },
  };
}

function parseRecording(text: string, hash: string): z.infer<typeof Recording> {
  try {
    return Recording.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('model-call-not-recorded', `The recording ${hash.slice(0, 12)} cannot be read.`, {
      cause,
      hint: 'Record it again.',
    });
  }
}
