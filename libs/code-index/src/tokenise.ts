/** Longer tokens are hashes, data or minified text (retrieval.md, "Tokenisation"). */
const LONGEST_TOKEN = 64;

const IDENTIFIER = /[\p{L}\p{N}_]+/gu;
/** Parts of an identifier: an acronym before a word, a word, a run of capitals, a run of other letters, a run of digits. */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{Lt}\p{Lm}\p{Lo}]+|\p{N}+/gu;

const ASCII_IDENTIFIER = /\w+/g;
// eslint-disable-next-line no-control-regex -- the range of ASCII begins with a control character
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** The identifiers, words and numbers of a text in order. */
export function identifiersOf(text: string): string[] {
  return text.match(BEYOND_ASCII.test(text) ? IDENTIFIER : ASCII_IDENTIFIER) ?? [];
}

/** Tokens of one identifier, lower-case: the whole, then its snake, camel, digit and acronym parts where they differ from it. */
export function identifierTokens(identifier: string): string[] {
  const whole = identifier.toLowerCase();
  const tokens = /^_+$/.test(whole) ? [] : [whole];
  if (identifier.length <= 4 * LONGEST_TOKEN) {
    for (const part of identifier.match(PART) ?? []) {
      const lower = part.toLowerCase();
      if (lower !== whole) tokens.push(lower);
    }
  }
  return tokens.filter((token) => token.length <= LONGEST_TOKEN);
}

/**
 * Tokens of code or prose in order of appearance, lower-case: each identifier whole and, beside it, its snake, camel, digit and
 * acronym parts. Dots and all other punctuation separate. `tokenise.fixture.json` pins the behaviour.
 */
export function tokenise(text: string): string[] {
  return identifiersOf(text).flatMap(identifierTokens);
}
