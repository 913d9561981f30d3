import { shortId } from '@reenact/domain';
import { redactSecrets } from './redact-secrets.js';

/**
 * Text of others as data: between marks that carry a digest of the text, so that the text cannot hold its own end mark;
 * keys are masked, and what is over the limit is cut in the middle with a word about it. `maxBytes` bounds the whole.
 */
export function quoteData(label: string, text: string, maxBytes: number): string {
  const name = label.replace(/[^\w./:-]/g, '_').slice(0, 160);
  const unmarked = redactSecrets(text).replace(/<{3,}/g, (run) => run.split('').join(' '));
  const inner = cutMiddle(unmarked, maxBytes - 2 * name.length - 60);
  const mark = `${name} ${shortId({ name, inner })}`;
  return `<<<DATA ${mark}>>>\n${inner}\n<<<END ${mark}>>>`;
}

/** Labels of what differs from run to run of one and the same case: output with times, memory sizes and chance in it. */
const OUTPUT_LABELS = ['memory', 'previous-run'];
const OUTPUT_BLOCKS = new RegExp(`<<<DATA (${OUTPUT_LABELS.join('|')}) [0-9a-f]{12}>>>\\n[\\s\\S]*?\\n<<<END \\1 [0-9a-f]{12}>>>`, 'g');

/** The prompt with everything that programs printed taken out: equal for two runs that differ in nothing else. */
export function withoutProgramOutput(prompt: string): string {
  return prompt.replace(OUTPUT_BLOCKS, '<<<$1>>>');
}

/** Keeps the first two thirds and the last third of a text that is too long, in UTF-8 bytes. */
export function cutMiddle(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const room = Math.max(0, maxBytes - 40);
  const head = bytes
    .subarray(0, Math.floor((room * 2) / 3))
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  const tail = bytes
    .subarray(bytes.length - Math.floor(room / 3))
    .toString('utf8')
    .replace(/^\uFFFD+/, '');
  return `${head}\n[… ${bytes.length - room} bytes cut …]\n${tail}`;
}

/** One part of a prompt; parts are given room in the order of `rank`, and stand in the order of the list. */
export interface Section {
  rank: number;
  /** Renders the part within a number of bytes; an empty text leaves it out. */
  render: (maxBytes: number) => string;
  /** Most that the part may take, in bytes. */
  maxBytes: number;
}

/** 12,000 tokens at four bytes each: fits the window of small local models together with the answer. */
export const PROMPT_BYTES = 48_000;
const MIN_ROOM = 200;

/** Joins sections within a byte budget: the more important ones get their room first. */
export function joinSections(sections: Section[], maxBytes: number = PROMPT_BYTES): string {
  const rendered = new Map<Section, string>();
  let left = maxBytes;
  for (const section of sections.toSorted((a, b) => a.rank - b.rank)) {
    const room = Math.min(section.maxBytes, left - 2);
    const text = room < MIN_ROOM ? '' : section.render(room);
    const bytes = Buffer.byteLength(text) + 2;
    const fits = text !== '' && bytes <= left;
    rendered.set(section, fits ? text : '');
    if (fits) left -= bytes;
  }
  return sections
    .map((section) => rendered.get(section) ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}
