import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Text of a regular file in UTF-8 below a directory; null for a link, another encoding, a path that leads out, or no such file. */
export async function readSourceText(directory: string, file: string): Promise<string | null> {
  if (file.startsWith('/') || file.split('/').includes('..')) return null;
  const found = await lstat(join(directory, file)).catch(() => null);
  if (found?.isFile() !== true) return null;
  const bytes = await readFile(join(directory, file));
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}
