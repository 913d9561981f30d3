import type { ChunkSource, FiledChunks, SearchableChunk } from '@reenact/domain';

/** Whether chunks come file by file. */
export function isFiled(chunks: ChunkSource): chunks is FiledChunks {
  return 'chunksOf' in chunks;
}

/** The chunks of these files, one file after another. */
export function* chunksOfAll(files: Iterable<string>, chunksOf: FiledChunks['chunksOf']): Generator<SearchableChunk> {
  for (const file of files) yield* chunksOf(file);
}

/** The chunks of all files. */
export function allChunks({ digests, chunksOf }: FiledChunks): Generator<SearchableChunk> {
  return chunksOfAll(digests.keys(), chunksOf);
}

/** All chunks of a source, for engines that remember no files. */
export function eachChunk(chunks: ChunkSource): Iterable<SearchableChunk> | AsyncIterable<SearchableChunk> {
  return isFiled(chunks) ? allChunks(chunks) : chunks;
}
