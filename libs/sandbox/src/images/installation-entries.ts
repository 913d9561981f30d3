import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Distribution } from '@reenact/domain';
import { collectTree, reading } from './collect-tree.js';
import { isThere } from './image-contents.js';
import type { LayerTree } from './layer-entry.js';

/** Where the product lies in an image, without a leading slash. */
export const APP_FOLDER = 'opt/reenact/app';
/** Where a worker in an image keeps its state; to be mounted. */
export const STATE_FOLDER = '/state';
/** Folders of an installation that hold packages of its own. */
const WORKSPACES = ['apps', 'libs', 'workflows'];
const LEFT_OUT_FOLDERS = new Set(['src', 'test-bed', 'tests', '__pycache__']);
const LEFT_OUT_FILE = /(?:\.(?:spec|integration)\.(?:js|d\.ts)|\.map|\.d\.ts|\.tsbuildinfo|^tsconfig\.json)$/;

/** A package that the product runs with. */
export interface NpmPackage extends Distribution {
  /** Its folder below the installation. */
  folder: string;
}

interface LockEntry {
  version?: string;
  name?: string;
  dev?: boolean;
  link?: boolean;
}

/** What the lock lists for running, and is installed: packages for other platforms are not. */
export async function npmPackages(installation: string): Promise<NpmPackage[]> {
  const file = join(installation, 'package-lock.json');
  const lock = JSON.parse(await reading(file, () => readFile(file, 'utf8'))) as { packages: Record<string, LockEntry> };
  const found: NpmPackage[] = [];
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (!folder.includes('node_modules/') || entry.dev === true || entry.link === true) continue;
    if (!(await isThere(join(installation, folder)))) continue;
    found.push({ folder, name: entry.name ?? folder.split('node_modules/').at(-1) ?? folder, version: entry.version ?? '' });
  }
  return found;
}

/** Node and npm packages, for this machine's platform only. @throws AppError `image-not-buildable` for what cannot be read. */
export async function nodeEntries(installation: string, packages: readonly NpmPackage[]): Promise<LayerTree> {
  const tree: LayerTree = new Map();
  const others = new RegExp(`/core-bridge/releases/(?!${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu(?:/|$))`);
  for (const { folder } of packages) {
    await collectTree(tree, join(installation, folder), {
      inner: `${APP_FOLDER}/${folder}`,
      // Packages below another one's folder are listed by themselves.
      isLeftOut: (inner, name) => name === 'node_modules' || others.test(inner) || /\.map$/.test(name),
    });
  }
  const node = 'node_modules/node/bin/node';
  await collectTree(tree, join(installation, node), { inner: `${APP_FOLDER}/${node}` });
  return tree;
}

/** The built packages of the product, and the links between them. @throws AppError `image-not-buildable` for what cannot be read. */
export async function productEntries(installation: string): Promise<LayerTree> {
  const tree: LayerTree = new Map();
  await collectTree(tree, join(installation, 'package.json'), { inner: `${APP_FOLDER}/package.json` });
  for (const workspace of WORKSPACES) {
    await collectTree(tree, join(installation, workspace), {
      inner: `${APP_FOLDER}/${workspace}`,
      isLeftOut: (_inner, name, isDirectory) =>
        name.startsWith('.') || name === 'node_modules' || (isDirectory ? LEFT_OUT_FOLDERS.has(name) : LEFT_OUT_FILE.test(name)),
    });
  }
  const links = join(installation, 'node_modules', '@reenact');
  for (const name of await reading(links, () => readdir(links))) {
    await collectTree(tree, join(links, name), { inner: `${APP_FOLDER}/node_modules/@reenact/${name}` });
  }
  tree.set(STATE_FOLDER.slice(1), { kind: 'directory', path: STATE_FOLDER.slice(1) });
  return tree;
}
