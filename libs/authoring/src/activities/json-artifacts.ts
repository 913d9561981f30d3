import { AppError } from '@reenact/domain';
import type { ArtifactStore } from '@reenact/domain';
import { Candidate, Claim, Context, Plan, Report } from '@reenact/domain/schemas';
import type { z } from 'zod';
import { Memory } from '../memory.js';

/** What authoring stores as JSON, by name. */
const SCHEMAS = { report: Report, claim: Claim, context: Context, plan: Plan, candidate: Candidate, memory: Memory } as const;
type Schemas = typeof SCHEMAS;
export type JsonName = keyof Schemas;

type Store = Pick<ArtifactStore, 'putBytes' | 'getBytes'>;

/** Stores a value as JSON and gives its content reference; equal values give equal references. */
export async function putJson(artifacts: Store, value: unknown): Promise<string> {
  return artifacts.putBytes(Buffer.from(JSON.stringify(value)));
}

/** Reads a stored value and validates it. @throws AppError `internal` when it is absent or of another shape */
export async function getJson<K extends JsonName>(artifacts: Store, name: K, ref: string): Promise<z.infer<Schemas[K]>> {
  const text = Buffer.from(await artifacts.getBytes(ref)).toString('utf8');
  try {
    return SCHEMAS[name].parse(JSON.parse(text)) as z.infer<Schemas[K]>;
  } catch (cause) {
    throw new AppError('internal', `The stored ${name} ${ref.slice(0, 19)} cannot be read.`, { cause });
  }
}

/** As `getJson`, with null for a reference that is null. */
export async function getJsonOrNull<K extends JsonName>(
  artifacts: Store,
  name: K,
  ref: string | null,
): Promise<z.infer<Schemas[K]> | null> {
  return ref === null ? null : getJson(artifacts, name, ref);
}
