import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readCases } from '../case-folder.js';

const Location = z.object({ bug_location: z.object({ file: z.string().regex(/^project\//) }) });

/** A bug report whose faulty file is known, with its project inside a larger tree. */
export interface PlacedReport {
  id: string;
  report: string;
  /** Faulty file, relative to the tree. */
  file: string;
}

/**
 * A copy of a tree with the project of every case in one of its folders, chosen by the case's name so that each run is alike. A case
 * without a known file, or whose names are taken in every folder, is left out.
 */
export async function placeReports(casesDirectory: string, treeDirectory: string, into: string): Promise<PlacedReport[]> {
  await cp(treeDirectory, into, { recursive: true });
  const folders = await packageFolders(into);
  const placed: PlacedReport[] = [];
  for (const { id, directory, projectDirectory, report } of await readCases(casesDirectory)) {
    const truth = Location.safeParse(JSON.parse(await readFile(path.join(directory, 'truth.json'), 'utf8')));
    if (!truth.success) continue;
    const folder = await freeFolder(folders, id, await readdir(projectDirectory), into);
    if (folder === null) continue;
    await mkdir(path.join(into, folder), { recursive: true });
    await cp(projectDirectory, path.join(into, folder), { recursive: true });
    const file = `${folder}/${truth.data.bug_location.file.slice('project/'.length)}`;
    placed.push({ id, report: new TextDecoder().decode(report), file });
  }
  return placed;
}

/** Folders with several Python files: a project among them does not stand out. */
async function packageFolders(tree: string): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const file of await readdir(tree, { recursive: true })) {
    const folder = path.dirname(file);
    if (file.endsWith('.py')) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return Array.from(counts)
    .filter(([, files]) => files >= 3)
    .map(([folder]) => folder.replaceAll(path.sep, '/'))
    .sort();
}

async function freeFolder(folders: readonly string[], id: string, names: readonly string[], tree: string): Promise<string | null> {
  const start = createHash('sha256').update(id).digest().readUInt32BE(0);
  for (let step = 0; step < folders.length; step++) {
    const folder = folders[(start + step) % folders.length]!;
    const taken = await Promise.all(names.map((name) => exists(path.join(tree, folder, name))));
    if (!taken.includes(true)) return folder;
  }
  return null;
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
