/** ESC and BEL, made from their numbers so that no control character stands in a pattern. */
const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);

/**
 * Terminal control sequences (ECMA-48): operating system commands and device strings with their payload, CSI sequences, then any other
 * two-character escape. Every scan stops at the next ESC, so matching is linear in the text.
 */
const CONTROL_SEQUENCES = new RegExp(
  [`${ESC}[\\]PX^_](?:[^${BEL}${ESC}]{0,4096}(?:${BEL}|${ESC}\\\\))?`, `${ESC}\\[[0-?]{0,64}[ -/]{0,8}[@-~]?`, `${ESC}[ -~]?`].join('|'),
  'g',
);
/** Invisible characters: control (tab and newline are handled before), formatting such as bidi overrides, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
const LINE_BREAKS = /\r\n?|[\u2028\u2029\u0085]/g;

/** Untrusted text as lines without control sequences, control or direction characters; a tab becomes two blanks. */
export function plainLines(text: string): string[] {
  return text
    .replace(CONTROL_SEQUENCES, '')
    .replace(LINE_BREAKS, '\n')
    .replaceAll('\t', '  ')
    .split('\n')
    .map((line) => line.replace(INVISIBLE, ''));
}

/** Untrusted text as one line, cut to a number of characters (an ellipsis says so). */
export function plainLine(text: string, maxCharacters = 400): string {
  // cut before the work as well: nobody reads the rest, and it may be megabytes
  const joined = plainLines(text.slice(0, maxCharacters * 8))
    .join(' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...joined];
  if (characters.length <= maxCharacters && text.length <= maxCharacters * 8) return joined;
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
