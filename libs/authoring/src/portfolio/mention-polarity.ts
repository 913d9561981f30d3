/** What a report says about the outcome of one command. */
export type Polarity = 'good' | 'bad' | 'open';

const NEGATED_GOOD =
  /\b(?:not|never|cannot|can't|longer|[a-z]{2,8}n't)\s+(?:\w+\s+){0,2}(?:work|works|finish|finishes|complete|completes|pass|passes|succeed|end|ends|return|returns|fine|learn|converge|load|continue|correct)\b/i;
const GOOD =
  /\b(?:works?|worked|finishe[sd]|finish|complete[sd]|passe[sd]|pass|succeed(?:s|ed)?|fine|ok|okay|correct(?:ly)?|as expected|no (?:problem|error|issue|trouble|exception|warning)s?|without (?:a |any )?(?:complaint|error|trouble|problem|issue|exception)s?|behaves well|trains well|healthy)\b/i;
const BAD =
  /\b(?:fail(?:s|ed|ure|ing)?|crash(?:es|ed)?|hangs?|hung|stuck|dies|died|raise[sd]?|throws?|errors?|exception|traceback|nan|inf|wrong|freezes|stops?|killed|segfaults?|diverges?|deadlocks?|differs?|different|\w*Error|\w*Exception|ends? (?:in|with)|breaks?|broken|blows? up|explodes?|worse|slow(?:er)?|leaks?|grows?|never)\b/i;

/**
 * Polarity of a command from the words of its own clause: what comes after it first, then what comes before. "`a` is fine,
 * `b` fails" makes `a` good and `b` bad; "it works with `a`" makes `a` good.
 */
export function polarityOf(before: string, after: string): Polarity {
  const following = judgeClause(firstClause(after));
  if (following !== 'open') return following;
  return judgeClause(lastClause(before));
}

function firstClause(text: string): string {
  const clause = /^[^.;\n]{0,240}/.exec(text.replace(/^\s*\)/, ''))![0];
  return clause.split(/,?\s+\b(?:but|while|whereas|then|and then)\b/i)[0]!;
}

function lastClause(text: string): string {
  const lower = text.toLowerCase();
  const marks = ['. ', ';', '\n', ', ', ' but ', ' while ', ' whereas '];
  return text.slice(Math.max(0, ...marks.map((mark) => lower.lastIndexOf(mark) + 1)));
}

function judgeClause(clause: string): Polarity {
  const text = clause.slice(0, 300);
  const negated = text.search(NEGATED_GOOD);
  const good = text.search(GOOD);
  const bad = text.search(BAD);
  if (negated !== -1 && (good === -1 || negated <= good)) return 'bad';
  if (good === -1 && bad === -1) return 'open';
  if (good === -1) return 'bad';
  // "no error" holds both words; the good one begins earlier.
  return bad === -1 || good < bad ? 'good' : 'bad';
}
