import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, contentId } from '@reenact/domain';
import type { ModelAnswer, ModelClient, ModelRequest } from '@reenact/domain';
import { z } from 'zod';
import { withoutProgramOutput } from '../prompts/quoted-data.js';

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
 * A prompt of another hash gets the answer to the recorded prompt that differs from it in program output alone: times,
 * memory sizes and chance differ from run to run, and the answer is only a proposal that code judges anew.
 * @throws AppError `model-call-not-recorded` for a prompt that the folder does not hold
 */
export function createReplayingModelClient(folder: string, name = 'replay'): ModelClient {
  return {
    name,
    complete: async (request, { signal }): Promise<ModelAnswer> => {
      signal.throwIfAborted();
      const hash = promptHash(request);
      const text = (await readFile(join(folder, `${hash}.json`), 'utf8').catch(() => null)) ?? (await findAlike(folder, request));
      if (text === null) {
        throw new AppError('model-call-not-recorded', `No recording for the call "${request.purpose}" (prompt ${hash.slice(0, 12)}).`, {
          hint: 'The prompt changed since the recording: record again, with the same report, subject and settings.',
        });
      }
      return { ...parseRecording(text, hash).answer, costUsd: 0 };
    },
  };
}

/** The recording, first by name, whose request is equal but for what programs printed. */
async function findAlike(folder: string, request: ModelRequest): Promise<string | null> {
  const wanted = promptHash(stable(request));
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    const recorded = readRequest(text);
    if (recorded !== null && promptHash(stable(recorded)) === wanted) return text;
  }
  return null;
}

function readRequest(text: string): ModelRequest | null {
  try {
    return Recording.parse(JSON.parse(text)).request as unknown as ModelRequest;
  } catch {
    return null;
  }
}

function stable(request: ModelRequest): ModelRequest {
  return { ...request, user: withoutProgramOutput(request.user) };
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
