import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { buildBundleDraft } from '../requests/replay-draft.js';
import type { ReplayOptions } from '../requests/replay-draft.js';
import { startAndAttend } from '../runs/attend-run.js';
import { contextOf, inSession, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';
import { withBundleOptions } from './replay-command.js';

const DEFAULT_TESTS = 200;

/** `minimise`: a smaller script and smaller settings that show the same, verified as any other bundle. */
export function addMinimiseCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('minimise')
    .description(
      'Makes a bundle smaller: statements, numbers and ranks go while the same oracle holds; then verifies it with its controls.',
    );
  withBundleOptions(command).option('--tests <n>', 'variants that may be tried', count, DEFAULT_TESTS);
  withCommon(command, ['minimise RUN', 'minimise bundle.tar --tests 60 --json']).action(
    async (bundle: string, options: ReplayOptions & { tests: number }) => {
      const context = contextOf(host, command);
      host.exitStatus = await inSession(context, async (session) => {
        const draft = await buildBundleDraft(session, bundle, { ...options, verb: 'minimised' }, host.workingDirectory);
        const request = { ...draft, kind: 'minimise', maxTests: options.tests } as const;
        return startAndAttend(context, session, request, { detach: options.detach === true, force: true });
      });
    },
  );
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 2000) throw new InvalidArgumentError('a whole number from 1 to 2000 is needed.');
  return value;
}
