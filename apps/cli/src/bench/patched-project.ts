import { cp } from 'node:fs/promises';
import path from 'node:path';
import { applyPatch } from '@reenact/verdict';
import type { CaseFolder } from './case-folder.js';

/** The project of a case with its patch, in a folder of its own. */
export async function patchedProject(folder: CaseFolder, scratch: string): Promise<string> {
  const directory = path.join(scratch, path.basename(folder.directory), 'project');
  await cp(folder.projectDirectory, directory, { recursive: true });
  if (folder.patch !== null) await applyPatch(directory, folder.patch);
  return directory;
}
