import type { Command } from 'commander';
import { buildBundleDraft } from '../requests/replay-draft.js';
import type { ReplayOptions } from '../requests/replay-draft.js';
import { startAndAttend } from '../runs/attend-run.js';
import { contextOf, inSession, wholeNumber, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';
import { withBundleOptions } from './replay-command.js';

const DEFAULT_TESTS = 200;
const MAX_TESTS = 800;

/** `minimise`: a smaller script and smaller settings that show the same, verified as any other bundle. */
export function addMinimiseCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('minimise')
    .description(
      'Makes a bundle smaller: statements, numbers and ranks go while the same oracle holds; then verifies it with its controls.',
    );
  withBundleOptions(command).option('--tests <n>', 'variants that may be tried', wholeNumber(1, MAX_TESTS), DEFAULT_TESTS);
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
