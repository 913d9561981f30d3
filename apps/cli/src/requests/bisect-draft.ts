import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { BisectAxis, BisectRequest, SubjectAddress } from '@reenact/domain';
import type { Session } from '../runs/session.js';
import { kindOf } from './case-directory.js';
import { interpreterPath } from './experiment-source.js';
import { storeGivenBundle, subjectOf } from './replay-draft.js';

/** Options of `bisect`, as commander reads them. */
export interface BisectOptions {
  axis: string;
  good: string;
  bad: string;
  subject?: string;
  rate?: number;
  trials: number;
  with: string[];
  python?: string;
  unsandboxed?: boolean;
  detach?: boolean;
}

/**
 * Makes the request of `bisect`.
 * @param bundle as for `replay`.
 * @throws AppError as for `replay`, and `usage` where there is no history to search.
 */
export async function buildBisectDraft(
  session: Session,
  bundle: string,
  options: BisectOptions,
  workingDirectory: string,
): Promise<Omit<BisectRequest, 'runId' | 'series'>> {
  const { bundleTree, claim, subject } = await storeGivenBundle(session, bundle, workingDirectory);
  const { address } = subject;
  const given = options.subject === undefined ? null : await subjectOf(options.subject, workingDirectory);
  return {
    kind: 'bisect',
    schemaVersion: 1,
    title: `bisection of ${claim.title}`,
    bundleTree,
    axis: await axisOf(options, given ?? (address.type === 'snapshot' ? null : address)),
    rate: options.rate ?? null,
    python: options.python === undefined ? null : interpreterPath(options.python, workingDirectory),
    requirements: options.with,
    maxTrials: options.trials,
    allowUnsandboxed: options.unsandboxed === true,
  };
}

async function axisOf({ axis, good, bad }: BisectOptions, subject: SubjectAddress | null): Promise<BisectAxis> {
  if (axis === 'python') return { type: 'python', good, bad };
  if (axis !== 'git') return { type: 'distribution', name: axis, good, bad };
  const hint = 'Name the repository with --subject DIR or --subject GIT_URL.';
  if (subject === null || subject.type === 'distribution')
    throw new AppError('usage', 'The bundle names no repository to search.', { hint });
  if (subject.type === 'git') return { type: 'git', url: subject.url, good, bad };
  if ((await kindOf(path.join(subject.path, '.git'))) === null)
    throw new AppError('usage', `${subject.path} is no git repository.`, { hint });
  return { type: 'git', url: subject.path, good, bad };
}
