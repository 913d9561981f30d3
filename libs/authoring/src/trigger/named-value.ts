/** A value as reports and programs write it: number, word, dotted name or quoted text, up to 60 characters. */
export const VALUE = String.raw`(?:-?\d[\d_.eE+-]{0,30}|[A-Za-z_][\w.]{0,60}|'[^'\n]{0,60}'|"[^"\n]{0,60}")`;

const WORD_NUMBERS: Record<string, string> = { zero: '0', one: '1', two: '2', four: '4', eight: '8' };
/** Words that stand between a name and what follows it without being its value. */
const NO_VALUES = new Set([
  'is',
  'it',
  'and',
  'or',
  'the',
  'of',
  'to',
  'a',
  'an',
  'in',
  'on',
  'for',
  'works',
  'finishes',
  'everything',
  'all',
]);

/**
 * The value that a clause gives to a setting: `num_workers=0`, `--num-workers 0`, "batch size of 1", "zero workers" is
 * not read. Null where the clause names the setting without a value, or not at all.
 */
export function valueGiven(clause: string, name: string): string | null {
  const spelled = name.replace(/^-+/, '').split(/[-_]/).filter(Boolean).map(escapeRegExp).join('[-_ ]');
  if (spelled === '') return null;
  const pattern = new RegExp(
    String.raw`(?<![\w-])(?:--)?${spelled}[\`"']{0,2}(?:\s{0,2}(?:=|:)\s{0,2}|\s+(?:of|is|set to|at|to)\s+|\s+)\`?(${VALUE})`,
    'i',
  );
  const found = pattern.exec(clause)?.[1]?.replace(/[.,;:]$/, '');
  if (found === undefined || NO_VALUES.has(found.toLowerCase())) return null;
  return WORD_NUMBERS[found.toLowerCase()] ?? found;
}

/** Whether the clause takes the setting away: "without `--amp`", "with amp disabled", "amp off". */
export function isTakenAway(clause: string, name: string): boolean {
  const spelled = name.replace(/^-+/, '').split(/[-_]/).filter(Boolean).map(escapeRegExp).join('[-_ ]');
  if (spelled === '') return false;
  const named = String.raw`[\`"']{0,2}(?:--)?${spelled}(?![\w-])[\`"']{0,2}`;
  return (
    new RegExp(String.raw`\b(?:without|no|not using|dropping|removing|omitting|leaving out|disabling)\s+(?:the\s+)?${named}`, 'i').test(
      clause,
    ) || new RegExp(String.raw`(?<![\w-])${named}\s+(?:is\s+|switched\s+|turned\s+)?(?:off|disabled|removed)\b`, 'i').test(clause)
  );
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
