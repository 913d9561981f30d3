import { canonicalJson } from '@reenact/domain';
import type { ArtifactStore, ContentRef } from '@reenact/domain';

interface Schema<T> {
  parse(value: unknown): T;
}

/** Stores a value as canonical JSON: equal values, equal reference. */
export async function putJson(store: ArtifactStore, value: unknown): Promise<ContentRef> {
  return store.putBytes(Buffer.from(canonicalJson(value)));
}

/** Reads a stored value and checks it, since an artefact is a border like any other. */
export async function getJson<T>(store: ArtifactStore, ref: ContentRef, schema: Schema<T>): Promise<T> {
  return schema.parse(JSON.parse(await getText(store, ref)));
}

/** Reads a stored text. */
export async function getText(store: ArtifactStore, ref: ContentRef): Promise<string> {
  return Buffer.from(await store.getBytes(ref)).toString('utf8');
}
