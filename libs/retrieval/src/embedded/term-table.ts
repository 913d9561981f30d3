import type { PackedText } from './packed-text.js';

/**
 * Slots of an open-addressed hash table over packed terms: 0 is empty, else a term's number and one. A table in an array is there
 * as soon as its file is read, where a `Map` of 340,000 strings would take a fifth of a second at every opening.
 */
export function buildTermSlots(terms: PackedText): Uint32Array {
  const count = terms.offsets.length - 1;
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  for (let term = 0; term < count; term++) {
    const start = terms.offsets[term] ?? 0;
    const end = terms.offsets[term + 1] ?? 0;
    let slot = hashBytes(terms.bytes, start, end) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = term + 1;
  }
  return slots;
}

/** Number of a term; −1 where no chunk holds it. */
export function findTerm(terms: PackedText, slots: Uint32Array, term: string): number {
  const wanted = Buffer.from(term, 'utf8');
  const mask = slots.length - 1;
  let slot = hashBytes(wanted, 0, wanted.length) & mask;
  for (let taken = slots[slot] ?? 0; taken !== 0; taken = slots[slot] ?? 0) {
    if (equalsTerm(terms, taken - 1, wanted)) return taken - 1;
    slot = (slot + 1) & mask;
  }
  return -1;
}

function equalsTerm(terms: PackedText, term: number, wanted: Uint8Array): boolean {
  const start = terms.offsets[term] ?? 0;
  if ((terms.offsets[term + 1] ?? 0) - start !== wanted.length) return false;
  for (let place = 0; place < wanted.length; place++) if (terms.bytes[start + place] !== wanted[place]) return false;
  return true;
}

/** FNV-1a of 32 bits (offset basis 2166136261, prime 16777619; draft-eastlake-fnv), its high bits folded into the low ones. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 2_166_136_261;
  for (let place = start; place < end; place++) hash = Math.imul(hash ^ (bytes[place] ?? 0), 16_777_619);
  return (hash ^ (hash >>> 15)) >>> 0;
}
