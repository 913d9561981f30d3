/** Whole numbers from 0 to 2³² − 1 in the narrowest array that holds them. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** Bytes before each block: its width (1, 2 or 4 bytes a number), then its length in bytes; 32-bit little-endian each. */
const HEADER_BYTES = 8;
const ALIGNMENT = 4;

/** Packs arrays of numbers into one byte array, each as narrow as its largest number allows. */
export function packBlocks(blocks: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const narrow = blocks.map(narrowest);
  const size = narrow.reduce((sum, block) => sum + HEADER_BYTES + aligned(block.byteLength), 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let place = 0;
  for (const block of narrow) {
    view.setUint32(place, block.BYTES_PER_ELEMENT, true);
    view.setUint32(place + 4, block.byteLength, true);
    bytes.set(new Uint8Array(block.buffer, block.byteOffset, block.byteLength), place + HEADER_BYTES);
    place += HEADER_BYTES + aligned(block.byteLength);
  }
  return bytes;
}

/**
 * Reads what {@link packBlocks} wrote; the arrays are views into `bytes`, or into a copy where its place in memory is odd.
 * @throws RangeError where the bytes are no such thing, cut off included.
 */
export function unpackBlocks(bytes: Uint8Array): Numbers[] {
  const whole = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const blocks: Numbers[] = [];
  for (let place = 0; place < whole.byteLength;) {
    const width = view.getUint32(place, true);
    const length = view.getUint32(place + 4, true);
    const start = place + HEADER_BYTES;
    if (start + aligned(length) > whole.byteLength || length % width !== 0) throw new RangeError('a block is cut off');
    blocks.push(viewOf(whole, start, { width, length: length / width }));
    place = start + aligned(length);
  }
  return blocks;
}

function viewOf(bytes: Uint8Array, start: number, { width, length }: { width: number; length: number }): Numbers {
  const place = bytes.byteOffset + start;
  if (width === 1) return new Uint8Array(bytes.buffer, place, length);
  if (width === 2) return new Uint16Array(bytes.buffer, place, length);
  if (width === 4) return new Uint32Array(bytes.buffer, place, length);
  throw new RangeError(`a block has numbers of ${width} bytes`);
}

function narrowest(numbers: ArrayLike<number>): Numbers {
  let largest = 0;
  for (let index = 0; index < numbers.length; index++) largest = Math.max(largest, numbers[index] ?? 0);
  if (largest < 2 ** 8) return Uint8Array.from(numbers);
  return largest < 2 ** 16 ? Uint16Array.from(numbers) : Uint32Array.from(numbers);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
