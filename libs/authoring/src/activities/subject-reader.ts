import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactStore } from '@reenact/domain';

/** A subject's files for reading, until they are released. */
export interface OpenedSubject {
  directory: string;
  /** Paths relative to the directory, with `/`, sorted. */
  files: string[];
  release: () => Promise<void>;
}

const SKIPPED_FOLDERS = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv', '.tox', '.mypy_cache', '.pytest_cache']);
const MAX_FILES = 20_000;

/** Opens subjects as private copies below a scratch directory that exists. */
export function createSubjectReader(
  artifacts: Pick<ArtifactStore, 'checkoutTree'>,
  scratchDirectory: string,
): (treeHash: string) => Promise<OpenedSubject> {
  return async (treeHash) => {
    const root = await mkdtemp(join(scratchDirectory, 'authoring-'));
    const release = (): Promise<void> => rm(root, { recursive: true, force: true });
    try {
      const directory = join(root, 'tree');
      await artifacts.checkoutTree(treeHash, directory);
      return { directory, files: await listFiles(directory), release };
    } catch (error) {
      await release();
      throw error;
    }
  };
}

/** Regular files below a directory, sorted, at most 20,000; version control and caches are left out, links are not followed. */
export async function listFiles(directory: string): Promise<string[]> {
  const files: string[] = [];
  const open = [''];
  while (open.length > 0 && files.length < MAX_FILES) {
    const folder = open.shift()!;
    const entries = await readdir(join(directory, folder), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) open.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files.slice(0, MAX_FILES).toSorted();
}
