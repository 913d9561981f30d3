import type { OracleOf } from '@reenact/domain';
import { compilePattern, matchesIn } from '../pattern/safe-pattern.js';
import { containsContentWords, contentWords } from './content-words.js';
import { announces, essenceOf, type Essence } from './essence.js';
import { comparableMessage, type MaskedMessage } from './mask-message.js';
import { lineSimilarity } from './text-similarity.js';

export type ClaimedMessage = NonNullable<OracleOf<'exception'>['message']>;

/** `equal`: the same after masking. `similar`: enough only together with equal type and frames. */
export type MessageMatch = 'equal' | 'similar' | 'none';

/** Least similarity of two masked messages of one fault (verdict.md section 4). */
const LEAST_SIMILARITY = 0.8;

/** Words outside of quotes and masks that carry meaning. */
function tellingWords(masked: string): string[] {
  return contentWords(masked.replaceAll(/'[^']{0,400}'|<[^<>]{1,200}>/g, ' '));
}

/** Where each of two lines has words that the other lacks, one says something else than the other. */
function isReworded(left: string, right: string): boolean {
  const a = tellingWords(left);
  const b = tellingWords(right);
  return a.some((word) => !b.includes(word)) && b.some((word) => !a.includes(word));
}

function quotedNames(masked: string): string[] {
  return masked.match(/'[^'\s]{1,200}'/g) ?? [];
}

/** Names in quotes tell what a message is about: the fewer of the two have to be among the others. */
function quotesOthers(left: string, right: string): boolean {
  const [few, many] = [quotedNames(left), quotedNames(right)].toSorted((a, b) => a.length - b.length);
  return few !== undefined && many !== undefined && few.some((name) => !many.includes(name));
}

function compareLines(seen: MaskedMessage, wanted: MaskedMessage): MessageMatch {
  if (seen.text === wanted.text) return 'equal';
  const keptInBoth = seen.kept.slice(0, wanted.kept.length).join() === wanted.kept.join();
  if (wanted.text.length >= 40 && keptInBoth && seen.text.startsWith(wanted.text.replace(/(?:\.{3}|…)$/, '').trim())) return 'equal';
  if (seen.kept.join() !== wanted.kept.join() || isReworded(seen.text, wanted.text) || quotesOthers(seen.text, wanted.text)) return 'none';
  return lineSimilarity(seen.text, wanted.text) > LEAST_SIMILARITY ? 'similar' : 'none';
}

/** Whether further lines of both name other ranks, dtypes or devices, as far as both go. */
function restDiffers(seen: Essence, wanted: Essence): boolean {
  const left = comparableMessage(seen.rest.join('\n')).kept;
  const right = comparableMessage(wanted.rest.join('\n')).kept;
  const shared = Math.min(left.length, right.length);
  return left.slice(0, shared).join() !== right.slice(0, shared).join();
}

function compareSignatures(message: string, claimed: string): MessageMatch {
  if (comparableMessage(claimed).text === '') return 'none';
  if (comparableMessage(message).text === comparableMessage(claimed).text) return 'equal';
  const seen = essenceOf(message);
  const wanted = essenceOf(claimed);
  // Reports quote the first line of a long message, or cut it.
  const heads = compareLines(comparableMessage(seen.head), comparableMessage(wanted.head));
  if (heads === 'none' || restDiffers(seen, wanted)) return 'none';
  const [seenNext, wantedNext] = [seen.rest[0], wanted.rest[0]];
  if (!announces(wanted.head) || seenNext === undefined || wantedNext === undefined) return heads;
  const reasons = compareLines(comparableMessage(seenNext), comparableMessage(wantedNext));
  return reasons === 'equal' ? heads : reasons;
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
