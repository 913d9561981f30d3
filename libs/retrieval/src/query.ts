import type { ContextQuery, RerankQuery } from '@reenact/domain';
import { tokenise } from '@reenact/code-index';
import { maskVariables, meaningfulLines } from './query-boilerplate.js';
import { errorTexts } from './query-errors.js';

/** A frame of the report's traces; `line` helps to cut a long function around it. */
export type QueryFrame = ContextQuery['frames'][number];

/** How often the names of frames and symbols are repeated in the query, so that they weigh as much as a few words of prose. */
const FRAME_TIMES = 3;
const SYMBOL_TIMES = 2;

/** Tokens of the query, with repetition: title, what the body tells, its error texts, frames that the tree holds, symbols. */
export function queryTokens(query: ContextQuery, knownFrames: QueryFrame[]): string[] {
  const tokens = tokenise(maskVariables(query.title));
  tokens.push(...tokenise(meaningfulLines(query.body)));
  for (const text of errorTexts(query.body)) tokens.push(...tokenise(text));
  for (const frame of knownFrames) {
    const names = tokenise(frameName(frame));
    for (let time = 0; time < FRAME_TIMES; time++) tokens.push(...names);
  }
  for (const symbol of new Set(query.symbols)) {
    const names = tokenise(symbol);
    for (let time = 0; time < SYMBOL_TIMES; time++) tokens.push(...names);
  }
  return tokens;
}

/** The longest beginning of a body that stands for a title that is missing, in characters. */
const LONGEST_TITLE = 300;

/** The query in few words, for rerankers: they read some hundred tokens, and most must be left to the code. Each symbol once. */
export function shortQuery(query: ContextQuery): RerankQuery {
  const title = query.title.trim() === '' ? meaningfulLines(query.body).trim().slice(0, LONGEST_TITLE) : query.title;
  return { title, errors: errorTexts(query.body), frames: query.frames, symbols: [...new Set(query.symbols)] };
}

function frameName(frame: QueryFrame): string {
  const base = frame.file.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const name = frame.function ?? '';
  return [base.replace(/\.\w+$/, ''), /^[<(]/.test(name) ? '' : name].join(' ').trim();
}
