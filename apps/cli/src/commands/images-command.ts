import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { buildImage, listImages, makeLayoutFolder, planRunnerImage, planSupervisorImage, planWorkerImage } from '@reenact/sandbox/images';
import type { BaseChoice, ImageWork, PlannedRunner } from '@reenact/sandbox/images';
import { findInterpreter } from '@reenact/environment';
import { withLock } from '@reenact/store';
import { INSTALLATION } from '../config.js';
import { writeJson } from '../console.js';
import { findSubject } from '../images/image-subject.js';
import type { SubjectOptions } from '../images/image-subject.js';
import { builtWords, listedWords } from '../images/image-words.js';
import { startProgress } from '../search/index-progress.js';
import { bytes } from '../search/index-words.js';
import { statePaths } from '../state-paths.js';
import { collect, contextOf, withCommon } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';
import { interruptible } from './interruptible.js';

interface BuildCommandOptions extends SubjectOptions {
  kind: 'runner' | 'supervisor' | 'worker';
  out?: string;
  tag?: string;
  base: 'debian' | 'host';
  suite: string;
  compilers?: boolean;
  snapshot?: string;
  mirror: string[];
}

/** `images`: what a cluster runs, built here without a Docker daemon. */
export function addImagesCommand(program: Command, host: CommandHost): void {
  const images = program
    .command('images')
    .description('Container images for a cluster, built without a Docker daemon.')
    .addHelpText('before', 'Example:\n  ./reenact images build --python .venv/bin/python --tag registry.example/reenact/runner:torch\n');
  addBuild(images, host);
  addList(images, host);
}

function addBuild(images: Command, host: CommandHost): void {
  const command = images
    .command('build')
    .description('Build an image into an OCI layout; layers that are there already are kept.')
    .option('--python <path>', 'the environment’s interpreter, or a version such as 3.11')
    .option('--environment <id>', 'an environment that Reenact built')
    .addOption(new Option('--kind <kind>', 'what the image is for').choices(['runner', 'supervisor', 'worker']).default('runner'))
    .option('--out <folder>', 'folder of the layout (default: images/ of the state directory)')
    .option('--tag <name>', 'name of the image, such as registry.example/reenact/runner:torch', imageName)
    .addOption(new Option('--base <base>', 'a Debian root, or the libraries of this machine').choices(['debian', 'host']).default('debian'))
    .option('--suite <release>', 'Debian release of the root', 'bookworm')
    .option('--compilers', 'with C and C++ compilers, which torch.compile needs')
    .option('--snapshot <moment>', 'root as of this moment of snapshot.debian.org, such as 20260101T000000Z')
    .option('--mirror <url>', 'Debian mirror in the place of the usual ones (repeatable)', collect, []);
  const examples = [
    'images build --python .venv/bin/python',
    'images build --environment 0f3a --tag registry.example/reenact/runner:torch',
    'images build --kind worker --out /srv/images --json',
  ];
  withCommon(command, examples).action(async (options: BuildCommandOptions) => {
    const context = contextOf(host, command);
    await interruptible(host, context, (signal) => build(context, options, signal));
  });
}

function addList(images: Command, host: CommandHost): void {
  const command = images
    .command('list')
    .description('The images of a layout.')
    .option('--out <folder>', 'folder of the layout (default: images/ of the state directory)');
  withCommon(command, ['images list', 'images list --out /srv/images --json']).action(async ({ out }: { out?: string }) => {
    const context = contextOf(host, command);
    const listed = await listImages(layoutFolder(context, out));
    if (context.json) return writeJson(context.console, { schemaVersion: 1, images: listed });
    if (listed.length === 0) return context.console.talk('There is no image yet. Build one with  ./reenact images build --python PATH\n');
    context.console.data(`${listedWords(listed)}\n`);
  });
}

async function build(context: CommandContext, options: BuildCommandOptions, signal: AbortSignal): Promise<void> {
  const directory = layoutFolder(context, options.out);
  await makeLayoutFolder(directory);
  const work = await imageWork(context, signal);
  const { plan, missingLibraries, interpreters } = await planOf(context, options, work);
  const progress = startProgress<number>(
    context.console.isTerminal && !context.quiet ? context.console.talk : () => undefined,
    (done) => `… ${bytes(done)} archived`,
  );
  let archived = 0;
  const lockFile = path.join(directory, 'reenact.lock');
  const onWait = (): void => context.report('another build writes into this folder; waiting …');
  try {
    const built = await withLock(lockFile, { onWait, signal }, () =>
      buildImage(plan, { directory, signal, onProgress: context.report, onBytes: (more) => progress.show((archived += more)) }),
    );
    progress.stop();
    const runImage = interpreters === null ? null : { ...interpreters, image: built.reference };
    if (context.json) writeJson(context.console, { schemaVersion: 1, ...built, layout: directory, missingLibraries, runImage });
    else context.console.data(`${builtWords(built, missingLibraries)}\n`);
  } finally {
    progress.stop();
  }
}

async function planOf(context: CommandContext, options: BuildCommandOptions, work: ImageWork): Promise<PlannedRunner> {
  const name = options.tag ?? null;
  if (options.kind === 'supervisor') return { plan: await planSupervisorImage(name), missingLibraries: [], interpreters: null };
  const base = baseOf(options);
  if (options.kind === 'worker')
    return { plan: await planWorkerImage({ name, installation: INSTALLATION, base }, work), missingLibraries: [], interpreters: null };
  const { environments } = statePaths(context.configuration.stateDirectory);
  const subject = await findSubject(options, { environments, searchPath: context.configuration.searchPath });
  return planRunnerImage({ name, ...subject, base }, work);
}

function baseOf({ kind, base, suite, compilers, snapshot, mirror }: BuildCommandOptions): BaseChoice {
  if (base === 'host') return { kind: 'host' };
  const extras = [...(compilers === true ? (['compilers'] as const) : []), ...(kind === 'worker' ? (['git'] as const) : [])];
  return { kind: 'debian', plan: { suite, extras, snapshot: snapshot ?? null, mirrors: mirror } };
}

async function imageWork({ configuration, report }: CommandContext, signal: AbortSignal): Promise<ImageWork> {
  const { python, searchPath, stateDirectory } = configuration;
  const supervisorPython = python ?? (await findInterpreter('python3', searchPath)) ?? 'python3';
  return { cacheDirectory: statePaths(stateDirectory).imageCache, supervisorPython, signal, onProgress: report };
}

function layoutFolder({ configuration, workingDirectory }: CommandContext, out: string | undefined): string {
  return out === undefined ? statePaths(configuration.stateDirectory).images : path.resolve(workingDirectory, out);
}

/** `registry.example:5000/a/b:tag`, as the OCI distribution specification 1.1 writes names and tags. */
function imageName(text: string): string {
  const isName =
    /^(?:[a-z0-9][a-z0-9.-]{0,100}(?::\d{1,5})?\/)?[a-z0-9]+(?:[._/-]{1,2}[a-z0-9]+){0,30}(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$/.test(
      text,
    );
  if (!isName || text.length > 255) throw new InvalidArgumentError('a name such as registry.example/reenact/runner:torch is needed.');
  return text;
}
