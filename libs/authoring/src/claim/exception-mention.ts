import type { Frame, Span } from '@reenact/domain';

/** One place of the report that speaks of an exception. */
export interface ExceptionMention {
  /** Type as printed; null when only the message is told. */
  type: string | null;
  /** The message as quoted or printed. */
  text: string | null;
  /** `signature`: the whole message; `contains`: a quoted part. */
  match: 'signature' | 'contains';
  /** Content words of a description of the message. */
  words: string[];
  through: string[];
  frames: Frame[];
  /** A trace outweighs a printed line, a line outweighs prose. */
  strength: 'trace' | 'line' | 'prose';
  statement: string;
  span: Span;
  title: boolean;
  /** Only adds to a mention that names a type; by itself it is too little. */
  weak?: true;
}

/** Last component of a dotted type name. */
export function shortType(type: string): string {
  return type.split('.').at(-1) ?? type;
}
