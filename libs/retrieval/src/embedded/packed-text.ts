/** Strings end to end as UTF-8: string number `n` lies at `offsets[n]` to `offsets[n + 1]`. */
export interface PackedText {
  offsets: Uint32Array;
  bytes: Uint8Array;
}

/** Packs strings in the order given. */
export function packText(strings: Iterable<string>): PackedText {
  const encoder = new TextEncoder();
  const offsets: number[] = [0];
  let bytes = new Uint8Array(4096);
  let length = 0;
  for (const text of strings) {
    // A code unit takes at most three bytes of UTF-8.
    const most = length + 3 * text.length;
    if (most > bytes.length) {
      const wider = new Uint8Array(Math.max(most, 2 * bytes.length));
      wider.set(bytes.subarray(0, length));
      bytes = wider;
    }
    length += encoder.encodeInto(text, bytes.subarray(length)).written;
    offsets.push(length);
  }
  return { offsets: Uint32Array.from(offsets), bytes: bytes.subarray(0, length) };
}

/** String number `place`. */
export function unpackText(text: PackedText, place: number): string {
  // Copied first: a decoder takes no shared memory.
  return Buffer.from(text.bytes.slice(text.offsets[place] ?? 0, text.offsets[place + 1] ?? 0)).toString('utf8');
}

/** Reads many strings of a packed text: copied as a whole instead of once a string. */
export function textOf({ offsets, bytes }: PackedText): (place: number) => string {
  const copy = Buffer.from(bytes);
  return (place) => copy.toString('utf8', offsets[place] ?? 0, offsets[place + 1] ?? 0);
}
