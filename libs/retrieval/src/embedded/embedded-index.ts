import type { ChunkIndex } from '@reenact/domain';
import type { EarlierGeneration } from './earlier-chunks.js';
import type { BuiltGeneration } from './generation-builder.js';
import { createGenerationBuilder } from './generation-builder.js';
import type { OnWrite, ReadOptions } from './generation-file.js';
import { openGenerationFolder } from './generation-folder.js';
import type { KeepLimits } from './generation-folder.js';
import { searchGeneration } from './search-generation.js';

/** Settings of the embedded engine. */
export interface EmbeddedIndexOptions {
  /** Folder of the engine's own; one file for each published revision. */
  directory: string;
  /** What is kept of revisions not used lately; 64 revisions and 8 GiB when not given. */
  keep?: KeepLimits;
  /** For tests and measurements. */
  reading?: ReadOptions;
  /** For tests of crashes. */
  onWrite?: OnWrite;
}

const DEFAULT_KEEP: KeepLimits = { generations: 64, bytes: 8 * 1024 ** 3 };
/** Chunks between two turns of the event loop while an index is made: a few milliseconds. */
const CHUNKS_BETWEEN_TURNS = 500;

/**
 * The embedded engine: BM25 over typed arrays, an int8 scan of all vectors with exact reckoning of every chunk that could be among
 * the best, in this process and without a server. `open` throws AppError `index-damaged` for a torn or foreign file, so that the
 * caller can publish anew.
 */
export function createEmbeddedIndex({
  directory,
  keep = DEFAULT_KEEP,
  reading = {},
  onWrite = () => undefined,
}: EmbeddedIndexOptions): ChunkIndex {
  const folder = openGenerationFolder(directory, onWrite);
  return {
    kind: 'embedded',
    async publish(name, chunks, { embedding, analysis = null, signal }) {
      signal?.throwIfAborted();
      const earlier = analysis === null ? null : await folder.latest(name.repository, analysis);
      try {
        const built = await build(chunks, earlier?.generation ?? null, signal);
        const { repository, revision } = name;
        await folder.write({ repository, revision, embedding, analysis }, built);
      } finally {
        await earlier?.close();
      }
      await folder.collect(keep, name);
    },
    async open(name) {
      const opened = await folder.read(name, reading);
      if (opened === null) return null;
      return {
        async search(request, options) {
          options?.signal?.throwIfAborted();
          return searchGeneration(opened.generation, request);
        },
        close: () => opened.close(),
      };
    },
    remove: (name) => folder.remove(name),
  };
}

async function build(
  chunks: Parameters<ChunkIndex['publish']>[1],
  earlier: EarlierGeneration | null,
  signal: AbortSignal | undefined,
): Promise<BuiltGeneration> {
  const builder = createGenerationBuilder(earlier);
  let taken = 0;
  for await (const chunk of chunks) {
    builder.add(chunk);
    if (++taken % CHUNKS_BETWEEN_TURNS !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  const built = builder.finish();
  signal?.throwIfAborted();
  return built;
}
