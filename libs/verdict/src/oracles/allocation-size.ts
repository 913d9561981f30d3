const UNITS: Record<string, number> = {
  '': 1,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  KI: 1024,
  MI: 1024 ** 2,
  GI: 1024 ** 3,
  TI: 1024 ** 4,
  PI: 1024 ** 5,
};
/**
 * Words with which allocators say how much was asked for; other sizes in the message are capacities. NumPy writes three
 * digits, and so `262. TiB` (numpy/_core/_exceptions.py, `_size_to_string`).
 */
const ASKED = /\b(?:tried|trying|unable|failed) to allocate(?: request for)? (\d{1,18}(?:\.\d{0,6})?) ?([KMGTP]i?)?B\b/i;
const ASKED_BYTES = /\b(?:tried to allocate|trying to allocate|allocating) (\d{1,18}) bytes\b/i;

/** The size in bytes that an allocator says it was asked for, or null where its message does not tell. */
export function allocationBytes(message: string): number | null {
  const text = message.slice(0, 4_096);
  const plain = ASKED_BYTES.exec(text);
  if (plain) return Number(plain[1]);
  const match = ASKED.exec(text);
  if (!match) return null;
  return Number(match[1]) * (UNITS[(match[2] ?? '').toUpperCase()] ?? 1);
}
