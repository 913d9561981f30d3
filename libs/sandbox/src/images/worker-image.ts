import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@reenact/domain';
import type { Distribution } from '@reenact/domain';
import { installedPackages } from './debian-packages.js';
import { collectTree, reading } from './collect-tree.js';
import type { ImagePlan } from './build-image.js';
import { isThere } from './image-contents.js';
import type { LayerTree } from './layer-entry.js';
import { supervisorEntries } from './product-entries.js';
import { prepareBase } from './runner-image.js';
import type { BaseChoice, ImageWork } from './runner-image.js';

const APP_FOLDER = 'opt/reenact/app';
const STATE_FOLDER = '/state';
/** Folders of an installation that hold packages of its own. */
const WORKSPACES = ['apps', 'libs', 'workflows'];
const LEFT_OUT_FOLDERS = new Set(['src', 'test-bed', 'tests', '__pycache__']);
const LEFT_OUT_FILE = /(?:\.(?:spec|integration)\.(?:js|d\.ts)|\.map|\.d\.ts|\.tsbuildinfo|^tsconfig\.json)$/;

/**
 * Plans the image of the worker: root, Node, npm packages, the built product. It is started as it is, by any user, with a read-only root;
 * the folder of `REENACT_STATE` has to be writable.
 *
 * @param installation folder of a built installation.
 * @throws AppError `image-not-buildable` for one that is not built.
 */
export async function planWorkerImage(
  request: { name: string | null; installation: string; base: BaseChoice },
  work: ImageWork,
): Promise<ImagePlan> {
  const { installation } = request;
  if (!(await isThere(join(installation, 'apps/worker/dist/workflow-bundle.js')))) {
    throw new AppError('image-not-buildable', `${installation} is not built.`, {
      hint: 'Start any command with ./reenact, which builds it; then again.',
    });
  }
  const base = await prepareBase(request.base, work);
  const packages = await npmPackages(installation);
  const title = `Node ${process.versions.node} and npm packages`;
  return {
    name: request.name ?? 'reenact/worker:latest',
    layers: [
      base.layer,
      { title, tree: await nodeEntries(installation, packages) },
      { title: 'worker', tree: await productEntries(installation) },
    ],
    entrypoint: [`/${APP_FOLDER}/node_modules/node/bin/node`, '--disable-warning=ExperimentalWarning'],
    command: [`/${APP_FOLDER}/apps/worker/dist/main.js`],
    workingDirectory: `/${APP_FOLDER}`,
    environment: { REENACT_STATE: STATE_FOLDER, NODE_ENV: 'production', HOME: STATE_FOLDER },
    labels: { 'org.opencontainers.image.title': 'Reenact worker', 'dev.reenact.image': 'worker', 'dev.reenact.base': base.title },
    materials: {
      debian: await installedPackages(base.directory),
      python: [],
      npm: [{ name: 'node', version: process.versions.node }, ...packages.map(({ name, version }) => ({ name, version }))],
    },
  };
}

/** Plans the image that is mounted as a volume at `/opt/reenact`: supervisor and probe, no root. */
export async function planSupervisorImage(name: string | null): Promise<ImagePlan> {
  return {
    name: name ?? 'reenact/supervisor:latest',
    layers: [{ title: 'supervisor and probe', tree: await supervisorEntries('') }],
    entrypoint: [],
    command: [],
    workingDirectory: '/',
    environment: {},
    labels: { 'org.opencontainers.image.title': 'Reenact supervisor', 'dev.reenact.image': 'supervisor' },
    materials: { debian: [], python: [], npm: [] },
  };
}

interface NpmPackage extends Distribution {
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
async function npmPackages(installation: string): Promise<NpmPackage[]> {
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

async function nodeEntries(installation: string, packages: readonly NpmPackage[]): Promise<LayerTree> {
  const tree: LayerTree = new Map();
  const others = new RegExp(`/core-bridge/releases/(?!${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu$)`);
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

async function productEntries(installation: string): Promise<LayerTree> {
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
