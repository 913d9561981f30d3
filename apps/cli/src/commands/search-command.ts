import path from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '@reenact/domain';
import type { OpenedTree } from '@reenact/code-index';
import type { ChunkFilter, ChunkKind, SearchAnswer, SearchHit } from '@reenact/domain';
import { plainLine } from '@reenact/reporting';
import { createReranker, RERANKED, rerankHits } from '@reenact/retrieval';
import { writeJson } from '../console.js';
import { openProject } from '../search/open-project.js';
import { questionOf, readQuery } from '../search/read-query.js';
import type { SearchQuery } from '../search/read-query.js';
import { renderSearch } from '../search/render-search.js';
import { openSearchTree } from '../search/search-tree.js';
import { collect, contextOf, wholeNumber, withCommon } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';
import { interruptible } from './interruptible.js';

interface SearchOptions {
  explain?: boolean;
  limit: number;
  path: string[];
  kind: ChunkKind[];
  tests: boolean;
}

/** Every kind once; a new one that is missing here does not compile. */
const KINDS: Record<ChunkKind, true> = {
  function: true,
  method: true,
  class: true,
  run: true,
  window: true,
  cell: true,
  configuration: true,
  launcher: true,
  readme: true,
  requirements: true,
};

/** `search`: the code of a project that words or a report speak of; in this process, without a server. */
export function addSearchCommand(program: Command, host: CommandHost): void {
  const kinds = new Option('--kind <kind>', 'search only this kind of chunk (repeatable)').choices(Object.keys(KINDS));
  const command = program
    .command('search')
    .description('The code of a project that words or a report speak of, best first.')
    .argument('<dir>', 'folder of the project')
    .argument('<query>', 'words and names, or @ and the path of a report')
    .option('--explain', 'tell how each score came about')
    .option('-n, --limit <n>', 'at most so many', wholeNumber(1, 1000), 10)
    .option('--path <path>', 'search only this file or folder of the project (repeatable)', collect, [] as string[])
    .addOption(kinds.argParser((kind: string, previous: ChunkKind[]) => [...previous, chunkKind(kind)]).default([] as ChunkKind[], 'all'))
    .option('--no-tests', 'leave out test_*.py, *_test.py, conftest.py and folders of tests');
  withCommon(command, [
    'search examples/nan-loss "gradient clipping"',
    'search ./project @issue.md --explain --no-tests',
    'search ./project "DataLoader workers" --path src/data --kind function --json',
  ]).action(async (directory: string, text: string, options: SearchOptions) => {
    const context = contextOf(host, command);
    const query = await readQuery(text, context.workingDirectory);
    const filter = filterOf(options);
    await interruptible(host, context, (signal) => searchFolder(context, directory, { query, filter, options }, signal));
  });
}

interface Asked {
  query: SearchQuery;
  filter: ChunkFilter;
  options: SearchOptions;
}

async function searchFolder(
  context: CommandContext,
  directory: string,
  { query, filter, options }: Asked,
  signal: AbortSignal,
): Promise<void> {
  const tree = await openProject(context, directory, { signal });
  try {
    const question = await questionOf(query, tree);
    const { search, vector, model } = await openSearchTree(context, tree, { ...question, signal });
    const limit = Math.max(options.limit, RERANKED);
    const answer = await search
      .search({ tokens: question.tokens, vector, limit, filter, explain: options.explain === true }, { signal })
      .finally(() => search.close());
    const reranker = await createReranker(context.configuration.retrievalModels);
    const texts = textsOf(tree, answer.hits);
    const textOf = ({ id }: SearchHit): string => texts.get(id) ?? '';
    const ordered = await rerankHits(reranker, { query: question.short, hits: answer.hits, textOf }, { signal }).finally(() =>
      reranker.close(),
    );
    const hits = ordered.slice(0, options.limit).map(({ hit, rerank }) => ({ ...hit, rerank, firstLine: firstLineOf(textOf(hit)) }));
    const mode = model === null ? 'lexical' : 'hybrid';
    if (context.json) return writeJson(context.console, { schemaVersion: 1, mode, model, ...answer, hits });
    if (hits.length > 0) context.console.data(`${renderSearch(answer, hits)}\n`);
    context.report(summaryOf(answer, model));
  } finally {
    tree.close();
  }
}

/** Texts of hits by their ids, for reranker and terminal. Every read decodes a whole file, so each file is read once. */
function textsOf(tree: OpenedTree, hits: SearchHit[]): Map<string, string> {
  const found = new Set(hits.map(({ id }) => id));
  const files = new Set(hits.map(({ file }) => file));
  const chunks = [...files].flatMap((file) => tree.read(file)?.chunks ?? []);
  return new Map(chunks.filter(({ id }) => found.has(id)).map(({ id, text }) => [id, text]));
}

/** First line of a text that holds a word; empty where there is none. */
function firstLineOf(text: string): string {
  return text.split('\n').find((line) => /\w/.test(line)) ?? '';
}

function summaryOf({ hits, chunks, pending }: SearchAnswer, model: string | null): string {
  if (chunks === 0) return 'No chunk passes the filter: nothing was searched.';
  const found = hits.length === 0 ? `None of ${chunks} chunks holds a word of the query` : `Searched ${chunks} chunks`;
  if (model === null) return `${found}; lexical: no embedding model is configured.`;
  const waiting = pending === 0 ? 'all of them embedded' : `${pending} of them not embedded yet, reckoned with the mean of the others`;
  return `${found} by words and by ${plainLine(model, 100)}, ${waiting}.`;
}

function chunkKind(text: string): ChunkKind {
  const kind = (Object.keys(KINDS) as ChunkKind[]).find((known) => known === text);
  if (kind === undefined) throw new AppError('usage', `There is no kind ${text}.`, { hint: `Kinds: ${Object.keys(KINDS).join(', ')}.` });
  return kind;
}

function filterOf({ path: paths, kind, tests }: SearchOptions): ChunkFilter {
  return {
    ...(paths.length === 0 ? {} : { paths: paths.map(innerPath) }),
    ...(kind.length === 0 ? {} : { kinds: kind }),
    withoutTests: !tests,
  };
}

/** A path as the index has them: relative to the project, with `/`, without one at the end. */
function innerPath(given: string): string {
  const inner = path.posix.normalize(given.replaceAll('\\', '/')).replace(/\/$/, '');
  if (inner.startsWith('/') || inner === '..' || inner.startsWith('../'))
    throw new AppError('usage', `The path ${given} lies outside the project.`, {
      hint: 'Give it relative to the folder that is searched.',
    });
  return inner === '.' ? '' : inner;
}
