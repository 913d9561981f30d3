import type { OpenedTree } from '@reenact/code-index';
import type { RerankQuery } from '@reenact/domain';
import { createChunkIndex, createEmbedder, openRanking, openSharedEmbeddings, reportText } from '@reenact/retrieval';
import type { EmbedProgress, OpenedRanking } from '@reenact/retrieval';
import type { CommandContext } from '../commands/command-context.js';
import { startProgress } from './index-progress.js';
import { duration } from './index-words.js';

/** A tree that can be asked, and the embedder's name; null where none is configured. */
export type SearchTree = OpenedRanking & { model: string | null };

/** What the ranking by words is told, and in short what models are. */
export interface TreeQuestion {
  tokens: string[];
  short: RerankQuery;
}

/** Opens the configured engine on a tree, with the configured embedder. @throws AppError as engine and embedder; the signal's reason. */
export async function openSearchTree(
  context: CommandContext,
  tree: OpenedTree,
  { tokens, short, signal }: TreeQuestion & { signal: AbortSignal },
): Promise<SearchTree> {
  const { stateDirectory, retrievalModels, search } = context.configuration;
  const index = createChunkIndex(search, stateDirectory);
  const name = { repository: tree.revision, revision: tree.digest };
  const request = { name, chunks: tree.filed, tokens, text: reportText(short) };
  const embedder = await createEmbedder(retrievalModels);
  const progress = context.console.isTerminal && !context.quiet ? startProgress(context.console.talk, embedWords) : null;
  const dense = embedder === null ? null : { embedder, cache: openSharedEmbeddings(stateDirectory, retrievalModels, context.report) };
  try {
    const options = { signal, onNotice: context.report, onProgress: (state: EmbedProgress) => progress?.show(state) };
    return { ...(await openRanking({ index, dense }, request, options)), model: embedder?.name ?? null };
  } finally {
    progress?.stop();
    dense?.cache.close();
    await embedder?.close();
  }
}

function embedWords({ done, total, secondsLeft }: EmbedProgress): string {
  return `… ${done} of ${total} chunks embedded${secondsLeft === null ? '' : ` · ${duration(secondsLeft)} left`}`;
}
