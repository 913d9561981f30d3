const STOP_WORDS = new Set(
  (
    'a an the and or but of in on at to from by for with without into out over under about as is are was were be been being it its this that these those ' +
    'i we you he she they my our your their me us them there here not no can cannot could may might must shall should will would do does did done doing ' +
    'has have had having get gets got when while where which who what why how then than so if because some any all each every more most other same such ' +
    'only also just even still very one two message error exception raise raises raised throws thrown says saying mention mentions mentioning talks talk'
  ).split(' '),
);

const SUFFIXES = ['ations', 'ation', 'ings', 'ing', 'ions', 'ion', 'edly', 'ed', 'ies', 'es', 's', 'ly', 'e', 'y'];

/** A light stem: `pickled`, `pickle` and `pickling` share one. The rest has at least three letters. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  const suffix = SUFFIXES.find((ending) => lower.endsWith(ending) && lower.length - ending.length >= 3);
  const rest = suffix ? lower.slice(0, -suffix.length) : lower;
  const last = rest.at(-1);
  const doubled = rest.length > 3 && last === rest.at(-2) && last !== 's' && last !== 'l';
  return doubled ? rest.slice(0, -1) : rest;
}

function wordsOf(text: string): string[] {
  return text.slice(0, 20_000).match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [];
}

/** The words of a claimed message that carry its meaning, stemmed, each once. */
export function contentWords(text: string): string[] {
  const words = wordsOf(text).filter((word) => word.length >= 2 && !STOP_WORDS.has(word.toLowerCase()));
  return [...new Set(words.map(stem))];
}

/** `reduct` and `reduc` count as one word, `graph` and `gradient` do not. */
function sameStem(left: string, right: string): boolean {
  if (left === right) return true;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  return short.length >= 4 && long.length - short.length <= 2 && long.startsWith(short);
}

/** Whether every content word of the claim occurs in the message. False where the claim has none. */
export function containsContentWords(message: string, claimed: string): boolean {
  const wanted = contentWords(claimed);
  const words = wordsOf(message);
  const pieces = words.flatMap((word) => word.split('_').flatMap((piece) => piece.split(/(?<=[a-z0-9])(?=[A-Z])/)));
  const present = [...new Set([...words, ...pieces].map(stem))];
  return wanted.length > 0 && wanted.every((word) => present.some((seen) => sameStem(word, seen)));
}
