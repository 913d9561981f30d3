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
  if (address.url.startsWith('-')) throw new AppError('subject-not-found', `Not an address of a repository: ${address.url}`);
  const git = gitIn(directory, options.signal);
  const cloned = await execa(
    'git',
    ['clone', '--quiet', '--no-checkout', '--no-hardlinks', '--', address.url, directory],
    gitOptions(options.signal),
  );
  if (cloned.failed) {
    throw new AppError('subject-not-found', `The repository could not be cloned: ${address.url}. ${firstLine(cloned.stderr)}`, {
      hint: 'Check the address, and that git can read it without asking for a password.',
    });
  }
  const commit = await resolveCommit(git, address.revision, options.reportDate);
  const checkout = await git(['checkout', '--quiet', '--detach', '--force', commit]);
  if (checkout.failed)
    throw new AppError('subject-revision-not-found', `Revision ${commit} could not be checked out. ${firstLine(checkout.stderr)}`);
  return commit;
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
