/** Longer tokens are hashes, data or minified text (retrieval.md, "Tokenisation"). */
const LONGEST_TOKEN = 64;

const IDENTIFIER = /[\p{L}\p{N}_]+/gu;
/** Parts of an identifier: an acronym before a word, a word, a run of capitals, a run of other letters, a run of digits. */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{Lt}\p{Lm}\p{Lo}]+|\p{N}+/gu;

/**
 * Tokens of code or prose in order of appearance, lower-case: each identifier whole and, beside it, its snake, camel, digit and
 * acronym parts. Dots and all other punctuation separate. `tokenise.fixture.json` pins the behaviour.
 */
export function tokenise(text: string): string[] {
  const tokens: string[] = [];
  for (const [identifier] of text.matchAll(IDENTIFIER)) {
    const whole = identifier.toLowerCase();
    if (!/^_+$/.test(whole)) addToken(tokens, whole);
    if (identifier.length <= 4 * LONGEST_TOKEN) addParts(tokens, identifier, whole);
  }
  return tokens;
}

function addParts(tokens: string[], identifier: string, whole: string): void {
  for (const [part] of identifier.matchAll(PART)) {
    const lower = part.toLowerCase();
    if (lower !== whole) addToken(tokens, lower);
  }
}

function addToken(tokens: string[], token: string): void {
  if (token.length <= LONGEST_TOKEN) tokens.push(token);
}
