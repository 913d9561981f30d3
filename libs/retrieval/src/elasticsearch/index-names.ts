import { createHash, randomBytes } from 'node:crypto';
import type { IndexName } from '@reenact/domain';

/** 80 bits: no two names of one cluster meet. */
const DIGEST_LENGTH = 20;
/** A second alias of an index that is being loaded: `require_alias` then keeps a bulk from making an index by itself. */
const LOADING = '-loading';

/** The alias of a revision; both parts come from outside, so only their digests go into it. */
export function aliasOf(prefix: string, { repository, revision }: IndexName): string {
  return [prefix, digest(repository), digest(revision)].join('-');
}

/** A new index for an alias; later ones sort after earlier ones. */
export function newIndexName(alias: string, now: number = Date.now()): string {
  return `${alias}-${now.toString(36).padStart(9, '0')}${randomBytes(4).toString('hex')}`;
}

/** The alias under which an index is loaded. */
export function loadingAliasOf(index: string): string {
  return `${index}${LOADING}`;
}

/** Whether an alias is one that an index has only while it is loaded. */
export function isLoadingAlias(alias: string): boolean {
  return alias.endsWith(LOADING);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}

/** Names of a revision's indices in an answer, oldest first; an answer that there is none (404) has none. */
export function ownIndices(answer: Record<string, unknown>, alias: string): string[] {
  return Object.keys(answer)
    .filter((key) => key.startsWith(`${alias}-`))
    .sort();
}
