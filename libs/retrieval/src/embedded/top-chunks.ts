/** A chunk's place in the order of the index, and its score. */
export interface RankedChunk {
  chunk: number;
  score: number;
}

/** Keeps the best of many scored chunks. */
export interface TopChunks {
  push(chunk: number, score: number): void;
  /** The lowest score that is kept; −∞ while there is room. */
  threshold(): number;
  /** Best first; ties in the order of the index. */
  ranked(): RankedChunk[];
}

/** The best `limit` chunks, in a heap with the worst at its root: no sort over everything. */
export function createTopChunks(limit: number): TopChunks {
  const heap: RankedChunk[] = [];
  const isWorse = (left: RankedChunk, right: RankedChunk): boolean =>
    left.score !== right.score ? left.score < right.score : left.chunk > right.chunk;
  return {
    push(chunk, score) {
      const root = heap[0];
      if (heap.length < limit) {
        heap.push({ chunk, score });
        siftUp(heap, isWorse);
      } else if (root !== undefined && (score > root.score || (score === root.score && chunk < root.chunk))) {
        heap[0] = { chunk, score };
        siftDown(heap, isWorse);
      }
    },
    threshold: () => (heap.length < limit ? -Infinity : (heap[0]?.score ?? Infinity)),
    ranked: () => [...heap].sort((left, right) => (isWorse(left, right) ? 1 : -1)),
  };
}

type Worse = (left: RankedChunk, right: RankedChunk) => boolean;

function siftUp(heap: RankedChunk[], isWorse: Worse): void {
  let place = heap.length - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!swapWhere(heap, place, parent, isWorse)) return;
    place = parent;
  }
}

function siftDown(heap: RankedChunk[], isWorse: Worse): void {
  let place = 0;
  for (;;) {
    const [left, right] = [2 * place + 1, 2 * place + 2];
    const [first, second] = [heap[left], heap[right]];
    if (first === undefined) return;
    const worse = second !== undefined && isWorse(second, first) ? right : left;
    if (!swapWhere(heap, worse, place, isWorse)) return;
    place = worse;
  }
}

/** Swaps the item at `lower` with the one above it where it is the worse one. */
function swapWhere(heap: RankedChunk[], lower: number, upper: number, isWorse: Worse): boolean {
  const [below, above] = [heap[lower], heap[upper]];
  if (below === undefined || above === undefined || !isWorse(below, above)) return false;
  heap[lower] = above;
  heap[upper] = below;
  return true;
}
