import type { Command } from 'commander';
import { buildJudgeDraft } from '../requests/build-draft.js';
import type { ExperimentOptions } from '../requests/run-options.js';
import { startAndAttend } from '../runs/attend-run.js';
import { contextOf, inSession, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';
import { withExperimentOptions } from './experiment-options.js';

/** `judge`: the verdict on a script that somebody else wrote. */
export function addJudgeCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('judge')
    .description('The verdict on a script that somebody else wrote.')
    .argument('[case-dir]', 'a case folder, in place of --report and --subject')
    .requiredOption('--script <file>', 'the script to judge')
    .option('--oracle <file>', 'facets with their oracles as JSON; without it they come from the report');
  withCommon(withExperimentOptions(command), [
    'judge --script repro.py --report issue.md --subject ./project --fixed fix.patch',
    'judge examples/nan-loss --script repro.py --json',
  ]).action(async (caseDirectory: string | undefined, options: ExperimentOptions & { script: string; oracle?: string }) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const { script, oracle } = options;
      const draft = await buildJudgeDraft(session, { caseDirectory, options, workingDirectory: host.workingDirectory, script, oracle });
      return startAndAttend(context, session, draft, { detach: options.detach === true, force: options.force === true });
    });
  });
}
