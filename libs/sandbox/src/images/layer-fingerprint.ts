import { createHash } from 'node:crypto';
import type { LayerEntry } from './layer-entry.js';
import { LAYER_GZIP_LEVEL } from './write-layer.js';

/** Raised when the same entries are written in another way. */
const FORMAT = 1;

/**
 * What tells without reading any file whether a layer would come out as before: paths, links, sizes, times of the files, patches, and what
 * compresses. It names no content, and two fingerprints may stand for one layer.
 */
export function fingerprintOf(entries: readonly LayerEntry[]): string {
  const hash = createHash('sha256').update(JSON.stringify([FORMAT, LAYER_GZIP_LEVEL, process.versions.zlib]));
  for (const entry of entries) hash.update(`\n${JSON.stringify(wordsOf(entry))}`);
  return hash.digest('hex');
}

function wordsOf(entry: LayerEntry): (string | number | boolean)[] {
  if (entry.kind === 'directory') return [entry.kind, entry.path];
  if (entry.kind === 'symlink') return [entry.kind, entry.path, entry.target];
  if ('content' in entry.body) {
    return [entry.kind, entry.path, entry.isExecutable, createHash('sha256').update(entry.body.content).digest('hex')];
  }
  const { source, bytes, stamp, patch } = entry.body;
  const written = patch === undefined ? '' : `${patch.offset}:${Buffer.from(patch.bytes).toString('hex')}`;
  return [entry.kind, entry.path, entry.isExecutable, source, bytes, stamp, written];
}
