const COMPARED_LIMIT = 1_500;

/**
 * Similarity of two lines in [0, 1]: 1 − edit distance / longer length (Levenshtein 1966), over at most 1500 characters
 * of each. 1 for two empty texts.
 */
export function lineSimilarity(left: string, right: string): number {
  const a = left.slice(0, COMPARED_LIMIT);
  const b = right.slice(0, COMPARED_LIMIT);
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 1;
  let previous = Array.from({ length: b.length + 1 }, (_unused, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return 1 - (previous[b.length] ?? 0) / longest;
}
