/** Lines of carets and underscores below a line of code, and cuts: they tell nothing. */
export function isMarkText(line: string): boolean {
  return /^[\s~^\-_=|+.]+$/.test(line);
}

// eslint-disable-next-line no-control-regex
const COLOURS = /\u001b\[[0-9;]{0,32}[A-Za-z]/g;

/** A text without the colour codes that libraries put into their messages. */
export function withoutColours(text: string): string {
  return text.replaceAll(COLOURS, '');
}
