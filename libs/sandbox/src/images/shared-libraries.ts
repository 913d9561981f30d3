import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { AppError } from '@reenact/domain';
import { readElf } from './elf-file.js';
import type { ElfFacts } from './elf-file.js';
import { includePath, isThere } from './image-contents.js';
import type { ImageContents } from './image-contents.js';
import type { LayerEntry } from './layer-entry.js';
import { linkHops } from './link-hops.js';
import { fileInRoot, placeInRoot } from './root-place.js';

/** e_machine and the folder of Debian's libraries, by Node's name of the architecture. */
const ARCHITECTURES: Record<string, { machine: number; triple: string; cacheFlag: string }> = {
  x64: { machine: 62, triple: 'x86_64-linux-gnu', cacheFlag: 'x86-64' },
  arm64: { machine: 183, triple: 'aarch64-linux-gnu', cacheFlag: 'AArch64' },
};
/** Libraries of the C library itself: they fit only each other, so a root's are never mixed with this machine's. */
const C_LIBRARY = /^(?:libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|libutil\.so\.1|libresolv\.so\.2|ld-linux[^/]*)$/;

interface Search {
  contents: ImageContents;
  /** Libraries of this machine by name, as its loader knows them. */
  known: Map<string, string>;
  machine: number;
  /** Folders in which every loader looks, without a leading slash. */
  defaultFolders: string[];
  /** Names of all files of the tree: one library brings others in by loading them first. */
  names: Set<string>;
  seen: Set<string>;
  missing: Set<string>;
}

/**
 * Adds the shared libraries that the programs and libraries of the tree need and neither the tree nor the root below has. A library of
 * the root is taken where it has the versions of symbols that are needed, else this machine's.
 *
 * @returns names that were found nowhere: optional ones, such as a driver's.
 * @throws AppError `image-not-buildable` where the root's C library is older than what is needed.
 */
export async function includeLibraries(contents: ImageContents): Promise<string[]> {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined)
    throw new AppError('image-not-buildable', `Images for ${process.arch} cannot be made, only for x64 and arm64.`);
  const { machine, triple, cacheFlag } = architecture;
  const search: Search = {
    contents,
    known: await loaderCache(cacheFlag),
    machine,
    defaultFolders: [`usr/lib/${triple}`, 'usr/lib', 'usr/lib64'],
    names: new Set([...contents.tree.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1))),
    seen: new Set(),
    missing: new Set(),
  };
  for (;;) {
    const fresh = [...contents.tree.values()].filter((entry) => mayNeedLibraries(entry) && !search.seen.has(entry.path));
    if (fresh.length === 0) return [...search.missing].sort();
    for (const entry of fresh) await includeNeeded(search, entry);
  }
}

function mayNeedLibraries(entry: LayerEntry): boolean {
  return entry.kind === 'file' && (entry.isExecutable || /\.(?:so(?:\.|$)|node$)/.test(entry.path));
}

async function includeNeeded(search: Search, entry: LayerEntry): Promise<void> {
  search.seen.add(entry.path);
  if (entry.kind !== 'file' || !('source' in entry.body)) return;
  const elf = await readElf(entry.body.source);
  if (elf === null || elf.machine !== search.machine) return;
  if (elf.loader !== null && !(await inBase(search, elf.loader))) await includePath(search.contents, elf.loader);
  for (const name of elf.needed) {
    if (!/^[A-Za-z0-9._+-]{1,200}$/.test(name)) continue;
    await includeOne(search, { name, elf, origin: `/${dirname(entry.path)}` });
  }
}

interface Need {
  name: string;
  elf: ElfFacts;
  /** Folder of the file that needs it, in the image. */
  origin: string;
}

async function includeOne(search: Search, need: Need): Promise<void> {
  if (await isOnSearchPath(search, need)) return;
  const versions = need.elf.neededVersions.get(need.name) ?? new Set<string>();
  const own = await libraryOfBase(search, need.name);
  if (own !== null && (await defines(own, versions))) return;
  const host = search.known.get(need.name);
  if (host === undefined) {
    if (own === null && !search.names.has(need.name)) search.missing.add(need.name);
    return;
  }
  if (own !== null && C_LIBRARY.test(need.name)) {
    if (await defines(host, versions)) throw olderBase(need, versions);
    return;
  }
  await includePath(search.contents, host);
  await linkIntoDefaultFolder(search, need.name, host);
}

/** Looks in the folders that the file itself names. */
async function isOnSearchPath(search: Search, { name, elf, origin }: Need): Promise<boolean> {
  for (const folder of elf.searchPath) {
    const path = join(folder.replaceAll(/\$ORIGIN|\$\{ORIGIN\}/g, origin), name);
    if (!path.startsWith('/')) continue;
    if (search.contents.tree.has(path.slice(1)) || search.contents.tree.has(await placeInRoot(search.contents.baseDirectory, path)))
      return true;
    const real = (await linkHops(path)).at(-1) ?? path;
    if (!(await isThere(real)) || (await inBase(search, path))) continue;
    if ((await readElf(real)) === null) continue;
    await includePath(search.contents, path);
    return true;
  }
  return false;
}

async function libraryOfBase(search: Search, name: string): Promise<string | null> {
  for (const folder of [...search.defaultFolders, 'lib64']) {
    const found = await fileInRoot(search.contents.baseDirectory, `${folder}/${name}`);
    if (found !== null) return found;
  }
  return null;
}

async function inBase(search: Search, path: string): Promise<boolean> {
  return (await fileInRoot(search.contents.baseDirectory, path)) !== null;
}

async function defines(file: string, versions: ReadonlySet<string>): Promise<boolean> {
  const defined = (await readElf(file))?.definedVersions ?? new Set<string>();
  return [...versions].every((version) => defined.has(version));
}

/** The cache of the loader is the root's, which does not know other folders; a link in one that is always looked into serves as well. */
async function linkIntoDefaultFolder({ contents, defaultFolders }: Search, name: string, host: string): Promise<void> {
  const place = await placeInRoot(contents.baseDirectory, host);
  if (defaultFolders.includes(dirname(place))) return;
  const path = `${defaultFolders[0] ?? 'usr/lib'}/${name}`;
  if (!contents.tree.has(path)) contents.tree.set(path, { kind: 'symlink', path, target: host });
}

function olderBase({ name, origin }: Need, versions: ReadonlySet<string>): AppError {
  const newest = [...versions].sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1) ?? '';
  return new AppError('image-not-buildable', `A library in ${origin} needs ${newest} of ${name}, which the Debian root does not have.`, {
    hint: 'Take a newer release with --suite, or the libraries of this machine with --base host.',
  });
}

/** `ldconfig -p`: `name (libc6,x86-64) => path`, the first of a name counts. */
async function loaderCache(flag: string): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  const done = await execa('/sbin/ldconfig', ['-p'], { stdin: 'ignore', reject: false, env: { LC_ALL: 'C' } });
  for (const line of String(done.stdout ?? '').split('\n')) {
    const match = /^\s+(\S+) \(([^)]*)\) => (\S+)$/.exec(line);
    const [, name = '', flags = '', path = ''] = match ?? [];
    if (match !== null && flags.split(/[ ,]+/).includes(flag) && !known.has(name)) known.set(name, path);
  }
  return known;
}
