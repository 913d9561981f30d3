import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reading } from './collect-tree.js';
import type { FileSource, LayerEntry, LayerTree } from './layer-entry.js';
import { LAYER_EPOCH_SECONDS } from './layer-entry.js';

/** Header of a `.pyc`: magic, flags, time, size (PEP 552, from 3.7 on); before that without flags. */
const LONG_HEADER_BYTES = 16;
const FOLDER = '__pycache__';
const CACHED_NAME = /^(.+)\.((?:cpython|pypy)-?)(\d)(\d+)(?:\.opt-[0-9a-z]+)?\.pyc$/;

/**
 * Brings the byte code of a tree in line with its sources, whose times all become one: the time in each header is replaced, and what does
 * not belong to its source any more, or has none, is left out. Without this every interpreter in the image would compile all anew.
 */
export async function alignBytecode(tree: LayerTree): Promise<void> {
  for (const entry of [...tree.values()]) {
    if (entry.kind !== 'file' || !entry.path.endsWith('.pyc') || !('source' in entry.body)) continue;
    const aligned = await alignOne(tree, entry, entry.body);
    if (aligned === null) tree.delete(entry.path);
    else tree.set(entry.path, aligned);
  }
}

async function alignOne(tree: LayerTree, entry: LayerEntry & { kind: 'file' }, body: FileSource): Promise<LayerEntry | null> {
  const place = placeOf(entry.path);
  const source = tree.get(place.source);
  if (source?.kind !== 'file' || !('source' in source.body)) return place.isCached ? null : entry;
  const header = await headerOf(body.source);
  const timeAt = place.hasFlags ? 8 : 4;
  if (header.byteLength < timeAt + 8) return null;
  if (place.hasFlags && header.readUInt32LE(4) !== 0) return entry;
  const seconds = Number(BigInt(source.body.stamp.split('.')[0] ?? '0') / 1_000_000_000n);
  if (header.readUInt32LE(timeAt) !== seconds >>> 0) return null;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(LAYER_EPOCH_SECONDS);
  return { ...entry, body: { ...body, patch: { offset: timeAt, bytes } } };
}

/** Which source a file of byte code belongs to; `isCached` = it counts only beside that source. */
function placeOf(path: string): { source: string; isCached: boolean; hasFlags: boolean } {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, slash));
  const match = CACHED_NAME.exec(path.slice(slash + 1));
  if (match === null || !(folder === FOLDER || folder.endsWith(`/${FOLDER}`))) {
    return { source: path.slice(0, -1), isCached: folder.endsWith(FOLDER), hasFlags: false };
  }
  const [, module = '', , major = '', minor = ''] = match;
  const parent = folder.slice(0, Math.max(0, folder.length - FOLDER.length));
  return { source: `${parent}${module}.py`, isCached: true, hasFlags: Number(major) > 3 || (major === '3' && Number(minor) >= 7) };
}

async function headerOf(file: string): Promise<Buffer> {
  const handle = await reading(file, () => open(file, 'r'));
  try {
    const buffer = Buffer.alloc(LONG_HEADER_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, LONG_HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Adds byte code that was compiled aside (`PYTHONPYCACHEPREFIX`: the absolute path of each source below one folder) for sources of the
 * tree that have none.
 */
export async function addCompiled(tree: LayerTree, cacheDirectory: string): Promise<void> {
  const names = await readdir(cacheDirectory, { recursive: true, withFileTypes: true });
  for (const found of names) {
    if (!found.isFile() || !CACHED_NAME.test(found.name)) continue;
    const folder = found.parentPath.slice(cacheDirectory.length).replace(/^\/+/, '');
    const path = join(folder, FOLDER, found.name);
    if (tree.has(path) || !tree.has(placeOf(path).source)) continue;
    const source = join(found.parentPath, found.name);
    const handle = await reading(source, () => open(source, 'r'));
    const { size, mtimeNs } = await handle.stat({ bigint: true }).finally(() => handle.close());
    tree.set(path, { kind: 'file', path, isExecutable: false, body: { source, bytes: Number(size), stamp: String(mtimeNs) } });
  }
}
