import { chmod, lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { AppError } from '@reenact/domain';
import { applyHunks } from './apply-hunks.js';
import { parsePatch, type FilePatch } from './patch-text.js';

/** What a patch does to one file, with the lines that it touches. Paths are relative to the patched directory. */
export interface PatchedFile {
  oldPath: string | null;
  newPath: string | null;
  /** Texts as byte strings; null where the file is not there. */
  before: string | null;
  after: string | null;
  executable: boolean | null;
  /** Lines from 1 of the old text that go, and of the new text that come. */
  removedLines: number[];
  addedLines: number[];
}

const STRIPS = [1, 2, 0, 3];

/**
 * Works out what a unified diff does to a directory and changes nothing. Fuzz is 0: context must fit exactly, at the
 * stated line or at an offset. The number of leading path parts to strip is the one that fits every file, so that a
 * patch made beside the project's folder applies inside it as well.
 * @throws AppError `patch-does-not-apply` naming file and hunk, also for paths that lead outside
 */
export async function planPatch(directory: string, patchText: string): Promise<PatchedFile[]> {
  const files = parsePatch(patchText);
  const strip = await chooseStrip(directory, files);
  const planned: PatchedFile[] = [];
  for (const file of files) planned.push(await planFile(directory, file, strip));
  return planned;
}

/**
 * Applies a unified diff to a directory; either every file is written or none is begun.
 * @returns the paths that were changed, relative to the directory
 * @throws AppError `patch-does-not-apply`
 */
export async function applyPatch(directory: string, patchText: string): Promise<string[]> {
  const planned = await planPatch(directory, patchText);
  for (const file of planned) await writePatched(directory, file);
  return [...new Set(planned.flatMap((file) => [file.oldPath, file.newPath]).filter((path) => path !== null))].sort();
}

async function writePatched(directory: string, file: PatchedFile): Promise<void> {
  if (file.oldPath !== null && file.oldPath !== file.newPath) await rm(join(directory, file.oldPath));
  if (file.newPath === null || file.after === null) return;
  const path = join(directory, file.newPath);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.from(file.after, 'latin1'));
  if (file.executable !== null) await chmod(path, file.executable ? 0o755 : 0o644);
}

async function planFile(directory: string, file: FilePatch, strip: number): Promise<PatchedFile> {
  const oldPath = stripped(file.oldPath, strip);
  const newPath = stripped(file.newPath, strip);
  const name = newPath ?? oldPath ?? '';
  for (const path of [oldPath, newPath]) if (path !== null) await assertInside(directory, path);
  const before = oldPath === null ? null : await readFile(join(directory, oldPath)).then((bytes) => bytes.toString('latin1'));
  if (newPath !== null && newPath !== oldPath && (await isThere(directory, newPath))) {
    throw new AppError('patch-does-not-apply', `${newPath}: the patch makes this file, and it is already there`);
  }
  const result = applyHunks(name, before ?? '', file.hunks);
  if (newPath === null && result.text !== '')
    throw new AppError('patch-does-not-apply', `${name}: the patch deletes this file, and more than that is in it`);
  const after = newPath === null ? null : result.text;
  return { oldPath, newPath, before, after, executable: file.executable, removedLines: result.removedLines, addedLines: result.addedLines };
}

function stripped(path: string | null, strip: number): string | null {
  if (path === null) return null;
  return path.split('/').slice(strip).join('/');
}

async function chooseStrip(directory: string, files: FilePatch[]): Promise<number> {
  const existing = files.map((file) => file.oldPath).filter((path) => path !== null);
  for (const path of files.flatMap((file) => [file.oldPath, file.newPath])) if (path !== null) assertPlain(path);
  if (existing.length === 0) {
    const inside = files.every((file) => file.newPath?.split('/')[1] === basename(directory) && file.newPath.split('/').length > 2);
    return inside ? 2 : files.every((file) => /^[ab]\//.test(file.newPath ?? '')) ? 1 : 0;
  }
  for (const strip of STRIPS) {
    const there = await Promise.all(existing.map((path) => isThere(directory, stripped(path, strip) ?? '')));
    if (there.every(Boolean)) return strip;
  }
  const missing = existing.find((path) => path.split('/').length > 0) ?? '';
  throw new AppError('patch-does-not-apply', `${missing}: no such file in the subject, whichever leading folders are stripped`, {
    hint: 'every file of the patch must be found below one folder',
  });
}

async function isThere(directory: string, path: string): Promise<boolean> {
  if (path === '') return false;
  const found = await lstat(join(directory, path)).catch(() => null);
  return found?.isFile() === true;
}

function assertPlain(path: string): void {
  const parts = path.split('/');
  const bad =
    path.startsWith('/') ||
    path.includes('\0') ||
    path.includes('\\') ||
    parts.some((part) => part === '..' || part === '' || part === '.git');
  if (bad) throw new AppError('patch-does-not-apply', `${JSON.stringify(path)}: this path may not be patched`);
}

/** A link in the tree must not lead the patch outside. */
async function assertInside(directory: string, path: string): Promise<void> {
  if (path === '') throw new AppError('patch-does-not-apply', 'a file of the patch has no name');
  const root = await realpath(directory);
  const own = await lstat(join(directory, path)).catch(() => null);
  if (own !== null && !own.isFile()) throw new AppError('patch-does-not-apply', `${path}: not a regular file`);
  for (let parent = dirname(join(directory, path)); ; parent = dirname(parent)) {
    const real = await realpath(parent).catch(() => null);
    if (real === null) continue;
    if (real !== root && !real.startsWith(root + sep)) throw new AppError('patch-does-not-apply', `${path}: leads outside of the subject`);
    return;
  }
}
