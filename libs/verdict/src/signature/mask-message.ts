import { markBracketedTypes, markTypes, namesType, wordForNumber } from './kept-types.js';
import { NUMBER_MASKS, putMasks, RANK_MASKS, RUN_MASKS } from './mask-table.js';
import { withoutColours } from './mark-text.js';
import { unifyWording } from './wording.js';

/**
 * What two messages of one fault share. Numbers, addresses, paths, hashes and times differ from run to run; ranks of
 * tensors and dtypes do not, and two messages that differ there are two faults (verdict.md section 4).
 */
export interface MaskedMessage {
  text: string;
  /** Ranks, index ranges, dtypes and device kinds in their order; equal in two messages of one fault. */
  kept: string[];
}

const MESSAGE_LIMIT = 8_192;
/** A size, an unknown size or a symbol, or up to three of them with operators: `28`, `None`, `?`, `s0`, `2*s0 + 1`. */
const ATOM = String.raw`(?:\d{1,9}|\?|[A-Za-z_]\w{0,31})`;
const ITEM = String.raw`-?${ATOM}(?:\s?[*+/-]\s?${ATOM}){0,3}`;
/** A bracket ends the scan of the one before it, so that long lists stay linear. */
const LIST = new RegExp(String.raw`[[(]\s{0,4}${ITEM}(?:\s{0,4},\s{0,4}${ITEM})*\s{0,4},?\s{0,4}[\])]`, 'g');
/** What makes a list of names one of sizes. */
const SIZE = /^(?:\d{1,9}\b.*|-\d.*|None|\?|[A-Z]|[su]\d{1,4}\b.*)$/;

/** `[64, 784]` and `(None, 784)` are rank-2 shapes whatever the sizes; `[-1, 0]` is a range of axes and stays as it is. */
function maskList(list: string): string {
  const items = list
    .slice(1, -1)
    .split(',')
    .map((item) => item.trim());
  const sizes = items.filter((item) => item !== '');
  if (!sizes.some((item) => SIZE.test(item)) || namesType(list)) return list;
  // The only argument of a call is no shape.
  if (items.length === 1 && sizes[0] === 'None') return list;
  if (sizes.some((item) => item.startsWith('-'))) return `<range ${sizes.map(wordForNumber).join(' ')}>`;
  return `<rank ${wordForNumber(String(sizes.length))}>`;
}

/** Masks one message by the tables of `mask-table.ts`. Linear in its length, which is cut at 8192 characters. */
export function maskMessage(message: string): MaskedMessage {
  const plain = unifyWording(withoutColours(message.slice(0, MESSAGE_LIMIT)).replaceAll('\u00a0', ' '));
  const named = putMasks(markBracketedTypes(plain), RUN_MASKS);
  const shaped = putMasks(named.replaceAll(/\[\s{0,4}\]|(?<![\w\])>])\(\s{0,4}\)/g, '<rank a>').replaceAll(LIST, maskList), RANK_MASKS);
  const text = putMasks(markTypes(shaped), NUMBER_MASKS).replaceAll(/\s+/g, ' ').trim();
  return { text, kept: text.match(/<(?:rank|range|dtype|device) [^<>]{1,4096}>/g) ?? [] };
}

/** The masked text in lower case and with quotes of one kind, as it is compared. */
export function comparableMessage(message: string): MaskedMessage {
  const masked = maskMessage(message);
  return { text: masked.text.replaceAll(/[`‘’“”"]/g, "'").toLowerCase(), kept: masked.kept };
}
