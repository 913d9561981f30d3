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

/** All strings; copied as a whole instead of once a string. */
export function unpackAll({ offsets, bytes }: PackedText): string[] {
  const copy = Buffer.from(bytes);
  return Array.from({ length: offsets.length - 1 }, (_unused, place) => copy.toString('utf8', offsets[place], offsets[place + 1]));
}

/** Strings `from` to `to` (not included) of a packed text. */
export interface TextRange {
  text: PackedText;
  from: number;
  to: number;
}

/** Puts ranges end to end; bytes are copied, not decoded. */
export function joinRanges(ranges: readonly TextRange[]): PackedText {
  const sizes = ranges.map(({ text: { offsets }, from, to }) => (offsets[to] ?? 0) - (offsets[from] ?? 0));
  const offsets = new Uint32Array(ranges.reduce((sum, { from, to }) => sum + to - from, 1));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let [place, end] = [0, 0];
  ranges.forEach(({ text, from, to }, range) => {
    const first = text.offsets[from] ?? 0;
    bytes.set(text.bytes.subarray(first, first + (sizes[range] ?? 0)), end);
    for (let string = from + 1; string <= to; string++) offsets[++place] = end + (text.offsets[string] ?? 0) - first;
    end += sizes[range] ?? 0;
  });
  return { offsets, bytes };
}
