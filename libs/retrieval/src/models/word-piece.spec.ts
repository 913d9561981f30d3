import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWordPiece } from './word-piece.js';

/** A small vocabulary with every ASCII character, some words and their pieces, marks and letters of other scripts. */
const WORDS =
  'def return loss backward tensor batch size cuda memory error float the of model optim izer ing step λ é ß ü 中 国 ά σ ς к і'.split(' ');
const ASCII = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
const MARKS = ['—', '“', '…', '。', '¿', '§'];
const PIECES = [...new Set(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...ASCII, ...WORDS, ...MARKS])];
const WITHIN = [...ASCII.filter((letter) => /[A-Za-y0-9]/.test(letter)), ...WORDS].map((piece) => `##${piece}`);
const VOCABULARY = new Map([...new Set([...PIECES, ...WITHIN])].map((piece, id) => [piece, id]));

function pair(lowercase: boolean, stripAccents: boolean | null = null) {
  const json = {
    version: '1.0',
    added_tokens: [],
    truncation: null,
    padding: null,
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: stripAccents, lowercase },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY),
    },
  };
  const oracle = new Tokenizer(json, { unk_token: '[UNK]' });
  const own = createWordPiece({
    vocabulary: VOCABULARY,
    lowercase,
    stripAccents: stripAccents ?? lowercase,
    unknownId: VOCABULARY.get('[UNK]')!,
  });
  return {
    own: (text: string) => own.encode(text, Number.POSITIVE_INFINITY),
    oracle: (text: string) => oracle.encode(text, { add_special_tokens: false }).ids,
  };
}

/** Code-like text with the characters that tokenisers get wrong. */
const odd = fc.constantFrom(
  ...[
    '\u0000',
    '\u200b',
    '\u00a0',
    '\u0301',
    'é',
    'e\u0301',
    'İ',
    'ΆΣ',
    'ß',
    'K',
    '≠',
    ';',
    '中国',
    'x中y',
    '\u2028',
    '\u00ad',
    '\ufffd',
    '\u000b',
  ],
  ...['\f', '\r\n', '\t', '…', '—', '“', '\ud800', '😀', '👩‍💻', 'ﬁ', 'a'.repeat(100), 'a'.repeat(101), '____', '[x]', 'z', 'zz'],
);
const code = fc.constantFrom(
  ...['def f(x):', 'loss.backward()', 'self.Batch_Size', 'CUDA error: 64', '  ', '\n', '0x1F', "f'{a!r}'", 'λ = 1', '"""Doc.', '@step'],
);
const text = fc
  .array(fc.oneof(code, odd, fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 })))
  .map((parts) => parts.join(''));

/** The oracle looks at UTF-16 units, and so never sets an ideograph beyond the basic plane apart. */
const hasFarIdeograph = (value: string) => /[\u{20000}-\u{2ffff}]/u.test(value);

/** The oracle lower-cases the whole text at once: whether a sigma is a final one then hangs on letters beyond the next mark. */
const hasSigma = (value: string) => value.includes('Σ');

describe('createWordPiece', () => {
  it.each([
    ['uncased', true, null],
    ['cased', false, null],
    ['uncased with accents', true, false],
    ['cased without accents', false, true],
  ])('gives the ids of the reference implementation: %s', (_, lowercase, stripAccents) => {
    const { own, oracle } = pair(lowercase, stripAccents);
    fc.assert(
      fc.property(text, (value) => {
        fc.pre(!hasFarIdeograph(value) && !hasSigma(value));
        expect(own(value)).toEqual(oracle(value));
      }),
      { numRuns: 400 },
    );
  });

  it('sets every ideograph apart, also beyond the basic plane', () => {
    const { own } = pair(true);
    expect(own('a𠀀b')).toEqual([VOCABULARY.get('a'), VOCABULARY.get('[UNK]'), VOCABULARY.get('b')]);
  });

  it('never turns text into a special token', () => {
    const { own } = pair(true);
    expect(own('[SEP]')).toEqual(['[', 's', '##e', '##p', ']'].map((piece) => VOCABULARY.get(piece)));
  });

  it('cuts at the limit, and stops there', () => {
    const { own } = pair(true);
    const whole = own('def backward(self): return loss.step');
    const cut = createWordPiece({ vocabulary: VOCABULARY, lowercase: true, stripAccents: true, unknownId: 1 });
    for (let limit = 0; limit <= whole.length; limit++)
      expect(cut.encode('def backward(self): return loss.step', limit)).toEqual(whole.slice(0, limit));
  });

  it('takes time in proportion to hostile text', () => {
    const { own } = pair(true);
    expect(own('\u0301a'.repeat(50_000))).toEqual([VOCABULARY.get('[UNK]')]);
    expect(own('é'.repeat(50_000))).toEqual([VOCABULARY.get('[UNK]')]);
  });
});
