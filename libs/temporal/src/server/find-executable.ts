import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** True when `path` is a regular file that this user may execute. */
export async function isExecutable(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  if (status === null || !status.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * All executables of the given names on a search path, names first, then places, as absolute paths.
 * @param searchPath as in the variable PATH; relative entries are ignored, so that no working directory can slip a program in.
 */
export async function findOnPath(names: readonly string[], searchPath: string): Promise<string[]> {
  const places = searchPath.split(delimiter).filter(isAbsolute);
  const candidates = names.flatMap((name) => places.map((place) => join(place, name)));
  const usable = await Promise.all(candidates.map(isExecutable));
  return [...new Set(candidates.filter((_, index) => usable[index]))];
}
