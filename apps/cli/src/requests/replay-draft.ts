import { cp, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { ReplayRequest } from '@reenact/domain';
import { plainLine } from '@reenact/reporting';
import { readBundle, unpackBundle } from '@reenact/verdict';
import type { Bundle } from '@reenact/verdict';
import { parseSubjectAddress } from '../addresses.js';
import type { Session } from '../runs/session.js';
import { snapshot } from './build-draft.js';
import { kindOf } from './case-directory.js';
import { interpreterPath } from './experiment-source.js';

/** Options of `replay`, as commander reads them. */
export interface ReplayOptions {
  subject?: string;
  with: string[];
  python?: string;
  controlPython?: string;
  unsandboxed?: boolean;
  detach?: boolean;
}

/** Makes the request of `replay`. @throws AppError as {@link buildBundleDraft}. */
export async function buildReplayDraft(
  session: Session,
  bundle: string,
  options: ReplayOptions,
  workingDirectory: string,
): Promise<Omit<ReplayRequest, 'runId' | 'series'>> {
  return { kind: 'replay', ...(await buildBundleDraft(session, bundle, { ...options, verb: 'replay of' }, workingDirectory)) };
}

/**
 * What every run of a stored bundle asks for: checks the bundle and stores it, with the subject's tree where it carries one.
 * @param bundle a `.tar`, an unpacked folder, or a run of this state directory (its id or the beginning of it).
 * @param options `verb` begins the title.
 * @throws AppError `bundle-invalid`, `run-not-found`, and those of the subject.
 */
export async function buildBundleDraft(
  session: Session,
  bundle: string,
  options: ReplayOptions & { verb: string },
  workingDirectory: string,
): Promise<Omit<ReplayRequest, 'kind' | 'runId' | 'series'>> {
  const { bundleTree, claim } = await storeGivenBundle(session, bundle, workingDirectory);
  const subject = options.subject === undefined ? null : await subjectOf(options.subject, workingDirectory);
  return {
    schemaVersion: 1,
    title: plainLine(`${options.verb} ${claim.title}`, 200),
    bundleTree,
    subject,
    treeHash: subject === null ? null : await snapshot(session, subject),
    python: options.python === undefined ? null : interpreterPath(options.python, workingDirectory),
    controlPython: options.controlPython === undefined ? null : interpreterPath(options.controlPython, workingDirectory),
    requirements: options.with,
    allowUnsandboxed: options.unsandboxed === true,
  };
}

/**
 * Stores the bundle that a command names, with the subject's tree where it carries one.
 * @returns its tree, and what requests are made of.
 * @throws AppError `bundle-invalid`, `run-not-found`.
 */
export async function storeGivenBundle(
  session: Session,
  bundle: string,
  workingDirectory: string,
): Promise<{ bundleTree: string } & Pick<Bundle, 'claim' | 'subject'>> {
  const scratch = await mkdtemp(path.join(session.paths.scratch, 'bundle-'));
  try {
    return await storeBundle(session, await unpacked(session, bundle, { scratch, workingDirectory }), scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** `--subject` as an address. @throws AppError as `parseSubjectAddress`. */
export async function subjectOf(text: string, workingDirectory: string) {
  return parseSubjectAddress(text, { workingDirectory, kind: await kindOf(path.resolve(workingDirectory, text)) });
}

async function unpacked(session: Session, bundle: string, places: { scratch: string; workingDirectory: string }): Promise<string> {
  const place = path.resolve(places.workingDirectory, bundle);
  const kind = await kindOf(place);
  if (kind === 'directory') return place;
  const tar = kind === 'file' ? place : await bundleOfRun(session, bundle);
  const directory = path.join(places.scratch, 'unpacked');
  await unpackBundle(tar, directory);
  return directory;
}

/** Absolute path of the packed bundle of a run. @throws AppError `run-not-found`, `bundle-invalid`. */
export async function bundleOfRun(session: Session, run: string): Promise<string> {
  const row = await session.runs.getRun(run);
  if (row === null)
    throw new AppError('run-not-found', `There is no bundle and no run ${run}.`, {
      hint: 'Name a bundle.tar, an unpacked bundle, or a run: ./reenact list',
    });
  const tar = path.join(row.folder, 'bundle.tar');
  if ((await kindOf(tar)) === null)
    throw new AppError('bundle-invalid', `Run ${row.runId} has no bundle.`, { hint: `Why: ./reenact show ${row.runId}` });
  return tar;
}

/** Bundle and subject are two trees in the store: the subject's own hash tells whether it is the one that was judged. */
async function storeBundle(session: Session, directory: string, scratch: string): ReturnType<typeof storeGivenBundle> {
  const bundle = await readBundle(directory);
  if (bundle.subjectDirectory !== null) {
    const treeHash = await session.artifacts.putTree(bundle.subjectDirectory);
    if (treeHash !== bundle.subject.treeHash)
      throw new AppError('bundle-invalid', 'subject/: not the tree that the bundle was frozen with.');
  }
  const bare = path.join(scratch, 'bare');
  await copyBare(directory, bare);
  return { bundleTree: await session.artifacts.putTree(bare), claim: bundle.claim, subject: bundle.subject };
}

async function copyBare(directory: string, target: string): Promise<void> {
  const subject = path.join(directory, 'subject');
  await cp(directory, target, { recursive: true, filter: (source) => source !== subject });
}
