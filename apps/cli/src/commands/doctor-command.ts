import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { writeJson } from '../console.js';
import { examine } from '../doctor/examine.js';
import type { Examined } from '../doctor/examine.js';
import { contextOf, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';

const SIGNS = { ok: '✔', note: '●', missing: '✖' } as const;

/** `doctor`: what is there, what is missing, and how to mend it. Exit status 3 where something needed is missing. */
export function addDoctorCommand(program: Command, host: CommandHost): void {
  const command = program.command('doctor').description('What is there, what is missing, and how to mend it.');
  withCommon(command, ['doctor']).action(async () => {
    const context = contextOf(host, command);
    const found = await examine(context.configuration);
    host.exitStatus = found.some((one) => one.state === 'missing') ? 3 : 0;
    if (context.json) return writeJson(context.console, { schemaVersion: 1, checks: found });
    context.console.data(`${found.map((one) => lineOf(one, context.console.color)).join('\n')}\n`);
  });
}

function lineOf({ name, state, found, fix }: Examined, color: boolean): string {
  const colors = createColors(color);
  const paint = { ok: colors.green, note: colors.yellow, missing: colors.red }[state];
  const line = `${paint(SIGNS[state])} ${name.padEnd(14)} ${found}`;
  return fix === null ? line : `${line}\n  ${' '.repeat(14)} ${fix}`;
}
