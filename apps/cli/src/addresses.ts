import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { SubjectAddress } from '@reenact/domain';

/** What lies at a path that was named on the command line. */
export type PathKind = 'directory' | 'file' | null;

/** A `--fixed` argument: a patch file still to be stored, or another form of the subject. */
export type FixedArgument = { type: 'patch-file'; path: string } | SubjectAddress;

/** Protocols that git may use; `ext::` and the like run commands of their own. */
const GIT_URL = /^(?:git\+)?((?:https?|ssh|git|file):\/\/[^/\s]*)(\/\S*)$/;
/** `user@host:path`, as ssh writes it. */
const GIT_SCP = /^([\w.-]+@[\w.-]+:)([^\s:][^\s]*)$/;
/** Names of distributions (PEP 508); versions (PEP 440), loosely. */
const DISTRIBUTION = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,100}[A-Za-z0-9])?)(?:==([A-Za-z0-9][A-Za-z0-9.!+_-]{0,60}))?$/;
const REVISION = /^[A-Za-z0-9_][\w./@{}^~+-]{0,250}$/;

/**
 * Reads `--subject`: a folder, `GIT_URL[@REV]` or `pip:NAME[==VERSION]`. Pure.
 *
 * @param options `workingDirectory` makes a relative folder absolute; `kind` says what lies at that path.
 * @throws AppError `usage` for a malformed address, `subject-not-found` for a folder that is not there.
 */
export function parseSubjectAddress(text: string, options: { workingDirectory: string; kind: PathKind }): SubjectAddress {
  const remote = parseRemote(text);
  if (remote !== null) return remote;
  const folder = path.resolve(options.workingDirectory, text);
  if (options.kind === 'directory') return { type: 'folder', path: folder };
  const hint = 'Name the project with --subject DIR, GIT_URL[@REV] or pip:NAME[==VERSION].';
  if (options.kind === 'file') throw new AppError('subject-not-found', `${folder} is a file, not a folder.`, { hint });
  throw new AppError('subject-not-found', `There is no folder ${folder}.`, { hint: guess(text) ?? hint });
}

/**
 * Reads `--fixed`: a folder, a patch file, `pip:NAME==VERSION`, a git address, a revision of a git subject, or a version of a
 * distribution as subject. Pure.
 *
 * @param options as for {@link parseSubjectAddress}; `subjectHasHistory` says whether a folder as subject is a git repository.
 * @throws AppError `usage` when it is none of these.
 */
export function parseFixedAddress(
  text: string,
  options: { workingDirectory: string; kind: PathKind; subject: SubjectAddress; subjectHasHistory: boolean },
): FixedArgument {
  const remote = parseRemote(text);
  if (remote !== null) return remote;
  const place = path.resolve(options.workingDirectory, text);
  if (options.kind === 'directory') return { type: 'folder', path: place };
  if (options.kind === 'file') return { type: 'patch-file', path: place };
  const { subject } = options;
  const hint = 'Name the fixed form with --fixed DIR, PATCH, a revision of the git subject, or pip:NAME==VERSION.';
  if (!REVISION.test(text) || text.includes('..'))
    throw new AppError('usage', `--fixed ${text} is no folder, patch or revision.`, { hint });
  switch (subject.type) {
    case 'git':
      return { type: 'git', url: subject.url, revision: text };
    case 'folder':
      if (options.subjectHasHistory) return { type: 'git', url: subject.path, revision: text };
      throw new AppError(
        'usage',
        `There is no folder or patch ${place}, and the subject is no git repository that could have a revision ${text}.`,
        {
          hint,
        },
      );
    case 'distribution':
      return parseDistribution(`${subject.name}==${text}`);
  }
}

function parseRemote(text: string): SubjectAddress | null {
  if (text === '' || text.startsWith('-')) throw new AppError('usage', `${JSON.stringify(text)} is no address.`);
  if (text.startsWith('pip:')) return parseDistribution(text.slice('pip:'.length));
  const url = GIT_URL.exec(text) ?? GIT_SCP.exec(text);
  if (url !== null) return parseGit(url[1] ?? '', url[2] ?? '');
  const scheme = /^([A-Za-z][\w+.-]*):(?::|\/\/)/.exec(text)?.[1];
  if (scheme !== undefined)
    throw new AppError('usage', `A subject can't be fetched by ${scheme}.`, { hint: 'Use https, ssh, git or file, or a folder.' });
  return null;
}

/** The first `@` after host and path's start ends the address: the part before it is the user's, not the revision's. */
function parseGit(host: string, rest: string): SubjectAddress {
  const at = rest.indexOf('@');
  if (at === -1) return { type: 'git', url: `${host}${rest}` };
  const revision = rest.slice(at + 1);
  if (!REVISION.test(revision) || revision.includes('..'))
    throw new AppError('usage', `${JSON.stringify(revision)} is no revision.`, { hint: 'GIT_URL@REV takes a commit, a tag or a branch.' });
  return { type: 'git', url: `${host}${rest.slice(0, at)}`, revision };
}

function parseDistribution(text: string): SubjectAddress {
  const match = DISTRIBUTION.exec(text);
  if (match?.[1] === undefined)
    throw new AppError('usage', `${JSON.stringify(text)} is no distribution.`, {
      hint: 'pip:NAME or pip:NAME==VERSION, for example pip:numpy==1.26.4.',
    });
  return match[2] === undefined ? { type: 'distribution', name: match[1] } : { type: 'distribution', name: match[1], version: match[2] };
}

function guess(text: string): string | null {
  if (/^[\w-]+\.[\w.-]+\/[\w.-]+\/[\w.-]+/.test(text)) return `Did you mean https://${text} ?`;
  return /^[\w.-]+==[\w.]+$/.test(text) ? `Did you mean pip:${text} ?` : null;
}
