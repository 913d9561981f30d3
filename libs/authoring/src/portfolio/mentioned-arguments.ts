import { declaredArguments } from './entry-arguments.js';
import type { DeclaredArgument } from './entry-arguments.js';
import { polarityOf } from './mention-polarity.js';

/** Arguments for an entry point that a report names without a whole command. */
export interface MentionedArguments {
  args: string[];
  repairs: string[];
}

interface Mention {
  argument: DeclaredArgument;
  value: string | null;
}

const MAX_MENTIONS = 12;
const MAX_FOUND = 100;

/**
 * Options that a report speaks of ("with `--amp` the loss gets NaN", "batch_size=3 fails") and that the program declares.
 * An option in a clause about what works, or after "without", is left out; so is one whose value the report does not give.
 */
export function mentionedArguments(source: string, reportText: string): MentionedArguments {
  const declared = declaredArguments(source).filter(({ positional }) => !positional);
  const found = new Map<string, Mention>();
  if (declared.length > 0) {
    for (const mention of findOptions(reportText.slice(0, 100_000), declared))
      if (!found.has(mention.argument.name)) found.set(mention.argument.name, mention);
  }
  const mentions = [...found.values()].slice(0, MAX_MENTIONS);
  return {
    args: mentions.flatMap(({ argument, value }) => [flagOf(argument), ...(value === null ? [] : [value])]),
    repairs: mentions.map(
      ({ argument, value }) => `added \`${flagOf(argument)}${value === null ? '' : ` ${value}`}\`: the report speaks of it`,
    ),
  };
}

function flagOf(argument: DeclaredArgument): string {
  return argument.flags.find((flag) => flag.startsWith('--')) ?? argument.flags[0]!;
}

function findOptions(text: string, declared: DeclaredArgument[]): Mention[] {
  const mentions: Mention[] = [];
  // `--name value`, `--name=value`, `--name`
  for (const match of text.matchAll(/(?<![\w-])(--?[A-Za-z][\w-]{0,60})(?:(?:=|[ \t])([\w.+/-]{1,80}))?/g)) {
    if (mentions.length >= MAX_FOUND) return mentions;
    const argument = declared.find(({ flags }) => flags.includes(match[1]!));
    if (argument) push(mentions, argument, { text, start: match.index, end: match.index + match[1]!.length, value: match[2] });
  }
  // `name=value` and `name = value` in prose or code
  for (const match of text.matchAll(/(?<![\w.-])([A-Za-z_]\w{1,40})[ \t]{0,2}=[ \t]{0,2}(-?[\w.+-]{1,40})(?![\w(])/g)) {
    const argument = declared.find(({ name }) => name === match[1]!.replaceAll('-', '_'));
    if (argument?.takesValue) push(mentions, argument, { text, start: match.index, end: match.index + match[0].length, value: match[2] });
  }
  return mentions;
}

function push(
  mentions: Mention[],
  argument: DeclaredArgument,
  place: { text: string; start: number; end: number; value: string | undefined },
): void {
  const before = place.text.slice(Math.max(0, place.start - 200), place.start);
  // Options of a whole command belong to the candidate that is made of it.
  if (/\.py\b|\btorchrun\b|\bpython[\d.]{0,5} -m\b/.test(before.slice(before.lastIndexOf('\n') + 1).replace(/^[\s\S]*[.!?] /, ''))) return;
  const after = place.text.slice(place.end, place.end + 240);
  if (/\b(?:without|no|not|instead of|disabling|removing|omitting)\b[\s`"'*]{0,4}$/i.test(before) || polarityOf(before, after) === 'good')
    return;
  if (!argument.takesValue) mentions.push({ argument, value: null });
  else if (place.value !== undefined && fits(argument, place.value.replace(/[.]$/, '')))
    mentions.push({ argument, value: place.value.replace(/[.]$/, '') });
}

function fits(argument: DeclaredArgument, value: string): boolean {
  if (argument.choices.length > 0) return argument.choices.includes(value);
  return !argument.typed || Number.isFinite(Number(value));
}
