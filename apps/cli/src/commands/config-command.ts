import type { Command } from 'commander';
import { describeConfiguration } from '../config.js';
import { columns, writeJson } from '../console.js';
import { withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `config show`: every setting, with its origin where asked. Works with a wrong configuration too, for that is when it is needed. */
export function addConfigCommand(program: Command, host: CommandHost): void {
  const config = program
    .command('config')
    .description('The settings.')
    .addHelpText('before', 'Example:\n  ./reenact config show --origin\n');
  const show = config
    .command('show')
    .description('Every setting with its value.')
    .option('--origin', 'also say where each value comes from and what it means');
  withCommon(show, ['config show --origin']).action(({ origin, json }: { origin?: boolean; json?: boolean }) => {
    const entries = describeConfiguration();
    if (json === true) return writeJson(host.console, { schemaVersion: 1, settings: entries });
    const rows = entries.map((entry) => [
      entry.name,
      entry.value ?? '(not set)',
      ...(origin === true ? [entry.origin, entry.meaning] : []),
    ]);
    host.console.data(`${columns(rows)}\n`);
  });
}
