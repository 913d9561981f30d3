import { lstat, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { collectTree } from './collect-tree.js';
import type { LayerEntry, LayerTree } from './layer-entry.js';
import { linkHops } from './link-hops.js';
import { placeInRoot } from './root-place.js';

/** Names that hold access rights or somebody's work rather than something to import; left out wherever they lie. */
const PRIVATE_FILES = new Set(['.condarc', '.env', '.netrc', '.npmrc', '.pypirc', 'pip.conf', 'pip.ini', 'uv.toml']);
const PRIVATE_FOLDERS = new Set(['.git', '.hg', '.svn', '.ssh', '.aws', '.cache']);
/** What a prefix holds beside its interpreter's own: package caches, other environments, addresses with access rights in them. */
const PREFIX_LEFT_OUT = new Set(['conda-meta', 'envs', 'pkgs']);
/** All that an environment made by `venv`, `virtualenv` or `uv` holds of its own; it may lie in somebody's project folder. */
const VENV_PARTS = ['bin', 'etc', 'include', 'lib', 'lib64', 'pyvenv.cfg', 'share'];
/** Where links out of an environment may lead: what packages of the system share, never a home or a setting. */
const SHARED_BY_SYSTEM = ['/usr/lib/', '/usr/share/', '/usr/include/', '/usr/local/lib/', '/usr/local/share/', '/lib/'];

/** Gathers the files that a layer above a root takes from this machine, each at its own path. */
export interface ImageContents {
  tree: LayerTree;
  /** Folder of the root below, on this machine. */
  baseDirectory: string;
}

/**
 * Adds what lies at an absolute path, and the links on the way to it, which stay links.
 * @throws AppError `image-not-buildable` for what cannot be read.
 */
export async function includePath(contents: ImageContents, path: string): Promise<void> {
  for (const hop of await linkHops(path)) {
    const inner = await placeInRoot(contents.baseDirectory, hop);
    if (contents.tree.has(inner) || (await isLinkOfBase(contents, hop))) continue;
    await collect(contents, hop, inner);
  }
}

/** Adds a prefix: of an environment what belongs to it, of an installation all but its caches. */
export async function includePrefix(contents: ImageContents, prefix: string): Promise<void> {
  const isVenv = await isThere(join(prefix, 'pyvenv.cfg'));
  if (!isVenv) {
    const inner = await placeInRoot(contents.baseDirectory, prefix);
    await collectTree(contents.tree, prefix, {
      inner,
      isLeftOut: (path, name, isDirectory) => isPrivate(path, name, isDirectory) || (PREFIX_LEFT_OUT.has(name) && dirname(path) === inner),
    });
    return;
  }
  for (const part of VENV_PARTS) {
    if (await isThere(join(prefix, part)))
      await collect(contents, join(prefix, part), await placeInRoot(contents.baseDirectory, join(prefix, part)));
  }
}

/**
 * Follows the links of the tree that lead to what packages of the system share (data of a library, say) and adds it; other links out of
 * the tree stay, and lead nowhere.
 */
export async function includeLinkedFromSystem(contents: ImageContents): Promise<void> {
  const seen = new Set<string>();
  for (;;) {
    const fresh = [...contents.tree.values()].filter((entry) => entry.kind === 'symlink' && !seen.has(entry.path));
    if (fresh.length === 0) return;
    for (const entry of fresh) {
      seen.add(entry.path);
      if (entry.kind === 'symlink') await followLink(contents, entry);
    }
  }
}

async function followLink(contents: ImageContents, link: LayerEntry & { kind: 'symlink' }): Promise<void> {
  const target = link.target.startsWith('/') ? link.target : join('/', dirname(link.path), link.target);
  const real = (await linkHops(target)).at(-1) ?? target;
  if (!SHARED_BY_SYSTEM.some((folder) => real.startsWith(folder))) return;
  const found = await lstat(real).catch(() => null);
  // A folder such as /usr/lib/python3 is somebody's place among others; only one that is deeper belongs to one package.
  const belongsToPackage = found?.isFile() === true || (found?.isDirectory() === true && real.split('/').length > 3);
  if (!belongsToPackage || contents.tree.has(await placeInRoot(contents.baseDirectory, real))) return;
  if (await isThere(join(contents.baseDirectory, await placeInRoot(contents.baseDirectory, real)))) return;
  await includePath(contents, target);
}

async function collect({ tree }: ImageContents, host: string, inner: string): Promise<void> {
  await collectTree(tree, host, { inner, isLeftOut: isPrivate });
}

function isPrivate(_inner: string, name: string, isDirectory: boolean): boolean {
  return (isDirectory ? PRIVATE_FOLDERS : PRIVATE_FILES).has(name);
}

/** A link that the root has as well; one of its own folders that are links (`/lib`) is never replaced. */
async function isLinkOfBase({ baseDirectory }: ImageContents, hop: string): Promise<boolean> {
  const own = await readlink(hop).catch(() => null);
  if (own === null) return false;
  const inBase = join(baseDirectory, await placeInRoot(baseDirectory, hop));
  if (dirname(hop) === '/' && (await isThere(inBase))) return true;
  return (await readlink(inBase).catch(() => null)) === own;
}

/** True where something lies at a path, be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
