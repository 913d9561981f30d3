import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { AppError, contentId } from '@reenact/domain';
import type { Environment, EnvironmentBuilder, EnvironmentRequest } from '@reenact/domain';
import { describeInterpreter, findInterpreter } from './interpreter.js';
import type { InterpreterFacts } from './interpreter.js';
import { ensureUv } from './uv.js';

export interface EnvironmentConfig {
  stateDirectory: string;
  /** The host's search path, to find interpreters and uv. */
  searchPath: string;
  /** A Python with pip that is there anyhow. */
  pip: string;
}

interface Progress {
  signal: AbortSignal;
  onProgress: (message: string) => void;
}

/** Builder of environments: an existing interpreter as it is, or a locked, cached virtual environment made by uv. */
export function createEnvironmentBuilder(config: EnvironmentConfig): EnvironmentBuilder {
  return {
    async build(request, options) {
      if (request.interpreter !== null) return describeGiven(request.interpreter, request);
      return buildWithUv(config, request, options);
    },
  };
}

async function describeGiven(interpreter: string, request: EnvironmentRequest): Promise<Environment> {
  const facts = await describeInterpreter(interpreter);
  return toEnvironment(facts, request, {
    source: 'given',
    lock: facts.distributions.map(({ name, version }) => `${name}==${version}`).join('\n'),
  });
}

async function buildWithUv(config: EnvironmentConfig, request: EnvironmentRequest, options: Progress): Promise<Environment> {
  const base = await baseInterpreter(config, request);
  if (request.requirements.length === 0) {
    const facts = await describeInterpreter(base);
    return toEnvironment(facts, request, { source: 'given', lock: '' });
  }
  const uv = await ensureUv({ stateDirectory: config.stateDirectory, pip: config.pip, onProgress: options.onProgress });
  const facts = await describeInterpreter(base);
  options.onProgress(`solving ${request.requirements.join(' ')} for Python ${facts.version}`);
  const lock = await solve(uv, base, request, options);
  const directory = path.join(
    config.stateDirectory,
    'environments',
    contentId({ lock, python: facts.version, platform: facts.platform }).slice(0, 16),
  );
  await install({ uv, base, lock, directory }, options);
  const built = await describeInterpreter(path.join(directory, 'bin', 'python'));
  return toEnvironment(built, request, { source: 'built', lock });
}

async function baseInterpreter(config: EnvironmentConfig, request: EnvironmentRequest): Promise<string> {
  const asked = request.pythonVersion;
  const others = asked === null || request.anyPython ? ['python3', 'python'] : [];
  for (const name of [...(asked === null ? [] : [asked]), ...others]) {
    const found = await findInterpreter(name, config.searchPath);
    if (found !== null) return (await describeInterpreter(found)).executable;
  }
  throw new AppError('interpreter-not-found', `No Python ${asked === null ? '' : `${asked} `}was found on PATH.`, {
    hint: 'Install Python 3.11 or newer, or name one with --python PATH.',
  });
}

async function solve(uv: string, base: string, request: EnvironmentRequest, options: Progress): Promise<string> {
  const argv = [
    'pip',
    'compile',
    '-',
    '--quiet',
    '--no-header',
    '--no-annotate',
    '--generate-hashes',
    '--only-binary',
    ':all:',
    '--python',
    base,
  ];
  if (request.cutOffDate !== null) argv.push('--exclude-newer', request.cutOffDate);
  const env = { UV_PYTHON_DOWNLOADS: 'never' };
  const done = await execa(uv, argv, { input: request.requirements.join('\n'), env, reject: false, cancelSignal: options.signal });
  if (done.failed) {
    throw new AppError('environment-unsolvable', `No set of wheels fits ${request.requirements.join(' ')}. ${tail(done.stderr)}`, {
      hint: 'Give other versions with --with, another --python, or an interpreter that has them.',
    });
  }
  return String(done.stdout);
}

/** Builds aside and renames, so that a killed build leaves nothing that looks whole; scripts in bin keep working since only the interpreter is used. */
async function install(plan: { uv: string; base: string; lock: string; directory: string }, options: Progress): Promise<void> {
  if ((await readFile(path.join(plan.directory, 'reenact.lock'), 'utf8').catch(() => null)) === plan.lock) {
    // The collection of caches goes by the change time of the folder: it is in use now.
    await utimes(plan.directory, new Date(), new Date()).catch(() => undefined);
    return;
  }
  const aside = `${plan.directory}.${process.pid}`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(path.dirname(plan.directory), { recursive: true });
  const run = async (argv: string[], input?: string): Promise<void> => {
    const done = await execa(plan.uv, argv, {
      env: { UV_PYTHON_DOWNLOADS: 'never' },
      reject: false,
      cancelSignal: options.signal,
      ...(input === undefined ? {} : { input }),
    });
    if (done.failed)
      throw new AppError('package-index-unreachable', `The environment could not be built. ${tail(done.stderr)}`, {
        hint: 'Check the connection to the package index and start again.',
      });
  };
  options.onProgress('building the environment');
  await run(['venv', '--quiet', '--relocatable', '--python', plan.base, aside]);
  // Copies, never links into uv's cache: an environment that a candidate could reach must not lead there.
  await run(
    [
      'pip',
      'install',
      '--quiet',
      '--require-hashes',
      '--only-binary',
      ':all:',
      '--link-mode',
      'copy',
      '--python',
      path.join(aside, 'bin', 'python'),
      '-r',
      '-',
    ],
    plan.lock,
  );
  await writeFile(path.join(aside, 'reenact.lock'), plan.lock);
  await rm(plan.directory, { recursive: true, force: true });
  await rename(aside, plan.directory);
}

function toEnvironment(
  facts: InterpreterFacts,
  request: EnvironmentRequest,
  made: { source: Environment['source']; lock: string },
): Environment {
  return {
    schemaVersion: 1,
    id: contentId({
      version: facts.version,
      implementation: facts.implementation,
      platform: facts.platform,
      distributions: facts.distributions,
    }),
    interpreter: facts.executable,
    pythonVersion: facts.version,
    implementation: facts.implementation,
    platform: facts.platform,
    distributions: facts.distributions,
    source: made.source,
    lock: made.lock,
    distance: distanceOf(facts, request.asked),
    cutOffDate: request.cutOffDate,
  };
}

/** The versions that were asked for and are not there; a name of which one version is there raises no distance. */
function distanceOf(facts: InterpreterFacts, asked: EnvironmentRequest['asked']): Environment['distance'] {
  const installed = new Map(facts.distributions.map(({ name, version }) => [name, version]));
  installed.set('python', facts.version);
  const isMet = (name: string, version: string): boolean => sameVersion(version, installed.get(name) ?? '');
  return asked
    .filter(({ name }, index) => asked.findIndex((other) => other.name === name) === index)
    .filter(({ name }) => !asked.some((other) => other.name === name && isMet(name, other.version)))
    .map(({ name, version }) => ({ name, asked: version, got: installed.get(name) ?? null }));
}

/** `2.6` and `2.x` are met by every version of the series; local and pre-release labels do not count. */
export function sameVersion(asked: string, got: string): boolean {
  const parts = (version: string): string[] => (version.split(/[+a-zA-Z]/)[0] ?? version).split('.').filter((part) => part !== '');
  const have = parts(got);
  return parts(asked).every((part, index) => part === have[index]);
}

function tail(text: unknown): string {
  return String(text).trim().split('\n').slice(-3).join(' ').slice(0, 600);
}
