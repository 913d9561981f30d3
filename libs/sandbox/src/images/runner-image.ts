import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunImage } from '@reenact/domain';
import { baseEntries } from './base-entries.js';
import type { BaseRoot } from './base-root.js';
import { prepareBaseRoot } from './base-root.js';
import type { BasePlan } from './base-root.js';
import { pythonPackages } from './bill-of-materials.js';
import type { Materials, PythonPackage } from './bill-of-materials.js';
import type { ImagePlan, LayerPlan } from './build-image.js';
import { installedPackages, owningPackages } from './debian-packages.js';
import { describeForImage, describeOnce } from './describe-interpreter.js';
import { environmentEntries } from './environment-entries.js';
import type { LayerTree } from './layer-entry.js';
import { supervisorEntries } from './product-entries.js';

/** Where supervisor and probe lie in an image; `POD_PATHS` names the same. */
const PRODUCT_FOLDER = 'opt/reenact';
/** The interpreter of the supervisor in every image with a root. */
export const IMAGE_PYTHON = '/usr/bin/python3';

/** What images begin with: a Debian root, or what this machine's own Python needs, taken from this machine. */
export type BaseChoice = { kind: 'debian'; plan: BasePlan } | { kind: 'host' };

export interface ImageWork {
  /** Where roots, facts about interpreters and byte code are kept. */
  cacheDirectory: string;
  /** Runs the supervisor on this machine. */
  supervisorPython: string;
  signal: AbortSignal;
  onProgress: (message: string) => void;
}

export interface RunnerRequest {
  /** Name of the image; null = one that is made from the interpreter. */
  name: string | null;
  /** Interpreter of the environment; absolute. */
  interpreter: string;
  /** Requirements with hashes, where the environment was made from such; '' = none. */
  lock: string;
  base: BaseChoice;
}

/** A plan, and what nobody provides. */
export interface PlannedRunner {
  plan: ImagePlan;
  /** Interpreters of environment and supervisor in the image, as a pool's configuration names them; null for no runner. */
  interpreters: Pick<RunImage, 'interpreter' | 'supervisorPython'> | null;
  missingLibraries: string[];
}

/**
 * Plans the image of a run pod: root, environment at its own absolute paths, supervisor and probe.
 * @throws AppError as `prepareBaseRoot`, `describeForImage` and `environmentEntries`.
 */
export async function planRunnerImage(request: RunnerRequest, work: ImageWork): Promise<PlannedRunner> {
  const base = await prepareBase(request.base, work);
  work.onProgress(`looking at ${request.interpreter}`);
  const description = await describeForImage(request.interpreter, { ...work, cacheDirectory: join(work.cacheDirectory, 'interpreters') });
  const { tree, missingLibraries } = await environmentEntries(description, base.directory);
  const layers: LayerPlan[] = [
    base.layer,
    { title: `Python ${description.python} at ${request.interpreter}`, tree },
    // The last one: nothing of an environment lies over what judges it.
    { title: 'supervisor and probe', tree: await supervisorEntries(PRODUCT_FOLDER) },
  ];
  const python = await pythonPackages(description.distributions, description.sites, request.lock);
  const plan: ImagePlan = {
    name: request.name ?? `reenact/runner:python-${description.python}`,
    layers,
    entrypoint: [IMAGE_PYTHON, '-I', '-S', '-B', `/${PRODUCT_FOLDER}/supervisor/pod.py`],
    command: ['/in/run.json'],
    workingDirectory: '/',
    environment: {},
    labels: {
      'org.opencontainers.image.title': 'Reenact runner',
      'dev.reenact.image': 'runner',
      'dev.reenact.interpreter': request.interpreter,
      'dev.reenact.python': description.python,
      'dev.reenact.base': base.title,
    },
    materials: await materialsOf(base, tree, python),
  };
  return { plan, missingLibraries, interpreters: { interpreter: request.interpreter, supervisorPython: IMAGE_PYTHON } };
}

/** A root that is ready to build on. */
export interface PreparedBase {
  title: string;
  /** Folder that is looked into for what the root has; empty for a root of this machine. */
  directory: string;
  layer: LayerPlan;
}

/** @throws AppError as `prepareBaseRoot`. */
export async function prepareBase(choice: BaseChoice, work: ImageWork): Promise<PreparedBase> {
  if (choice.kind === 'host') return hostBase(work);
  const root: BaseRoot = await prepareBaseRoot(choice.plan, work);
  const title = [`Debian ${choice.plan.suite}`, ...choice.plan.extras].join(' with ');
  return { title, directory: root.directory, layer: { title, tree: await baseEntries(root.directory) } };
}

/** The smallest root: this machine's own Python for the supervisor, with the libraries that it needs. */
async function hostBase(work: ImageWork): Promise<PreparedBase> {
  const directory = join(work.cacheDirectory, 'root-empty');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const python = await describeOnce(IMAGE_PYTHON, work);
  const isStandard = (path: string): boolean => !/\/(?:site|dist)-packages/.test(path);
  const { tree } = await environmentEntries({ ...python, systemPaths: python.systemPaths.filter(isStandard), sites: [] }, directory);
  return {
    title: 'libraries of the machine that built it',
    directory,
    layer: { title: 'root of the machine that built it', tree: joined(await baseEntries(directory), tree) },
  };
}

function joined(one: LayerTree, other: LayerTree): LayerTree {
  return new Map([...one, ...other]);
}

async function materialsOf(base: PreparedBase, tree: LayerTree, python: PythonPackage[]): Promise<Omit<Materials, 'name'>> {
  const own = await installedPackages(base.directory);
  const taken = new Set([...tree.values()].filter(({ kind }) => kind === 'file').map(({ path }) => `/${path}`));
  const isOwn = new Set(own.map(({ name, version }) => `${name} ${version}`));
  const others = (await owningPackages(taken)).filter(({ name, version }) => !isOwn.has(`${name} ${version}`));
  return { debian: [...own, ...others], python, npm: [] };
}
