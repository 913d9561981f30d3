/** Numbers that are appended one by one, in a typed array that doubles when it is full. */
export interface GrowingNumbers {
  readonly length: number;
  push(value: number): void;
  /** Adds to one that is there already. */
  add(place: number, value: number): void;
  get(place: number): number;
  /** What was appended so far; a view that later appends may leave behind. */
  values(): Uint32Array<ArrayBuffer>;
}

/** Appends whole numbers from 0 to 2^32 − 1. */
export function growingNumbers(): GrowingNumbers {
  let numbers = new Uint32Array(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === numbers.length) {
        const wider = new Uint32Array(2 * length);
        wider.set(numbers);
        numbers = wider;
      }
      numbers[length++] = value;
    },
    add(place, value) {
      numbers[place] = (numbers[place] ?? 0) + value;
    },
    get: (place) => numbers[place] ?? 0,
    values: () => numbers.subarray(0, length),
  };
}
