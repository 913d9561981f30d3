import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { Configuration } from '@reenact/domain';
import { loadConfiguration } from '../config.js';
import type { Console } from '../console.js';
import { openSession } from '../runs/session.js';
import type { Session } from '../runs/session.js';

/** What every command gets. */
export interface CommandContext {
  configuration: Configuration;
  console: Console;
  workingDirectory: string;
  /** `--json`: one object on standard output. */
  json: boolean;
  quiet: boolean;
  /** One sentence for the user, on standard error. */
  report: (message: string) => void;
}

/** What the process lends to its commands. */
export interface CommandHost {
  console: Console;
  workingDirectory: string;
  /** Set by a command; 0 otherwise. */
  exitStatus: number;
}

/** Adds what every command has: examples at the head of its help, `--json`, `--quiet`, `--no-color`, `--verbose`. */
export function withCommon(command: Command, examples: string[]): Command {
  return command
    .addHelpText(
      'before',
      `${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((example) => `  ./reenact ${example}`).join('\n')}\n`,
    )
    .option('--json', 'print one JSON object on standard output, and nothing else there')
    .option('-q, --quiet', 'print the result only')
    .option('--no-color', 'no colours (NO_COLOR works as well)')
    .option('-v, --verbose', 'print the whole stack of an error');
}

/** Reads the configuration and makes the context of one command. @throws AppError `config-invalid`. */
export function contextOf(host: CommandHost, command: Command): CommandContext {
  const options = command.opts<{ json?: boolean; quiet?: boolean; color?: boolean }>();
  const console = options.color === false ? { ...host.console, color: false } : host.console;
  const quiet = options.quiet === true;
  const report = (message: string) => {
    if (!quiet) console.talk(`${message}\n`);
  };
  return {
    configuration: loadConfiguration(),
    console,
    workingDirectory: host.workingDirectory,
    json: options.json === true,
    quiet,
    report,
  };
}

/** Runs work with the stores open. */
export async function inSession<T>(context: CommandContext, work: (session: Session) => Promise<T>): Promise<T> {
  const session = openSession(context.configuration, context.report);
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

/** Collects a repeatable option. */
export function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

/** Parser for a whole number within bounds. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,12}$/.test(text) || value < low || value > high)
      throw new InvalidArgumentError(`a whole number from ${low} to ${high} is needed.`);
    return value;
  };
}

/** Parser for a number above zero. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{0,12}(?:\.\d{1,9})?$/.test(text) || !(value > 0)) throw new InvalidArgumentError('a number above 0 is needed.');
  return value;
}
