import { readlink, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where a path of an image really lies, given the links of the root's own folders (`lib` → `usr/lib`); without a leading slash. */
export async function placeInRoot(root: string, path: string): Promise<string> {
  const rest = path.split('/').filter((part) => part !== '');
  const name = rest.pop() ?? '';
  let current = '';
  for (let links = 0; rest.length > 0;) {
    // Joined below '/', so that no '..' leads out.
    const step = join('/', current, rest.shift() ?? '').slice(1);
    const target = await readlink(join(root, step)).catch(() => null);
    if (target === null || links >= 40) current = step;
    else {
      links += 1;
      rest.unshift(...target.split('/').filter((part) => part !== ''));
      if (target.startsWith('/')) current = '';
    }
  }
  return join('/', current, name).slice(1);
}

/** The file behind a path of the root, links followed inside it; null where there is none. */
export async function fileInRoot(root: string, path: string): Promise<string | null> {
  let place = await placeInRoot(root, path);
  for (let links = 0; links < 40; links += 1) {
    const target = await readlink(join(root, place)).catch(() => null);
    if (target === null) break;
    place = await placeInRoot(root, target.startsWith('/') ? target : join('/', dirname(place), target));
  }
  const found = await stat(join(root, place)).catch(() => null);
  return found?.isFile() === true ? join(root, place) : null;
}
