/**
 * SHA-256 (FIPS 180-4) in plain TypeScript, for code that may not use Node's built-ins: workflows and the domain.
 * Stage libraries use `node:crypto`; both give the same hex digest.
 */
const K = new Uint32Array(64);
const INITIAL = new Uint32Array(8);
// FIPS 180-4 section 4.2.2 and 5.3.3: fractional parts of the cube and square roots of the first primes.
for (let candidate = 2, found = 0; found < 64; candidate++) {
  let prime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) prime = false;
  if (!prime) continue;
  if (found < 8) INITIAL[found] = fraction(Math.sqrt(candidate));
  K[found++] = fraction(Math.cbrt(candidate));
}

function fraction(x: number): number {
  return Math.floor((x - Math.floor(x)) * 2 ** 32) >>> 0;
}

function rotate(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function compress(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const s0 = rotate(at(w, i - 15), 7) ^ rotate(at(w, i - 15), 18) ^ (at(w, i - 15) >>> 3);
    const s1 = rotate(at(w, i - 2), 17) ^ rotate(at(w, i - 2), 19) ^ (at(w, i - 2) >>> 10);
    w[i] = (at(w, i - 16) + s0 + at(w, i - 7) + s1) >>> 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, i) + at(w, i)) >>> 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (at(state, i) + word) >>> 0));
}

function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return Uint8Array.from(bytes);
}

/** Hex SHA-256 of a text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  const message = utf8(text);
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  const state = Uint32Array.from(INITIAL);
  const w = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
    compress(state, w);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}
