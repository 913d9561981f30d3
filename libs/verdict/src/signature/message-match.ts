import type { OracleOf } from '@reenact/domain';
import { compilePattern, matchesIn } from '../pattern/safe-pattern.js';
import { containsContentWords } from './content-words.js';
import { comparableMessage } from './mask-message.js';
import { lineSimilarity } from './text-similarity.js';

export type ClaimedMessage = NonNullable<OracleOf<'exception'>['message']>;

/** `equal`: the same after masking. `similar`: enough only together with equal type and frames. */
export type MessageMatch = 'equal' | 'similar' | 'none';

/** Least similarity of two masked messages of one fault (verdict.md section 4). */
const LEAST_SIMILARITY = 0.8;

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}

function compareSignatures(message: string, claimed: string): MessageMatch {
  const seen = comparableMessage(message);
  const wanted = comparableMessage(claimed);
  if (wanted.text === '') return 'none';
  if (seen.text === wanted.text) return 'equal';
  // Reports quote the first line of a long message, or cut it.
  if (comparableMessage(firstLine(message)).text === comparableMessage(firstLine(claimed)).text) return 'equal';
  const keptInBoth = seen.kept.slice(0, wanted.kept.length).join() === wanted.kept.join();
  if (wanted.text.length >= 40 && keptInBoth && seen.text.startsWith(wanted.text.replace(/(?:\.{3}|…)$/, '').trim())) return 'equal';
  if (seen.kept.join() !== wanted.kept.join()) return 'none';
  return lineSimilarity(seen.text, wanted.text) > LEAST_SIMILARITY ? 'similar' : 'none';
}

/** Compares a recorded message with the claimed one in the claim's own way. @throws AppError `oracle-invalid` */
export function matchMessage(message: string, claimed: ClaimedMessage): MessageMatch {
  switch (claimed.match) {
    case 'signature':
      return compareSignatures(message, claimed.text);
    case 'contains': {
      const wanted = comparableMessage(claimed.text).text;
      return wanted !== '' && comparableMessage(message).text.includes(wanted) ? 'equal' : 'none';
    }
    case 'keywords':
      return containsContentWords(message, claimed.text) ? 'equal' : 'none';
    case 'regex':
      return claimed.text !== '' && matchesIn(compilePattern(claimed.text, 's'), message).length > 0 ? 'equal' : 'none';
  }
}
