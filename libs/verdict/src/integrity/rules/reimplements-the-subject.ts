import type { Finding } from '@reenact/domain';
import { persistence, shownTrials, notShown, tripwireFacts } from '../arm-facts.js';
import { answered, type ConfirmInput, placeOf, type Rule, suspicion } from '../rule.js';

const CODE = 'reimplements-the-subject';
/** verdict.md section 7: more than 60 % of the tokens; short functions are alike by chance. */
const LEAST_OVERLAP = 0.6;
const LEAST_TOKENS = 30;
const FUNCTIONS_LIMIT = 5_000;

/** A function of the script is a copy of one of the subject's, so that the subject's own need not run. */
export const reimplementsTheSubject: Rule = {
  code: CODE,
  check(input) {
    const found: Finding[] = [];
    const originals = [...input.subject.texts].flatMap(([file, text]) =>
      functionTexts(text, input.subject.outlines.get(file)?.functions ?? []).map((fn) => ({ file, ...fn })),
    );
    for (const fn of input.script.scopes.functions.values()) {
      const tokens = tokensOf(fn.node.text);
      if (fn.node.type !== 'function_definition' || tokens.length < LEAST_TOKENS) continue;
      const copy = originals
        .slice(0, FUNCTIONS_LIMIT)
        .find((original) => original.tokens.length >= LEAST_TOKENS && overlap(tokens, original.tokens) > LEAST_OVERLAP);
      if (copy === undefined) continue;
      found.push(
        suspicion(CODE, `${fn.name} is nearly ${copy.name} of ${copy.file}`, {
          ...placeOf(fn),
          detail: { target: copy.name },
        }),
      );
    }
    return found;
  },
  confirm: confirmCopy,
};

function confirmCopy(finding: Finding, input: ConfirmInput): Finding {
  if (shownTrials(input, undefined).length === 0) return notShown(finding);
  const tripwire = tripwireFacts(input, undefined);
  const persists = persistence(input, undefined);
  if (persists !== null) return answered(finding, 'finding', persists);
  if (tripwire.tripped)
    return answered(finding, 'refuted', "the subject's own function runs: its sentinel was seen, and the signal went with it");
  return answered(finding, 'suspicion', 'no tripwire says which of the two runs');
}

function functionTexts(
  text: string,
  functions: readonly { name: string; startLine: number; endLine: number }[],
): { name: string; tokens: string[] }[] {
  const lines = text.split('\n');
  return functions.map((fn) => ({ name: fn.name, tokens: tokensOf(lines.slice(fn.startLine - 1, fn.endLine).join('\n')) }));
}

/** Names, numbers and signs; comments and blanks are no tokens. */
function tokensOf(text: string): string[] {
  return text.replace(/#[^\n]*/g, '').match(/[A-Za-z_]\w*|\d[\w.]*|[^\s\w]/g) ?? [];
}

/** Dice coefficient of two token bags, 0 to 1. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const token of b) counts.set(token, (counts.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of a) {
    const left = counts.get(token) ?? 0;
    if (left > 0) common += 1;
    counts.set(token, left - 1);
  }
  return (2 * common) / (a.length + b.length);
}
