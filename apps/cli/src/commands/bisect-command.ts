import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { buildBisectDraft } from '../requests/bisect-draft.js';
import type { BisectOptions } from '../requests/bisect-draft.js';
import { startAndAttend } from '../runs/attend-run.js';
import { collect, contextOf, inSession, wholeNumber, withCommon } from './command-context.js';
import type { CommandHost } from './command-context.js';

const DEFAULT_TRIALS = 300;
const MAX_TRIALS = 600;

/** `bisect`: the first point of a history at which a stored bundle shows its fault. */
export function addBisectCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('bisect')
    .description('Finds where in a history a fault came in: same bundle, same oracle, as many trials as it takes.')
    .argument('<bundle>', 'a bundle.tar, an unpacked bundle, or a run')
    .requiredOption('--axis <axis>', 'git, python, or the name of a distribution such as torch')
    .requiredOption('--good <point>', 'revision or version that lacks the fault')
    .requiredOption('--bad <point>', 'revision or version that has it; may be older than the good one')
    .option('--subject <project>', 'the repository to search, where the bundle names none: DIR or GIT_URL')
    .option('--rate <share>', 'how often a point with the fault shows it, above 0 up to 1 (default: as the report says)', share)
    .option('--trials <n>', 'trials that may be spent', wholeNumber(2, MAX_TRIALS), DEFAULT_TRIALS)
    .option('--with <requirement>', 'requirements of the environment in place of the bundle’s; may be repeated', collect, [] as string[])
    .option('--python <path-or-version>', 'another interpreter')
    .option('--detach', 'start it and leave; it goes on in the background')
    .option('--unsandboxed', 'run the code also where the system gives no isolation');
  withCommon(command, [
    'bisect RUN --axis git --subject ./project --good v1.0 --bad main',
    'bisect bundle.tar --axis numpy --good 1.26.4 --bad 2.3.5 --json',
  ]).action(async (bundle: string, options: BisectOptions) => {
    const context = contextOf(host, command);
    host.exitStatus = await inSession(context, async (session) => {
      const draft = await buildBisectDraft(session, bundle, options, host.workingDirectory);
      return startAndAttend(context, session, draft, { detach: options.detach === true, force: true });
    });
  });
}

function share(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1)) throw new InvalidArgumentError('a number above 0 up to 1 is needed.');
  return value;
}
