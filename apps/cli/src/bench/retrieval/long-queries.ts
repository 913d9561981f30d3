import { seededDraws } from '@reenact/domain';
import { tokenise } from '@reenact/code-index';

/** What a tree's own authors wrote about it. */
export interface Prose {
  docstrings: string[];
  errors: string[];
}

/** Distinct terms of a query of a bug report's size (retrieval.md section 2). */
export const LONG_QUERY_TERMS = 117;

/**
 * Queries that read like bug reports of the tree: an error's type and message, then prose of docstrings, until so many distinct
 * terms are there; terms keep their repetition. The same seed gives the same queries. @throws RangeError without prose.
 */
export function longQueries(prose: Prose, count: number, { seed, terms = LONG_QUERY_TERMS }: { seed: number; terms?: number }): string[][] {
  if (prose.docstrings.length === 0) throw new RangeError('a tree without docstrings gives no queries');
  const draw = seededDraws(seed);
  const pick = (texts: readonly string[]): string => texts[Math.floor(draw() * texts.length)] ?? '';
  return Array.from({ length: count }, () => {
    const tokens: string[] = [];
    const distinct = new Set<string>();
    const take = (text: string): void => {
      for (const token of tokenise(text)) {
        if (distinct.size === terms && !distinct.has(token)) return;
        distinct.add(token);
        tokens.push(token);
      }
    };
    take(pick(prose.errors));
    // Bounded: prose of few words never reaches the number.
    for (let turn = 0; turn < 100 && distinct.size < terms; turn++) take(pick(prose.docstrings));
    return tokens;
  });
}
