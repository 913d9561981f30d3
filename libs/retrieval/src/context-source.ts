import { openTree } from '@reenact/code-index';
import type { ChunkIndex, ContextSource, RetrieveOptions } from '@reenact/domain';
import { assembleContexts } from './assemble.js';
import type { EmbedProgress } from './models/embed-best.js';
import type { UseModels } from './models/share-models.js';
import { rankTree } from './rank-tree.js';
import type { NamedTree } from './rank-tree.js';

/** What chooses contexts, and what it keeps. */
export interface ContextSourceOptions {
  /** The engine; asked for once, at the first choice, so that an error of its settings is that choice's. */
  openIndex: () => ChunkIndex;
  /** Lends the models that are configured; none when not given: words alone. */
  useModels?: UseModels;
  /** Trees of which everything is kept in memory, the latest used ones; 4 when not given. */
  cachedTrees?: number;
  /** Folder where what was parsed is kept over runs and restarts; in memory when not given. */
  directory?: string;
  /** Gets a sentence where something damaged is made anew. */
  onNotice?: (message: string) => void;
}

/** Snapshots are copies of many projects' states: as states of one repository they share whatever files they have in common. */
const SNAPSHOTS = 'snapshots of subjects';

/**
 * Contexts by the search: everything about a tree in memory, read at the first question and kept by tree hash, its chunks ranked by the
 * engine and the models that are configured. Files that any snapshot held before are not parsed again, texts that were embedded before
 * not embedded. Equal tree, query, vectors and installed packages give byte-identical contexts, best first; a tree without code gives none.
 */
export function createContextSource(options: ContextSourceOptions): ContextSource {
  const { openIndex, cachedTrees = 4, useModels = (work) => work({ dense: null, reranker: null }) } = options;
  const trees = new Map<string, NamedTree>();
  let index: ChunkIndex | null = null;
  return {
    retrieve: ({ directory, hash }, query, asked = {}) =>
      useModels(async (models) => {
        index ??= openIndex();
        const tree = trees.get(hash) ?? (await readSnapshot(directory, hash, options, asked));
        // Deleted and set again: the map's order is the order of use.
        trees.delete(hash);
        trees.set(hash, tree);
        for (const oldest of [...trees.keys()].slice(0, Math.max(0, trees.size - cachedTrees))) trees.delete(oldest);
        const { ranking, facts } = await rankTree({ index, ...models }, tree, query, {
          ...noticed(options),
          ...(asked.signal === undefined ? {} : { signal: asked.signal }),
          onProgress: (progress) => asked.onProgress?.(embeddingWords(progress)),
        });
        const { installed = [] } = asked;
        return { contexts: await assembleContexts(tree.code, ranking, { installed }), ranking: facts };
      }),
  };
}

async function readSnapshot(
  treeDirectory: string,
  treeHash: string,
  options: ContextSourceOptions,
  { signal, onProgress }: RetrieveOptions,
): Promise<NamedTree> {
  const { directory } = options;
  const tree = await openTree(treeDirectory, {
    ...(directory === undefined ? {} : { directory, repository: SNAPSHOTS }),
    revision: treeHash,
    ...noticed(options),
    ...(signal === undefined ? {} : { signal }),
    onProgress: ({ filesDone, filesTotal, secondsLeft }) =>
      onProgress?.(`reading: ${filesDone} of ${filesTotal} files${left(secondsLeft)}`),
  });
  try {
    return { name: { repository: SNAPSHOTS, revision: tree.digest }, digests: tree.filed.digests, code: await tree.codeIndex() };
  } finally {
    tree.close();
  }
}

function noticed({ onNotice }: ContextSourceOptions): { onNotice?: (message: string) => void } {
  return onNotice === undefined ? {} : { onNotice };
}

function embeddingWords({ done, total, secondsLeft }: EmbedProgress): string {
  return `embedding: ${done} of ${total} chunks${left(secondsLeft)}`;
}

function left(seconds: number | null): string {
  return seconds === null ? '' : `, ${Math.ceil(seconds)} s left`;
}
