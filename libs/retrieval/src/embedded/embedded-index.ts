import type { ChunkIndex, FiledChunks, SearchableChunk } from '@reenact/domain';
import { chunksOfAll, isFiled } from '../filed-chunks.js';
import type { BuiltGeneration } from './generation-builder.js';
import { createGenerationBuilder } from './generation-builder.js';
import type { OnWrite, OpenFile, ReadOptions } from './generation-file.js';
import { openGenerationFolder } from './generation-folder.js';
import type { KeepLimits } from './generation-folder.js';
import { mergeGenerations, sameFiles } from './merge-generations.js';
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
    async publish(name, chunks, { embedding, signal }) {
      signal?.throwIfAborted();
      const built = isFiled(chunks)
        ? await buildFromFiles(chunks, await folder.latest(name.repository), signal)
        : await build(chunks, { signal });
      const { repository, revision } = name;
      await folder.write({ repository, revision, embedding, isFiled: isFiled(chunks) }, built);
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

/** Files that an earlier revision holds with the same digest are taken over from it, the others are read. */
async function buildFromFiles(
  { digests, chunksOf }: FiledChunks,
  earlier: OpenFile | null,
  signal: AbortSignal | undefined,
): Promise<BuiltGeneration> {
  try {
    const kept = earlier === null ? new Set<string>() : sameFiles(earlier.generation, digests);
    const read = [...digests.keys()].filter((file) => !kept.has(file));
    const fresh = await build(chunksOfAll(read, chunksOf), { digests, signal });
    return earlier === null || kept.size === 0 ? fresh : mergeGenerations(earlier.generation, kept, fresh);
  } finally {
    await earlier?.close();
  }
}

async function build(
  chunks: Iterable<SearchableChunk> | AsyncIterable<SearchableChunk>,
  { digests, signal }: { digests?: ReadonlyMap<string, string>; signal: AbortSignal | undefined },
): Promise<BuiltGeneration> {
  const builder = createGenerationBuilder();
  let taken = 0;
  for await (const chunk of chunks) {
    builder.add(chunk);
    if (++taken % CHUNKS_BETWEEN_TURNS !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  const built = builder.finish(digests);
  signal?.throwIfAborted();
  return built;
}
