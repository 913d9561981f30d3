import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { buildCodeIndex } from '@reenact/code-index';
import type { CodeIndex } from '@reenact/code-index';
import type { ChunkSearch, SearchableChunk } from '@reenact/domain';
import { AppError, isAppError } from '@reenact/domain';
import { createEmbeddedIndex, searchableChunk } from '@reenact/retrieval';

/** A tree that can be searched. */
export interface SearchTree {
  code: CodeIndex;
  search: ChunkSearch;
  /** First line of a chunk that holds a word; empty where there is none. */
  firstLineOf(chunkId: string): string;
}

/** Trees of a laptop change all day: a few states each are enough, and all of them are quickly made again. */
const KEEP = { generations: 16, bytes: 2 * 1024 ** 3 };

/**
 * Indexes a tree, and opens the engine on it; a state that was searched before is opened as it is.
 * @param directory where the engine keeps its files.
 * @throws AppError `subject-not-found` where there is no such folder.
 */
export async function openSearchTree(tree: string, directory: string, onNotice: (message: string) => void): Promise<SearchTree> {
  if (statSync(tree, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new AppError('subject-not-found', `There is no folder ${tree}.`, {
      hint: 'Name the folder of the project first, then the words.',
    });
  const root = realpathSync(tree);
  const code = await buildCodeIndex(root);
  const chunks = code.chunks.map(searchableChunk);
  const name = { repository: root, revision: digestOf(chunks) };
  const engine = createEmbeddedIndex({ directory, keep: KEEP });
  let search = await engine.open(name).catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'index-damaged') throw error;
    onNotice(`${error.message} It is made anew.`);
    return null;
  });
  if (search === null) {
    await engine.publish(name, chunks, { embedding: null });
    search = await engine.open(name);
  }
  if (search === null) throw new AppError('internal', `The search index of ${root} went away after it was made.`);
  const texts = new Map(chunks.map((chunk) => [chunk.id, chunk.text]));
  const firstLineOf = (id: string): string => (texts.get(id) ?? '').split('\n').find((line) => /\w/.test(line)) ?? '';
  return { code, search, firstLineOf };
}

function digestOf(chunks: SearchableChunk[]): string {
  const hash = createHash('sha256');
  for (const { id, kind, name } of chunks) hash.update(JSON.stringify([id, kind, name]));
  return hash.digest('hex');
}
