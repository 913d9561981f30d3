/** A BERT vocabulary and how text is prepared for it. */
export interface WordPieceSettings {
  /** Pieces by their text; pieces within a word begin with `##`. */
  vocabulary: ReadonlyMap<string, number>;
  lowercase: boolean;
  stripAccents: boolean;
  unknownId: number;
}

/** Splits text into ids of a BERT vocabulary, without special tokens. Text that looks like one (`[SEP]`) stays text. */
export interface WordPiece {
  /** At most `limit` ids. */
  encode(text: string, limit: number): number[];
}

/** Longer words are one unknown piece (the value of every published BERT tokeniser). */
const LONGEST_WORD = 100;
/** Words that are remembered with their pieces; code has few distinct words, hostile text has many. */
const CACHED_WORDS = 200_000;

/** What an ASCII character is to the tokeniser. Everything that is not listed as `plain`, `space` or `mark` takes the slow path. */
const OTHER = 0;
const PLAIN = 1;
const SPACE = 2;
const MARK = 3;
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(code));

/** The tokeniser of BERT models, cased or not: whitespace and marks separate, then the longest piece first. */
export function createWordPiece(settings: WordPieceSettings): WordPiece {
  const piecesOf = cachedPieces(settings);
  return { encode: (text, limit) => encodeText(text, limit, { settings, piecesOf }) };
}

interface Encoder {
  settings: WordPieceSettings;
  piecesOf: (word: string) => readonly number[];
}

function encodeText(text: string, limit: number, encoder: Encoder): number[] {
  const ids: number[] = [];
  let index = 0;
  while (index < text.length && ids.length < limit) {
    const kind = kindAt(text, index);
    if (kind === SPACE) index++;
    else if (kind === MARK) append(ids, encoder.piecesOf(text.charAt(index++)));
    else index = encodeSegment(text, index, { ids, limit, encoder });
  }
  ids.length = Math.min(ids.length, limit);
  return ids;
}

/** Takes what stands up to the next ASCII space or mark: one word where it is plain ASCII, else it is normalised and split. */
function encodeSegment(text: string, start: number, { ids, limit, encoder }: { ids: number[]; limit: number; encoder: Encoder }): number {
  let end = start;
  let isPlain = true;
  for (let kind = kindAt(text, end); end < text.length && kind !== SPACE && kind !== MARK; kind = kindAt(text, ++end)) {
    if (kind === OTHER) isPlain = false;
  }
  const segment = text.slice(start, end);
  if (isPlain) {
    append(ids, encoder.piecesOf(encoder.settings.lowercase ? segment.toLowerCase() : segment));
    return end;
  }
  for (const word of splitNormalised(segment, encoder.settings)) {
    if (ids.length >= limit) break;
    append(ids, encoder.piecesOf(word));
  }
  return end;
}

function kindAt(text: string, index: number): number {
  return ASCII_KINDS[text.charCodeAt(index)] ?? OTHER;
}

function append(ids: number[], pieces: readonly number[]): void {
  for (const piece of pieces) ids.push(piece);
}

/** Letters that BERT's tokeniser takes for words of their own (CJK ideographs and their compatibility forms). */
const IDEOGRAPH =
  /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{f900}-\u{faff}\u{2f800}-\u{2fa1f}]/gu;
const DROPPED = /[\ufffd\p{Cf}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;
const WORD_OR_MARK = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

function splitNormalised(segment: string, { lowercase, stripAccents }: WordPieceSettings): string[] {
  let text = segment.replace(DROPPED, '').replace(IDEOGRAPH, ' $& ');
  if (lowercase) text = text.toLowerCase();
  if (stripAccents) text = text.normalize('NFD').replace(/\p{Mn}/gu, '');
  return text.match(WORD_OR_MARK) ?? [];
}

function cachedPieces(settings: WordPieceSettings): (word: string) => readonly number[] {
  const cache = new Map<string, readonly number[]>();
  const longest = Math.max(0, ...Array.from(settings.vocabulary.keys(), (piece) => piece.length));
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const pieces = splitWord(word, settings, longest);
    if (cache.size >= CACHED_WORDS) cache.clear();
    if (word.length <= LONGEST_WORD) cache.set(word, pieces);
    return pieces;
  };
}

/** Longest piece first, from the left; a word with a part that no piece covers is unknown as a whole. */
function splitWord(word: string, { vocabulary, unknownId }: WordPieceSettings, longest: number): readonly number[] {
  if (word.length > LONGEST_WORD && Array.from(word).length > LONGEST_WORD) return [unknownId];
  const ids: number[] = [];
  for (let start = 0; start < word.length;) {
    const prefix = start === 0 ? '' : '##';
    let end = Math.min(word.length, start + longest);
    let id: number | undefined;
    while (end > start && (id = vocabulary.get(prefix + word.slice(start, end))) === undefined) end--;
    if (id === undefined) return [unknownId];
    ids.push(id);
    start = end;
  }
  return ids;
}

function kindOf(code: number): number {
  if ((code >= 9 && code <= 13) || code === 32) return code === 11 || code === 12 ? OTHER : SPACE;
  if (code < 32 || code === 127) return OTHER;
  const character = String.fromCharCode(code);
  return /[0-9A-Za-z]/.test(character) ? PLAIN : MARK;
}
