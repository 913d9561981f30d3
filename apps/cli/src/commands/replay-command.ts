import type { Command } from 'commander';
import { buildReplayDraft } from '../requests/replay-draft.js';
import type { ReplayOptions } from '../requests/replay-draft.js';
import { startAndAttend } from '../runs/attend-run.js';
import { collect, contextOf, inSession, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';

/** `replay`: fresh trials of a stored bundle, without a model. */
export function addReplayCommand(program: Command, host: CommandHost): void {
  const command = withBundleOptions(program.command('replay').description('Fresh trials of a stored bundle, without a model.'));
  withCommon(command, ['replay bundle.tar', 'replay bundle.tar --with "numpy==2.3.5" --json']).action(
    async (bundle: string, options: ReplayOptions) => {
      const context = contextOf(host, command);
      host.exitStatus = await inSession(context, async (session) => {
        const draft = await buildReplayDraft(session, bundle, options, host.workingDirectory);
        // the trials of a replay are fresh by definition: a stored verdict is no answer
        return startAndAttend(context, session, draft, { detach: options.detach === true, force: true });
      });
    },
  );
}

/** The bundle and how to run it; options that all commands on bundles have. */
export function withBundleOptions(command: Command): Command {
  return command
    .argument('<bundle>', 'a bundle.tar, an unpacked bundle, or a run')
    .option('--subject <project>', 'another form of the subject: DIR, GIT_URL[@REV] or pip:NAME[==VERSION]')
    .option('--with <requirement>', 'another requirement of the environment; may be repeated', collect, [] as string[])
    .option('--python <path-or-version>', 'another interpreter')
    .option('--control-python <path>', 'interpreter of an environment in which the fault is absent')
    .option('--detach', 'start it and leave; it goes on in the background')
    .option('--unsandboxed', 'run the code also where the system gives no isolation');
}
