/** Cuts a command line into words as a POSIX shell does, without expanding anything; null for an open quotation. */
export function shellWords(command: string): string[] | null {
  const words: string[] = [];
  let word = '';
  let started = false;
  let quote = '';
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"') word += command[(at += 1)] ?? '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      started = true;
    } else if (character === '\\') {
      word += command[(at += 1)] ?? '';
      started = true;
    } else if (/\s/.test(character)) {
      if (started || word !== '') words.push(word);
      word = '';
      started = false;
    } else word += character;
  }
  if (quote !== '') return null;
  if (started || word !== '') words.push(word);
  return words;
}
