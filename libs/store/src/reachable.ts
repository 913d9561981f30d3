import type { ArtifactStore } from '@reenact/domain';

/** References and tree hashes both end in one of these. */
const HASH = /[0-9a-f]{64}/g;
/** Content that names other content is JSON made by us; anything bigger is output. */
const MAX_LOOKED_INTO_BYTES = 8_000_000;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;

/** Every hash in a text, whatever it stands for: too many are no harm to a collection, one too few is. */
export function hashesIn(text: string): string[] {
  return text.match(HASH) ?? [];
}

/**
 * What a set of hashes leads to: the content they name, and what that names in turn.
 *
 * @returns references (`sha256:…`) and tree hashes, in the form that a collection keeps them by.
 */
export async function reachableFrom(hashes: Iterable<string>, store: Pick<ArtifactStore, 'getBytes' | 'has'>): Promise<string[]> {
  const seen = new Set(hashes);
  // A set that grows while it is walked is walked to its end.
  for (const hash of seen) for (const inner of await namedBy(`sha256:${hash}`, store)) seen.add(inner);
  return [...seen].flatMap((hash) => [hash, `sha256:${hash}`]);
}

async function namedBy(ref: string, store: Pick<ArtifactStore, 'getBytes' | 'has'>): Promise<string[]> {
  if (!(await store.has(ref))) return [];
  const bytes = await store.getBytes(ref).catch(() => new Uint8Array());
  const looksLikeJson = bytes[0] === OPENING_BRACE || bytes[0] === OPENING_BRACKET;
  return looksLikeJson && bytes.length <= MAX_LOOKED_INTO_BYTES ? hashesIn(Buffer.from(bytes).toString('utf8')) : [];
}
