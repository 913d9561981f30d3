import { lstat, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { ArtifactStore, Subject, SubjectAddress } from '@reenact/domain';
import { copyTree } from './copy-tree.js';
import type { CopiedTree } from './copy-tree.js';
import { installDistribution } from './distribution-subject.js';
import { checkoutGit } from './git-subject.js';

export interface SubjectDeps {
  store: ArtifactStore;
  /** Where private copies are made; emptied after use. */
  workDirectory: string;
  /** Python with pip, for a distribution as subject. */
  interpreter: string;
}

/**
 * Freezes the subject named by an address as a tree in the store. The user's folder is only read.
 *
 * @throws AppError `subject-not-found`, `subject-revision-not-found`.
 */
export async function prepareSubject(
  deps: SubjectDeps,
  address: SubjectAddress,
  options: { reportDate: string | null; signal: AbortSignal },
): Promise<Subject> {
  const scratch = await mkdtemp(path.join(deps.workDirectory, 'subject-'));
  try {
    const { directory, revision } = await fetchSource(deps, address, path.join(scratch, 'source'), options);
    const copied = await copyTree(directory, path.join(scratch, 'tree'));
    const notes = [...copied.notes, ...(await submoduleNotes(directory))];
    if (copied.fileCount === 0) throw new AppError('subject-not-found', `The subject has no files: ${describeAddress(address)}`);
    return await describeTree(deps.store, address, { directory: path.join(scratch, 'tree'), revision, copied: { ...copied, notes } });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function fetchSource(
  deps: SubjectDeps,
  address: SubjectAddress,
  directory: string,
  options: { reportDate: string | null; signal: AbortSignal },
): Promise<{ directory: string; revision: string | null }> {
  switch (address.type) {
    case 'folder':
      return { directory: await existingFolder(address.path), revision: null };
    case 'git':
      return { directory, revision: await checkoutGit(address, directory, options) };
    case 'distribution':
      await installDistribution(address, directory, { interpreter: deps.interpreter, signal: options.signal });
      return { directory, revision: address.version ?? null };
  }
}

async function existingFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw new AppError('subject-not-found', `There is no folder ${folder}.`, {
      hint: 'Name the project with --subject DIR, GIT_URL[@REV] or pip:NAME[==VERSION].',
    });
  }
  return realpath(folder);
}

async function describeTree(
  store: ArtifactStore,
  address: SubjectAddress,
  source: { directory: string; revision: string | null; copied: CopiedTree },
): Promise<Subject> {
  const hasSource = await lstat(path.join(source.directory, 'src')).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  return {
    schemaVersion: 1,
    address,
    treeHash: await store.putTree(source.directory),
    revision: source.revision,
    fileCount: source.copied.fileCount,
    byteCount: source.copied.byteCount,
    importRoots: hasSource ? ['.', 'src'] : ['.'],
    notes: source.copied.notes,
  };
}

/** Submodules that `.gitmodules` names; a clone leaves them empty, and a reader should know. */
async function submoduleNotes(directory: string): Promise<string[]> {
  const text = await readFile(path.join(directory, '.gitmodules'), 'utf8').catch(() => '');
  return [...text.matchAll(/^\s*path\s*=\s*(\S.*)$/gm)]
    .slice(0, 20)
    .map((match) => `${match[1]}: a submodule, taken as it lies in the folder`);
}

/** The address as a person would write it. */
export function describeAddress(address: SubjectAddress): string {
  switch (address.type) {
    case 'folder':
      return address.path;
    case 'git':
      return address.revision === undefined ? address.url : `${address.url}@${address.revision}`;
    case 'distribution':
      return address.version === undefined ? `pip:${address.name}` : `pip:${address.name}==${address.version}`;
  }
}
