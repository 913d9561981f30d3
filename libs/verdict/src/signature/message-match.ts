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

/** A name by its last part: `Embedding.load` is `load`; a path stays whole. */
function lastPart(name: string): string {
  return /[\\/\s]/.test(name) ? name : (name.split('.').at(-1) ?? name);
}

/** The words of a message with their dots and slashes, and what it has in quotes. */
function wordsIn(text: string): { quoted: string[]; written: string[] } {
  const written = text.match(/[\w./\\-]{1,400}/g) ?? [];
  return {
    quoted: (text.match(/'[^']{1,200}'/g) ?? []).map((name) => name.slice(1, -1)),
    written: written.map((word) => word.replaceAll(/^[.-]+|[.-]+$/g, '')),
  };
}

/**
 * Whether a recorded message that is only similar to the claimed one names something else: another file, key or argument,
 * that is a word in quotes, a path, or one with a dot or an underscore. It may be the same fault met under another name,
 * or the right answer to another input.
 */
export function namesOthers(message: string, claimed: ClaimedMessage): boolean {
  if (claimed.match !== 'signature' || compareSignatures(message, claimed.text) !== 'similar') return false;
  const seen = wordsIn(comparableMessage(message).text);
  const present = new Set([...seen.quoted, ...seen.written].map(lastPart));
  const wanted = wordsIn(comparableMessage(claimed.text).text);
  const names = [...wanted.quoted, ...wanted.written.filter((word) => /[./\\_]/.test(word))];
  return names.some((name) => !present.has(lastPart(name)));
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
