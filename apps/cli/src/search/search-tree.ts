import type { OpenedTree } from '@reenact/code-index';
import type { ChunkIndex, ChunkSearch, IndexName, RerankQuery } from '@reenact/domain';
import { AppError, isAppError } from '@reenact/domain';
import { createChunkIndex, createEmbedder, openDenseSearch, openSharedEmbeddings, reportText } from '@reenact/retrieval';
import type { EmbedProgress } from '@reenact/retrieval';
import type { CommandContext } from '../commands/command-context.js';
import { statePaths } from '../state-paths.js';
import { startProgress } from './index-progress.js';
import { duration } from './index-words.js';

/** Trees of a laptop change all day: a few states each are enough, and all of them are quickly made again. */
const KEEP = { generations: 16, bytes: 2 * 1024 ** 3 };

/** A tree that can be asked. */
export interface SearchTree {
  search: ChunkSearch;
  /** Of the query; null where the search is lexical. */
  vector: Float32Array | null;
  /** The embedder's name; null where none is configured. */
  model: string | null;
}

/** What the ranking by words is told, and in short what models are. */
export interface TreeQuestion {
  tokens: string[];
  short: RerankQuery;
}

/** A question that may be given up. */
type LiveQuestion = TreeQuestion & { signal: AbortSignal };

/**
 * Opens the configured engine on a tree; a state that was searched before is opened as it is. With an embedder the chunks that rank best
 * by words get their vectors first. @throws AppError as engine and embedder.
 */
export async function openSearchTree(
  context: CommandContext,
  tree: OpenedTree,
  { tokens, short, signal }: LiveQuestion,
): Promise<SearchTree> {
  const { configuration } = context;
  const engine = createChunkIndex(configuration.search, {
    directory: statePaths(configuration.stateDirectory).searchIndex,
    keep: KEEP,
  });
  const name = { repository: tree.revision, revision: tree.digest };
  const search = await openLexical(engine, tree, { name, onNotice: context.report, signal });
  const embedder = await createEmbedder(configuration.retrievalModels);
  if (embedder === null) return { search, vector: null, model: null };
  await search.close();
  const cache = openSharedEmbeddings(configuration.stateDirectory, configuration.retrievalModels, context.report);
  const progress = context.console.isTerminal && !context.quiet ? startProgress(context.console.talk, embedWords) : null;
  try {
    const layer = { index: engine, embedder, cache };
    const request = { name, chunks: [...tree.searchable()], tokens, text: reportText(short) };
    const dense = await openDenseSearch(layer, request, { signal, onProgress: (state) => progress?.show(state) });
    return { search: dense.search, vector: dense.vector, model: embedder.name };
  } finally {
    progress?.stop();
    cache.close();
    await embedder.close();
  }
}

async function openLexical(
  engine: ChunkIndex,
  tree: OpenedTree,
  { name, onNotice, signal }: { name: IndexName; onNotice: (message: string) => void; signal: AbortSignal },
): Promise<ChunkSearch> {
  const known = await engine.open(name).catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'index-damaged') throw error;
    onNotice(`${error.message} It is made anew.`);
    return null;
  });
  if (known !== null) return known;
  await engine.publish(name, tree.searchable(), { embedding: null, analysis: tree.analysis, signal });
  const made = await engine.open(name);
  if (made === null) throw new AppError('internal', `The search index of ${name.repository} went away after it was made.`);
  return made;
}

function embedWords({ done, total, secondsLeft }: EmbedProgress): string {
  return `… ${done} of ${total} chunks embedded${secondsLeft === null ? '' : ` · ${duration(secondsLeft)} left`}`;
}
