import type { RerankQuery } from '@reenact/domain';
import type { WordPiece } from './word-piece.js';

/** Share of the room that the title and the error may take each; what one leaves, the next has. */
const TITLE_SHARE = 0.4;
const ERROR_SHARE = 0.7;

/**
 * What a cross-encoder is told about a report, in at most `limit` tokens: title, weightiest error line, functions of the frames
 * (the innermost first), symbols.
 */
export function condenseQuery(query: RerankQuery, tokenizer: WordPiece, limit: number): number[] {
  const ids = tokenizer.encode(query.title, Math.floor(limit * TITLE_SHARE));
  ids.push(...tokenizer.encode(query.errors[0] ?? '', Math.floor(limit * ERROR_SHARE) - ids.length));
  const functions = query.frames.flatMap((frame) => (frame.function === undefined || /^[<(]/.test(frame.function) ? [] : [frame.function]));
  const names = new Set([...functions.toReversed(), ...query.symbols]);
  ids.push(...tokenizer.encode([...names].join(' '), limit - ids.length));
  return ids;
}
