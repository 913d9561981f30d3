import type { Command } from 'commander';
import { buildReproduceDraft } from '../requests/build-draft.js';
import type { ExperimentOptions } from '../requests/run-options.js';
import { startAndAttend } from '../runs/attend-run.js';
import { contextOf, inSession, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';
import { withExperimentOptions } from './experiment-options.js';

/** `run`: the whole pipeline, from a report to a verdict. */
export function addRunCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('run')
    .description('From a bug report to a verdict.')
    .argument('[case-dir]', 'a folder with report.md, project/, and optionally fix.patch and reenact.json');
  withCommon(withExperimentOptions(command), [
    'run examples/numpy-removed-alias',
    'run --report issue.md --subject https://github.com/org/project@v1.2 --fixed v1.3',
    'run --report issue.md --subject ./project --fixed fix.patch --with "torch==2.6.0" --json',
  ]).action(async (caseDirectory: string | undefined, options: ExperimentOptions) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const draft = await buildReproduceDraft(session, { caseDirectory, options, workingDirectory: host.workingDirectory });
      return startAndAttend(context, session, draft, { detach: options.detach === true, force: options.force === true });
    });
  });
}
