import { execa } from 'execa';
import { AppError } from '@reenact/domain';

/** Protocols that an address may use; `ext::` and the like run commands of their own. */
const ALLOWED_PROTOCOLS = 'file:git:http:https:ssh';

/**
 * Checks out a git address into a directory, at the revision named, or at the last commit of the default branch before a
 * date. Nothing is asked on the terminal, no hook of the repository runs.
 *
 * @param reportDate ISO date; ignored where a revision is named.
 * @returns the full commit id.
 * @throws AppError `subject-not-found`, `subject-revision-not-found`.
 */
export async function checkoutGit(
  address: { url: string; revision?: string | undefined },
  directory: string,
  options: { reportDate: string | null; signal: AbortSignal },
): Promise<string> {
  await clone(address.url, directory, ['--no-checkout'], options.signal);
  const git = gitIn(directory, options.signal);
  const commit = await resolveCommit(git, address.revision, options.reportDate);
  const checkout = await git(['checkout', '--quiet', '--detach', '--force', commit]);
  if (checkout.failed)
    throw new AppError('subject-revision-not-found', `Revision ${commit} could not be checked out. ${firstLine(checkout.stderr)}`);
  return commit;
}

/**
 * The commits from one revision to a later one along first parents, both included, oldest first.
 *
 * @param directory where a bare copy of the repository goes; not there yet.
 * @throws AppError `subject-not-found`, `subject-revision-not-found`, and `usage` where the first is no ancestor of the second.
 */
export async function listCommits(
  range: { url: string; from: string; to: string },
  directory: string,
  signal: AbortSignal,
): Promise<{ commit: string; title: string }[]> {
  await clone(range.url, directory, ['--bare'], signal);
  const git = gitIn(directory, signal);
  const [from, to] = [await resolveNamed(git, range.from), await resolveNamed(git, range.to)];
  if ((await git(['merge-base', '--is-ancestor', from, to])).failed)
    throw new AppError('usage', `${range.from} is no ancestor of ${range.to}, so there is no history between them.`, {
      hint: 'Name as the good end a commit from which the bad one descends.',
    });
  const format = ['--format=%H%x09%s', '--first-parent'];
  const first = await git(['log', '-1', ...format, from]);
  const rest = await git(['log', '--reverse', ...format, `${from}..${to}`]);
  if (first.failed || rest.failed) throw new AppError('internal', `The history could not be read. ${firstLine(rest.stderr)}`);
  return `${first.stdout}\n${rest.stdout}`
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf('\t')), title: line.slice(line.indexOf('\t') + 1) }));
}

async function clone(url: string, directory: string, how: string[], signal: AbortSignal): Promise<void> {
  if (url.startsWith('-')) throw new AppError('subject-not-found', `Not an address of a repository: ${url}`);
  const cloned = await execa('git', ['clone', '--quiet', ...how, '--no-hardlinks', '--', url, directory], gitOptions(signal));
  if (!cloned.failed) return;
  throw new AppError('subject-not-found', `The repository could not be cloned: ${url}. ${firstLine(cloned.stderr)}`, {
    hint: 'Check the address, and that git can read it without asking for a password.',
  });
}

type Git = (argv: string[]) => Promise<{ failed: boolean; stdout: string; stderr: string }>;

function gitOptions(signal: AbortSignal) {
  const env = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: ALLOWED_PROTOCOLS,
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: '/dev/null',
  };
  return { env, reject: false, cancelSignal: signal, stdin: 'ignore' } as const;
}

function gitIn(directory: string, signal: AbortSignal): Git {
  return async (argv) => {
    const done = await execa('git', ['-C', directory, ...argv], gitOptions(signal));
    return { failed: done.failed, stdout: String(done.stdout), stderr: String(done.stderr) };
  };
}

async function resolveCommit(git: Git, revision: string | undefined, reportDate: string | null): Promise<string> {
  if (revision !== undefined) return resolveNamed(git, revision);
  if (reportDate !== null) {
    const before = await git(['rev-list', '-1', `--before=${reportDate}T23:59:59Z`, 'HEAD']);
    if (before.stdout.trim() !== '') return before.stdout.trim();
  }
  return resolveNamed(git, 'HEAD');
}

async function resolveNamed(git: Git, revision: string): Promise<string> {
  for (const name of [revision, `origin/${revision}`]) {
    const found = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]);
    if (!found.failed) return found.stdout.trim();
  }
  throw new AppError('subject-revision-not-found', `The repository has no revision ${revision}.`, {
    hint: 'Name a commit, a tag or a branch that it has.',
  });
}

function firstLine(text: unknown): string {
  return String(text).split('\n', 1)[0]?.slice(0, 300) ?? '';
}
