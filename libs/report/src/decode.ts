import { AppError } from '@reenact/domain';
import type { ReportLimits } from './limits.js';

/** Share of unprintable characters above which the bytes are no text. */
const BINARY_SHARE = 0.2;
const SAMPLE_CHARACTERS = 65_536;
/** Stands where the middle of a long report was left out. */
export const CUT_MARK = '\n\n[… cut …]\n\n';

// CSI and OSC sequences of terminals; both classes exclude what starts the next one, so the scan stays linear.
// eslint-disable-next-line no-control-regex
const ANSI = /\u001b(?:\[[0-9;?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)?)/g;
/** Zero-width, direction and byte-order characters: they can hide or reorder what a reader sees. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Text of a report and whether a part of it was left out. */
export interface DecodedReport {
  text: string;
  truncated: boolean;
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function decodeBytes(bytes: Uint8Array, encoding: string, maxBytes: number): string[] {
  const decode = (part: Uint8Array): string => new TextDecoder(encoding, { fatal: false }).decode(part);
  if (bytes.length <= maxBytes) return [decode(bytes)];
  const head = Math.floor((maxBytes * 3) / 4 / 2) * 2;
  const tail = bytes.length - Math.floor(maxBytes / 4 / 2) * 2;
  // UTF-16 units are two bytes: the tail starts at an even offset.
  return [decode(bytes.subarray(0, head)), decode(bytes.subarray(tail - (tail % 2)))];
}

function isBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const odd = (sample.match(CONTROL) ?? []).length - (sample.match(ANSI) ?? []).length + (sample.match(/\ufffd/g) ?? []).length;
  return sample.length > 0 && odd / sample.length > BINARY_SHARE;
}

function clean(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(ANSI, '')
    .replace(INVISIBLE, '')
    .replace(CONTROL, '')
    .replace(/\u00a0/g, ' ');
}

/** Cuts long lines, and the lines in the middle of a text with too many. */
function cutLines(text: string, limits: ReportLimits): string {
  const lines = text
    .split('\n')
    .map((line) => (line.length > limits.maxLineCharacters ? line.slice(0, limits.maxLineCharacters).toWellFormed() : line));
  if (lines.length <= limits.maxLines) return lines.join('\n');
  const head = Math.floor((limits.maxLines * 3) / 4);
  return lines.slice(0, head).join('\n') + CUT_MARK + lines.slice(-(limits.maxLines - head)).join('\n');
}

/** Cuts the middle of a text that is too long by characters. */
function cutCharacters(text: string, limits: ReportLimits): string {
  if (text.length <= limits.maxCharacters) return text;
  const head = Math.floor((limits.maxCharacters * 3) / 4);
  const tail = Math.max(0, limits.maxCharacters - head - CUT_MARK.length);
  return text.slice(0, head).toWellFormed() + CUT_MARK + (tail > 0 ? text.slice(-tail).toWellFormed() : '');
}

/**
 * Decodes a report: byte-order marks, UTF-8 with replacement, line ends as `\n`, terminal sequences and
 * invisible or control characters removed, long lines and long reports cut (`truncated`).
 *
 * @throws AppError `report-unreadable` when the bytes are no text.
 */
export function decodeReport(bytes: Uint8Array, limits: ReportLimits): DecodedReport {
  const encoding = encodingOf(bytes);
  // One character has at most four bytes; what is kept is cut again by characters below.
  const parts = decodeBytes(bytes, encoding, limits.maxCharacters * 4);
  if (isBinary(parts[0] ?? '')) {
    throw new AppError('report-unreadable', 'The report is not text.', { hint: 'Give a text or Markdown file in UTF-8.' });
  }
  const cleaned = parts.map(clean);
  const whole = cleaned.join(CUT_MARK);
  const text = cutCharacters(cutLines(whole, limits), limits);
  return { text, truncated: parts.length > 1 || text !== whole };
}
