const WORD = /(?<![\p{L}\p{N}_.])-?[\p{L}\p{N}_.]+/gu;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Every run of letters and digits in a text that has a digit, with its sign: numbers, versions, names such as `L6`. */
export function figuresIn(text: string): string[] {
  return (text.match(WORD) ?? []).map(trimDots).filter((word) => /\d/.test(word));
}

function trimDots(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && word[start] === '.') start += 1;
  while (end > start && word[end - 1] === '.') end -= 1;
  return word.slice(start, end);
}

/** Whether a figure of a sentence is one of a record's: the same word, or a plain number of the same value. */
export function occursAmong(figure: string, figures: ReadonlySet<string>): boolean {
  if (figures.has(figure)) return true;
  if (!PLAIN_NUMBER.test(figure)) return false;
  for (const other of figures) if (PLAIN_NUMBER.test(other) && Number(other) === Number(figure)) return true;
  return false;
}

/** Whether a figure says a computed number, rounded as the figure is written. */
export function isRounded(figure: string, value: number): boolean {
  if (!PLAIN_NUMBER.test(figure)) return false;
  const decimals = figure.split('.')[1]?.length ?? 0;
  return Math.abs(Number(figure) - value) <= 0.5 * 10 ** -decimals * (1 + 1e-9);
}

/** A text as quotes are compared: white space folded, curly quotes straight, what no terminal shows left out. */
export function foldText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Untrusted words as a sentence of a result quotes them: between “ and ”, with neither inside, cut to a number of characters. */
export function quoted(text: string, maxCharacters = 500): string {
  const folded = [...foldText(text.slice(0, maxCharacters * 8))];
  const cut = folded.length > maxCharacters || text.length > maxCharacters * 8;
  return `“${folded.slice(0, cut ? maxCharacters - 1 : maxCharacters).join('')}${cut ? '…' : ''}”`;
}

/** The quoted parts of a sentence, and what is left of it without them. */
export function splitQuotes(text: string): { quotes: string[]; rest: string } {
  const quotes = [...text.matchAll(/“([^”]*)”/g)].map((match) => match[1] ?? '');
  return { quotes, rest: text.replace(/“[^”]*”/g, ' ') };
}

/** All texts and numbers of a value that came from JSON, as one text. */
export function leavesOf(value: unknown): string {
  const parts: string[] = [];
  const visit = (one: unknown): void => {
    if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') parts.push(String(one));
    else if (Array.isArray(one)) one.forEach(visit);
    else if (typeof one === 'object' && one !== null) Object.entries(one).forEach(([key, inner]) => (parts.push(key), visit(inner)));
  };
  visit(value);
  return parts.join('\n');
}

/** All numbers of a value that came from JSON. */
export function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}
