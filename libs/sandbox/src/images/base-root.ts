import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { AppError } from '@reenact/domain';
import { LAYER_EPOCH_SECONDS } from './layer-entry.js';

export type BaseExtra = 'compilers' | 'git';

/** Which Debian root images begin with. */
export interface BasePlan {
  /** Debian release, such as `bookworm`. */
  suite: string;
  /** `compilers` (C and C++) is what `torch.compile` and extensions built at run time need, `git` what a worker does. */
  extras: BaseExtra[];
  /** Moment of snapshot.debian.org, `YYYYMMDDThhmmssZ`; null = the release as it is today. */
  snapshot: string | null;
  /** Mirrors in the place of the usual ones; empty = the usual ones. */
  mirrors: string[];
}

/** A Debian root that was unpacked. */
export interface BaseRoot {
  /** Folder that holds it on this machine. */
  directory: string;
  suite: string;
}

export interface BaseOptions {
  /** Where roots are kept between builds. */
  cacheDirectory: string;
  /** The program, `mmdebstrap` where it is on the search path. */
  mmdebstrap?: string;
  signal: AbortSignal;
  onProgress: (message: string) => void;
}

/** Raised when a root is made in another way. */
const RECIPE = 1;
/** The supervisor's interpreter and what wheels take for granted (manylinux, PEP 600: libc, libstdc++, libgcc, zlib, libexpat …). */
const PACKAGES = [
  'libpython3-stdlib',
  'python3-minimal',
  'libstdc++6',
  'libgomp1',
  'libgcc-s1',
  'zlib1g',
  'libexpat1',
  'tzdata',
  'netbase',
];
const EXTRA_PACKAGES: Record<BaseExtra, string[]> = { compilers: ['g++', 'libc6-dev'], git: ['git', 'ca-certificates'] };
const SNAPSHOT = /^\d{8}T\d{6}Z$/;
const SUITE = /^[a-z][a-z0-9-]{1,40}$/;
const MIRROR = /^https?:\/\/[A-Za-z0-9._:/~-]{1,300}$/;
const APT_OPTIONS = ['Acquire::Languages "none"', 'APT::Install-Recommends "false"'];
const DPKG_OPTIONS = [
  ...['man', 'locale', 'info', 'lintian', 'bash-completion', 'doc'].map((folder) => `path-exclude=/usr/share/${folder}/*`),
  'path-include=/usr/share/doc/*/copyright',
];

/**
 * A Debian root of this plan, made by `mmdebstrap` the first time and kept: the packages of the release, no caches, no documents but the
 * copyright notices, nothing of this machine.
 * @throws AppError `config-invalid` for a plan that is none; `image-not-buildable` where `mmdebstrap` or space is missing;
 * `package-index-unreachable` where packages do not come.
 */
export async function prepareBaseRoot(plan: BasePlan, options: BaseOptions): Promise<BaseRoot> {
  checkPlan(plan);
  const key = createHash('sha256')
    .update(JSON.stringify([RECIPE, plan, PACKAGES, EXTRA_PACKAGES, process.arch]))
    .digest('hex');
  const directory = join(options.cacheDirectory, `root-${plan.suite}-${key.slice(0, 16)}`);
  if (await exists(directory)) return { directory, suite: plan.suite };
  await mkdir(options.cacheDirectory, { recursive: true });
  await removeOlderAside(options.cacheDirectory);
  const aside = join(options.cacheDirectory, `aside-${process.pid}-${randomUUID()}`);
  try {
    await mkdir(join(aside, 'root'), { recursive: true });
    options.onProgress(
      `making a Debian ${plan.suite} root (150 MB${plan.extras.includes('compilers') ? ', 250 MB more for compilers' : ''}; once)`,
    );
    const archive = join(aside, 'root.tar');
    await make(plan, archive, options);
    await unpack(archive, join(aside, 'root'), options.signal);
    await rename(join(aside, 'root'), directory).catch(async (error: unknown) => {
      if (!(await exists(directory))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return { directory, suite: plan.suite };
}

function checkPlan({ suite, snapshot, mirrors }: BasePlan): void {
  const wrong = [
    ...(SUITE.test(suite) ? [] : [`${JSON.stringify(suite)} is no name of a release`]),
    ...(snapshot === null || SNAPSHOT.test(snapshot) ? [] : [`${JSON.stringify(snapshot)} is no moment such as 20260101T000000Z`]),
    ...mirrors.filter((mirror) => !MIRROR.test(mirror)).map((mirror) => `${JSON.stringify(mirror)} is no address of a mirror`),
  ];
  if (wrong.length > 0) throw new AppError('config-invalid', `The Debian root cannot be made: ${wrong.join('; ')}.`);
}

/** What a killed process left; one that lives is left alone. */
async function removeOlderAside(cacheDirectory: string): Promise<void> {
  for (const name of await readdir(cacheDirectory)) {
    const owner = /^aside-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !(await exists(`/proc/${owner}`))) await rm(join(cacheDirectory, name), { recursive: true, force: true });
  }
}

async function make(plan: BasePlan, archive: string, options: BaseOptions): Promise<void> {
  const packages = [...PACKAGES, ...plan.extras.flatMap((extra) => EXTRA_PACKAGES[extra])];
  const argv = [
    '--variant=essential',
    '--format=tar',
    `--include=${packages.join(',')}`,
    ...[...APT_OPTIONS, ...(plan.snapshot === null ? [] : ['Acquire::Check-Valid-Until "false"'])].map((option) => `--aptopt=${option}`),
    ...DPKG_OPTIONS.map((option) => `--dpkgopt=${option}`),
    plan.suite,
    archive,
    ...sourcesOf(plan),
  ];
  const done = await execa(options.mmdebstrap ?? 'mmdebstrap', argv, {
    env: { SOURCE_DATE_EPOCH: String(LAYER_EPOCH_SECONDS), LC_ALL: 'C.UTF-8' },
    stdin: 'ignore',
    reject: false,
    cancelSignal: options.signal,
  });
  options.signal.throwIfAborted();
  if (!done.failed) return;
  const words = String(done.stderr);
  if (done.code === 'ENOENT') {
    throw new AppError('image-not-buildable', 'mmdebstrap, which makes the Debian root, is not there.', {
      hint: 'Install it (apt install mmdebstrap), or take the libraries of this machine with --base host.',
    });
  }
  if (/No space left on device/.test(words)) throw noSpace(options.cacheDirectory);
  const isIndex = /Failed to fetch|Could not (?:connect|resolve)|apt-get update/.test(words);
  throw new AppError(isIndex ? 'package-index-unreachable' : 'image-not-buildable', `mmdebstrap failed: ${lastWords(words)}`, {
    hint: isIndex
      ? 'Check the connection to the Debian mirror, or name another with --mirror URL.'
      : 'Run as root or allow user namespaces (newuidmap, /etc/subuid); or take the libraries of this machine with --base host.',
  });
}

function sourcesOf({ suite, snapshot, mirrors }: BasePlan): string[] {
  if (snapshot === null) return mirrors;
  const root = mirrors[0] ?? 'http://snapshot.debian.org/archive';
  return [
    `deb ${root}/debian/${snapshot} ${suite} main`,
    `deb ${root}/debian/${snapshot} ${suite}-updates main`,
    `deb ${root}/debian-security/${snapshot} ${suite}-security main`,
  ];
}

async function unpack(archive: string, directory: string, signal: AbortSignal): Promise<void> {
  const argv = [
    '--extract',
    '--file',
    archive,
    '--directory',
    directory,
    '--no-same-owner',
    '--exclude=./dev/*',
    '--exclude=./etc/*shadow*',
  ];
  const done = await execa('tar', argv, { stdin: 'ignore', reject: false, cancelSignal: signal });
  signal.throwIfAborted();
  if (!done.failed) return;
  if (/No space left on device/.test(String(done.stderr))) throw noSpace(directory);
  throw new AppError('image-not-buildable', `The Debian root cannot be unpacked: ${lastWords(String(done.stderr))}`);
}

function noSpace(directory: string): AppError {
  return new AppError('image-not-buildable', `There is no space left for a Debian root in ${directory}.`, {
    hint: 'Free 1 GB there, then build again.',
  });
}

function lastWords(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ').slice(-500);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
