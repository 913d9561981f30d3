import { readlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const MOST_LINKS = 40;

/** Every link met while an absolute path is resolved on this machine, each by its resolved parent, then the real path itself. */
export async function linkHops(path: string): Promise<string[]> {
  const hops: string[] = [];
  const rest = path.split('/').filter((part) => part !== '');
  let current = '/';
  while (rest.length > 0 && hops.length < MOST_LINKS) {
    const name = rest.shift() ?? '';
    if (name === '.' || name === '..') {
      current = name === '..' ? dirname(current) : current;
      continue;
    }
    const step = current === '/' ? `/${name}` : `${current}/${name}`;
    const target = await readlink(step).catch(() => null);
    if (target === null) current = step;
    else {
      hops.push(step);
      if (target.startsWith('/')) current = '/';
      rest.unshift(...target.split('/').filter((part) => part !== ''));
    }
  }
  return [...hops, current];
}
