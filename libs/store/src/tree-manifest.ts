import { AppError, canonicalJson, sha256Hex } from '@reenact/domain';

/** What is kept of one entry of a tree. Times, owners and other permission bits are not. */
export type TreeEntry =
  | { type: 'file'; path: string; executable: boolean; ref: string; byteCount: number }
  | { type: 'link'; path: string; target: string }
  /** Only empty directories have an entry of their own. */
  | { type: 'directory'; path: string };

/** Modes as git writes them (git-fast-import(1), `filemodify`). */
const MODES = { file: '100644', executable: '100755', link: '120000', directory: '040000' } as const;

/** The entries in their one order: by path, UTF-16 code units. */
export function sortEntries(entries: readonly TreeEntry[]): TreeEntry[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Tree hash: SHA-256, hex, over the canonical JSON of the sorted list of [path, mode, hash of the content or of the link's target]. */
export function treeHashOf(entries: readonly TreeEntry[]): string {
  return sha256Hex(canonicalJson(sortEntries(entries).map(hashedForm)));
}

function hashedForm(entry: TreeEntry): [string, string, string] {
  if (entry.type === 'file') return [entry.path, entry.executable ? MODES.executable : MODES.file, entry.ref];
  if (entry.type === 'link') return [entry.path, MODES.link, entry.target];
  return [entry.path, MODES.directory, ''];
}

/** True for a relative path of plain segments, `/` between them, that stays inside. */
export function isInnerPath(path: string): boolean {
  return path !== '' && !path.includes('\0') && path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/**
 * True when a link at `path` to `target` can only lead into the tree: relative, upwards only at its beginning and not above the root.
 * A `..` after a name is refused, because the name may be a link itself and `..` would then start from where that leads.
 */
export function isInnerLink(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false;
  let depth = path.split('/').length - 1;
  let named = false;
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') named = true;
    else if (named || depth === 0) return false;
    else depth -= 1;
  }
  return true;
}

/** The stored text of a manifest. */
export function encodeManifest(entries: readonly TreeEntry[]): string {
  return canonicalJson({ schemaVersion: 1, entries: sortEntries(entries) });
}

/**
 * Reads a stored manifest and checks it against the hash it is stored under.
 * @throws AppError `internal` naming the tree when it is torn, altered, or would write outside its directory.
 */
export function decodeManifest(text: string, treeHash: string): TreeEntry[] {
  const entries = parseEntries(text);
  if (entries === null || treeHashOf(entries) !== treeHash)
    throw new AppError('internal', `The stored manifest of tree ${treeHash} is damaged.`);
  const outside = entries.find((entry) => !isInnerPath(entry.path) || (entry.type === 'link' && !isInnerLink(entry.path, entry.target)));
  if (outside !== undefined)
    throw new AppError('internal', `Tree ${treeHash} has an entry that leads outside it: ${JSON.stringify(outside.path)}.`);
  return entries;
}

function parseEntries(text: string): TreeEntry[] | null {
  try {
    const { entries } = JSON.parse(text) as { entries?: unknown };
    return Array.isArray(entries) && entries.every(isEntry) ? entries : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is TreeEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { type, path, target, ref, byteCount, executable } = value as Record<string, unknown>;
  if (typeof path !== 'string') return false;
  if (type === 'link') return typeof target === 'string';
  if (type === 'file') return typeof ref === 'string' && typeof byteCount === 'number' && typeof executable === 'boolean';
  return type === 'directory';
}
