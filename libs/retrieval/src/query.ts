import { tokenise } from '@reenact/code-index';
import { maskVariables, meaningfulLines } from './query-boilerplate.js';
import { errorTexts } from './query-errors.js';

/** What a claim asks of a tree: the port's query. */
export interface ContextQuery {
  title: string;
  body: string;
  frames: QueryFrame[];
  symbols: string[];
}

/** A frame of the report's traces; `line` helps to cut a long function around it. */
export interface QueryFrame {
  file: string;
  function?: string | undefined;
  line?: number | undefined;
}

/** How often the names of frames and symbols are repeated in the query, so that they weigh as much as a few words of prose. */
const FRAME_TIMES = 3;
const SYMBOL_TIMES = 2;
/** A condensed query leaves a reranker's pair of 512 tokens to the code (retrieval.md section 5.3). */
const CONDENSED_PIECES = 96;
/** Letters of a piece of a word: word-piece vocabularies hold common words whole and cut names at about this length. */
const PIECE_LETTERS = 4;

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

/**
 * The query in at most 96 pieces of words, for encoders and rerankers that read a short text: title, first error text, frames (deepest
 * first), symbols, each once; what does not fit is left out from the end. Without title and errors, the first lines of the body.
 */
export function condensedQuery(query: ContextQuery): string {
  const [error] = errorTexts(query.body);
  const told = [query.title, error ?? ''].filter((text) => text.trim() !== '');
  const lead = told.length > 0 ? told : [meaningfulLines(query.body)];
  const parts = [...lead, ...[...query.frames].reverse().map(frameName), ...query.symbols];
  return takePieces([...new Set(parts)], CONDENSED_PIECES);
}

function frameName(frame: QueryFrame): string {
  const base = frame.file.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const name = frame.function ?? '';
  return [base.replace(/\.\w+$/, ''), /^[<(]/.test(name) ? '' : name].join(' ').trim();
}

function takePieces(parts: string[], limit: number): string {
  const taken: string[] = [];
  let pieces = 0;
  for (const part of parts) {
    for (const word of part.slice(0, LONGEST_PART).split(/\s+/)) {
      const size = piecesOf(word);
      if (size > limit - pieces) return taken.join(' ');
      pieces += size;
      if (word !== '') taken.push(word);
    }
  }
  return taken.join(' ');
}

/** Longer parts cannot fit anyway, in characters. */
const LONGEST_PART = 2000;

/** Runs of letters and digits by their length, every other character by itself. */
function piecesOf(word: string): number {
  let pieces = 0;
  for (const [run] of word.matchAll(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu)) pieces += Math.ceil(run.length / PIECE_LETTERS);
  return pieces;
}
