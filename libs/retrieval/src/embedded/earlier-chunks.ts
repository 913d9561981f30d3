import type { ChunkPlace } from '@reenact/domain';
import type { GenerationShape } from './generation.js';
import { textOf } from './packed-text.js';
import type { CoreSections } from './sections.js';

/** A generation from which chunks can be taken over. */
export interface EarlierGeneration {
  shape: Pick<GenerationShape, 'chunks' | 'kinds'>;
  sections: CoreSections;
}

const HEX_A_BYTE = 2;
const ID_BYTES = 32;

/**
 * Finds chunks of an earlier generation by all that their tokens depend on: id (path, span and text), kind and name. Answers a
 * chunk's number there, each once; −1 where there is none.
 */
export function findEarlier({ shape, sections }: EarlierGeneration): (chunk: ChunkPlace) => number {
  const ids = Buffer.from(sections.ids).toString('hex');
  const numbers = new Map<string, number>();
  const length = HEX_A_BYTE * ID_BYTES;
  for (let chunk = 0; chunk < shape.chunks; chunk++) numbers.set(ids.slice(chunk * length, (chunk + 1) * length), chunk);
  const nameOf = textOf({ offsets: sections.nameOffsets, bytes: sections.nameBytes });
  return ({ id, kind, name }) => {
    const number = numbers.get(id) ?? -1;
    if (number < 0 || shape.kinds[sections.kinds[number] ?? 0] !== kind || nameOf(number) !== name) return -1;
    numbers.delete(id);
    return number;
  };
}
