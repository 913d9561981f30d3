import { chmod, lstat, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@reenact/domain';
import type { MeasuredRate } from '@reenact/domain';
import { sortedJson } from './freeze-bundle.js';
import { readTar, writeTar, type TarEntry } from './tar.js';

/** A subject's tree up to this size travels with the bundle. */
export const SUBJECT_LIMIT_BYTES = 20 * 1024 ** 2;

export interface PackResult {
  /** Why the subject's tree is not in the archive; null = it is. */
  subjectLeftOut: string | null;
}

export interface PackOptions {
  /** Pristine tree of the subject, or null where its address says how to get it. */
  subjectDirectory: string | null;
  /** Takes the place of what an earlier series measured; null = nothing was. */
  measured: Pick<MeasuredRate, 'shown' | 'total'> | null;
}

/**
 * Packs a bundle into a `.tar`, with the subject's tree as `subject/` where it is given and small enough. Equal bundles
 * give equal bytes. The archive is written aside and renamed.
 */
export async function packBundle(directory: string, tarPath: string, { subjectDirectory, measured }: PackOptions): Promise<PackResult> {
  const collected = await collect(directory, '', Number.POSITIVE_INFINITY);
  if (typeof collected === 'string') throw new AppError('bundle-invalid', collected);
  const entries = collected.filter((entry) => !entry.path.startsWith('subject/') && entry.path !== 'measured.json');
  if (measured !== null) entries.push(measuredEntry(measured));
  const subject = subjectDirectory === null ? 'the address says where it is' : await collect(subjectDirectory, '', SUBJECT_LIMIT_BYTES);
  if (typeof subject !== 'string') entries.push(...subject.map((entry) => ({ ...entry, path: `subject/${entry.path}` })));
  await mkdir(dirname(tarPath), { recursive: true });
  await writeFile(`${tarPath}.part`, writeTar(entries));
  await rename(`${tarPath}.part`, tarPath);
  return { subjectLeftOut: typeof subject === 'string' ? subject : null };
}

function measuredEntry({ shown, total }: Pick<MeasuredRate, 'shown' | 'total'>): TarEntry {
  const measured: MeasuredRate = { schemaVersion: 1, shown, total };
  return { path: 'measured.json', bytes: Buffer.from(sortedJson(measured)), executable: false };
}

/** Files below a directory, or the reason why they cannot be packed. */
async function collect(directory: string, below: string, limitBytes: number): Promise<TarEntry[] | string> {
  const entries: TarEntry[] = [];
  let left = limitBytes;
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      const inner = await collect(directory, path, left);
      if (typeof inner === 'string') return inner;
      entries.push(...inner);
      left -= inner.reduce((sum, file) => sum + file.bytes.length, 0);
      continue;
    }
    const found = await lstat(join(directory, path));
    if (!found.isFile()) return `${path}: only regular files can be packed`;
    left -= found.size;
    if (left < 0) return `larger than ${limitBytes} bytes`;
    entries.push({ path, bytes: await readFile(join(directory, path)), executable: (found.mode & 0o100) !== 0 });
  }
  return entries;
}

/**
 * Unpacks a bundle's `.tar` into an absent or empty directory. Only regular files with safe paths come out.
 * @throws AppError `bundle-invalid`
 */
export async function unpackBundle(tarPath: string, directory: string): Promise<void> {
  const entries = readTar(await readFile(tarPath));
  const there = await readdir(directory).catch(() => []);
  if (there.length > 0) throw new AppError('usage', `${directory}: not empty`, { hint: 'give a new folder' });
  try {
    for (const entry of entries) {
      const target = join(directory, entry.path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, entry.bytes, { flag: 'wx' });
      await chmod(target, entry.executable ? 0o755 : 0o644);
    }
    await mkdir(join(directory, 'script'), { recursive: true });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw new AppError('bundle-invalid', `${tarPath}: cannot be unpacked`, { cause: error });
  }
}
