import { Command } from 'commander';
import type { CommandHost } from './commands/command-context.js';
import { addBisectCommand } from './commands/bisect-command.js';
import { addBenchCommand } from './commands/bench-command.js';
import { addConfigCommand } from './commands/config-command.js';
import { addDoctorCommand } from './commands/doctor-command.js';
import { addImagesCommand } from './commands/images-command.js';
import { addIndexCommand } from './commands/index-command.js';
import { addJudgeCommand } from './commands/judge-command.js';
import { addListCommand } from './commands/list-command.js';
import { addLogsCommand } from './commands/logs-command.js';
import { addMinimiseCommand } from './commands/minimise-command.js';
import { addOpenCommand } from './commands/open-command.js';
import { addReplayCommand } from './commands/replay-command.js';
import { addRunCommand } from './commands/run-command.js';
import { addSearchCommand } from './commands/search-command.js';
import { addShowCommand } from './commands/show-command.js';
import { addSteerCommands } from './commands/steer-commands.js';
import { addUpDownCommands } from './commands/up-down-commands.js';

/** All commands. Errors of usage are thrown (`CommanderError`), so that one place decides about the exit status. */
export function buildProgram(host: CommandHost): Command {
  const program = new Command('reenact')
    .description('From a bug report to a proven, replayable reproduction.')
    .version('0.1.0')
    .addHelpText('before', 'Example:\n  ./reenact run examples/numpy-removed-alias\n')
    .addHelpText('after', '\nBeside these: ./reenact test (all checks), ./reenact clean (removes what was brought).')
    .showSuggestionAfterError(true)
    .configureOutput({ writeOut: host.console.data, writeErr: host.console.talk })
    .exitOverride();
  for (const add of COMMANDS) add(program, host);
  // subcommands do not inherit these two
  program.commands.forEach(inheritSettings);
  return program;

  function inheritSettings(command: Command): void {
    command.copyInheritedSettings(program);
    command.commands.forEach(inheritSettings);
  }
}

/** One line a command. */
const COMMANDS: readonly ((program: Command, host: CommandHost) => void)[] = [
  addRunCommand,
  addJudgeCommand,
  addReplayCommand,
  addBisectCommand,
  addMinimiseCommand,
  addIndexCommand,
  addListCommand,
  addShowCommand,
  addLogsCommand,
  addSteerCommands,
  addOpenCommand,
  addSearchCommand,
  addImagesCommand,
  addDoctorCommand,
  addConfigCommand,
  addUpDownCommands,
  addBenchCommand,
];
