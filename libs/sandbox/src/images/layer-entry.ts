/** Modification time of everything in an image: 1980-01-02, the first day whose files every tool (ZIP among them) can hold in every zone. */
export const LAYER_EPOCH_SECONDS = 315_619_200;

/** Bytes of a file of this machine that a layer takes. */
export interface FileSource {
  /** Absolute path on this machine. */
  source: string;
  bytes: number;
  /** Changes whenever the file does: its times to the nanosecond. */
  stamp: string;
  /** Bytes that are written over the file's own from `offset` on. */
  patch?: { offset: number; bytes: Uint8Array };
}

/** One entry of a layer; `path` is without a leading slash. Owner, times and the finer permissions are equal for all. */
export type LayerEntry =
  | { kind: 'directory'; path: string }
  | { kind: 'symlink'; path: string; target: string }
  | { kind: 'file'; path: string; isExecutable: boolean; body: FileSource | { content: Uint8Array } };

/** Entries by path: a later one takes the place of an earlier one. */
export type LayerTree = Map<string, LayerEntry>;

/** Everybody may write here, nobody may take another's file away. */
const STICKY_PATHS = new Set(['tmp', 'var/tmp', 'run/lock', 'dev/shm']);

/** Permissions of an entry: nothing is secret in an image, and no file gives its reader another's rights. */
export function modeOf(entry: LayerEntry): number {
  if (entry.kind === 'symlink') return 0o777;
  if (entry.kind === 'directory') return STICKY_PATHS.has(entry.path) ? 0o1777 : 0o755;
  return entry.isExecutable ? 0o755 : 0o644;
}

/** Bytes of an entry's content. */
export function contentBytes(entry: LayerEntry): number {
  if (entry.kind !== 'file') return 0;
  return 'content' in entry.body ? entry.body.content.byteLength : entry.body.bytes;
}

/** The entries in the order of their paths' bytes, each behind the folders that lead to it, which are added where they are missing. */
export function orderEntries(tree: LayerTree): LayerEntry[] {
  const whole: LayerTree = new Map(tree);
  for (const path of tree.keys()) {
    for (let parent = parentOf(path); parent !== '' && !whole.has(parent); parent = parentOf(parent)) {
      whole.set(parent, { kind: 'directory', path: parent });
    }
  }
  return [...whole.values()].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
