import type { Launch, LaunchStep } from '@reenact/domain';
import { splitCommands } from '../portfolio/shell-words.js';
import { isTakenAway, valueGiven } from './named-value.js';

/** A launch with one condition of the report changed, and what was changed in words. */
export interface ChangedLaunch {
  launch: Launch;
  label: string;
}

const ONE_PROCESS =
  /\b(?:one|a single|single|1)[- ](?:worker|process|gpu|rank|node|device|card)(?:e?s)?\b|\bsingle[- ](?:process|gpu|node)\b/i;
const RANKS_OPTION = /^--?nproc[-_]per[-_]node(?:=(\d{1,2}))?$/;

/** The same program with the arguments that a clause names: "`python train.py 1` is fine". */
export function byCommand(launch: Launch, clause: string): ChangedLaunch | null {
  for (const [, code = ''] of clause.matchAll(/`([^`\n]{3,300})`/g)) {
    const [command] = splitCommands(code);
    const at = command?.words.findIndex((word) => word.endsWith('.py')) ?? -1;
    if (!command || at === -1 || /[<>…]/.test(code)) continue;
    const program = command.words[at]!;
    const args = command.words.slice(at + 1);
    const ranks = ranksOf(command.words.slice(0, at));
    const steps = launch.steps.map((step) => withArguments(step, { program, args, ranks }));
    const changed = { ...launch, steps, env: { ...launch.env, ...command.env } };
    if (isChanged(launch, changed)) return { launch: changed, label: `as in \`${code.trim()}\`` };
  }
  return null;
}

function withArguments(step: LaunchStep, good: { program: string; args: string[]; ranks: number | null }): LaunchStep {
  const at = step.argv.findIndex((word) => word.endsWith('.py') && fileName(word) === fileName(good.program));
  if (at === -1) return step;
  return { ...step, argv: [...step.argv.slice(0, at + 1), ...good.args], ranks: good.ranks ?? step.ranks };
}

function fileName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

function ranksOf(words: string[]): number | null {
  for (const [index, word] of words.entries()) {
    const match = RANKS_OPTION.exec(word);
    if (match) return Number(match[1] ?? words[index + 1]) || null;
  }
  return null;
}

/** One process instead of several: "with one worker it finishes". */
export function byWorldSize(launch: Launch, clause: string): ChangedLaunch | null {
  if (!ONE_PROCESS.test(clause)) return null;
  const changed = { ...launch, steps: launch.steps.map((step) => ({ ...step, ranks: 1 })) };
  return isChanged(launch, changed) ? { launch: changed, label: 'with one process' } : null;
}

/** An option of the command taken out, or with the value that the clause gives. */
export function byOption(launch: Launch, clause: string): ChangedLaunch | null {
  const options = new Set(
    launch.steps.flatMap((step) => step.argv.filter((word) => /^--[A-Za-z]/.test(word)).map((word) => word.split('=')[0]!)),
  );
  for (const option of options) {
    const value = valueGiven(clause, option);
    const away = isTakenAway(clause, option);
    if (value === null && !away) continue;
    const steps = launch.steps.map((step) => ({ ...step, argv: withOption(step.argv, option, away ? null : value) }));
    const changed = { ...launch, steps };
    if (isChanged(launch, changed)) return { launch: changed, label: away ? `without \`${option}\`` : `with \`${option} ${value ?? ''}\`` };
  }
  return null;
}

/** Null takes the option and its value out. */
function withOption(argv: string[], option: string, value: string | null): string[] {
  const words: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at]!;
    if (word !== option && !word.startsWith(`${option}=`)) {
      words.push(word);
      continue;
    }
    const next = argv[at + 1];
    const takesNext = word === option && next !== undefined && !next.startsWith('--');
    // A bare flag stays a flag: a value given to it in prose is no argument.
    if (value !== null) words.push(...(word.includes('=') ? [`${option}=${value}`] : takesNext ? [option, value] : [word]));
    if (takesNext) at += 1;
  }
  return words;
}

/** An environment variable that the clause sets: "with `OMP_NUM_THREADS=1` it is gone". */
export function byVariable(launch: Launch, clause: string): ChangedLaunch | null {
  for (const [, name = '', value = ''] of clause.matchAll(/(?<![\w-])([A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,5})=([\w.:,+-]{1,60})/g)) {
    const changed = { ...launch, env: { ...launch.env, [name]: value } };
    if (isChanged(launch, changed)) return { launch: changed, label: `with \`${name}=${value}\`` };
  }
  return null;
}

function isChanged(before: Launch, after: Launch): boolean {
  return JSON.stringify([before.steps, before.env]) !== JSON.stringify([after.steps, after.env]);
}
