/** Tokens of a text that are compared: a chunk of the usual size has some hundred. */
const COMPARED = 4_000;
/** Tokens of a line. */
const LINE = 64;

/** Length of the longest run of tokens, in order and without a gap, that a line shares with a text. */
export function longestSharedRun(line: readonly string[], text: readonly string[]): number {
  const words = line.slice(0, LINE);
  let longest = 0;
  let previous = new Uint8Array(words.length + 1);
  for (const token of text.slice(0, COMPARED)) {
    const current = new Uint8Array(words.length + 1);
    for (const [index, word] of words.entries()) {
      if (word !== token) continue;
      const run = previous[index]! + 1;
      current[index + 1] = run;
      if (run > longest) longest = run;
    }
    previous = current;
  }
  return longest;
}

/** Share of the items that fulfil a condition; 0 of none. */
export function shareOf<Item>(items: readonly Item[], fulfils: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(fulfils).length / items.length;
}
