import path from 'node:path';
import type { OpenedTree } from '@reenact/code-index';
import { tokenise } from '@reenact/code-index';
import { AppError } from '@reenact/domain';
import type { ContextQuery, ReportedException } from '@reenact/domain';
import { projectFrames, readReport } from '@reenact/report';
import { shortQuery, treeQuery } from '@reenact/retrieval';
import { MAX_REPORT_BYTES, readInput } from '../requests/read-input.js';
import type { TreeQuestion } from './search-tree.js';

/** What to search for: words, or a report that a query is made of. */
export type SearchQuery = { type: 'words'; words: string } | { type: 'report'; query: ContextQuery };

/**
 * Reads the query of a command line: `@` and a file is a report, anything else are words.
 * @throws AppError `report-unreadable`; `usage` for words without a letter or digit.
 */
export async function readQuery(text: string, workingDirectory: string): Promise<SearchQuery> {
  if (text.startsWith('@')) {
    const bytes = await readInput(path.resolve(workingDirectory, text.slice(1)), { what: 'report', maxBytes: MAX_REPORT_BYTES });
    const report = readReport(bytes);
    const frames = report.exceptions.flatMap((exception) => chainOf(exception).flatMap(projectFrames));
    return { type: 'report', query: { title: report.title, body: report.text, frames, symbols: report.symbols.map(({ name }) => name) } };
  }
  if (tokenise(text).length === 0)
    throw new AppError('usage', 'The query holds no word.', { hint: 'Give words or names, or @ and the path of a report.' });
  return { type: 'words', words: text };
}

/** What engine and models are asked; the tokens of a report take the frames that the tree holds. */
export async function questionOf(query: SearchQuery, tree: OpenedTree): Promise<TreeQuestion> {
  const short = query.type === 'words' ? { title: query.words, errors: [], frames: [], symbols: [] } : shortQuery(query.query);
  const tokens = query.type === 'words' ? tokenise(query.words) : treeQuery(await tree.codeIndex(), query.query).tokens;
  return { tokens, short };
}

/** An exception and those it was raised from. */
function chainOf(exception: ReportedException): ReportedException[] {
  const chain: ReportedException[] = [];
  for (let link: ReportedException | undefined = exception; link !== undefined; link = link.cause) chain.push(link);
  return chain;
}
