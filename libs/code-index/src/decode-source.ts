import { TextDecoder } from 'node:util';

/** Encoding declaration of PEP 263: a comment in one of the first two lines. */
const DECLARED_ENCODING = /^[ \t\f]*#.{0,200}?coding[:=][ \t]*([-\w.]{1,40})/;

/** Python's names for encodings that the decoder of the web platform calls otherwise. */
const ENCODING_ALIASES: Record<string, string> = {
  latin1: 'iso-8859-1',
  'latin-1': 'iso-8859-1',
  'iso-latin-1': 'iso-8859-1',
  cp1252: 'windows-1252',
  utf8: 'utf-8',
};

/**
 * Bytes of a source file as text: byte-order mark removed, declared encoding (PEP 263) obeyed, undecodable bytes replaced,
 * all line ends turned into `\n` and NUL into a space, so that line numbers agree with those of Python and of the parser.
 */
export function decodeSource(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 500))
    .toString('latin1')
    .split(/\r\n|\r|\n/, 2);
  const declared = head.map((line) => DECLARED_ENCODING.exec(line)?.[1]?.toLowerCase()).find((name) => name !== undefined) ?? 'utf-8';
  return decoderOf(declared.replaceAll('_', '-')).decode(bytes).replace(/\r\n?/g, '\n').replaceAll('\0', ' ');
}

function decoderOf(name: string): TextDecoder {
  try {
    return new TextDecoder(ENCODING_ALIASES[name] ?? name);
  } catch {
    return new TextDecoder('utf-8');
  }
}

/** True for bytes that are no text: a NUL among the first 8,000, as git decides. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
