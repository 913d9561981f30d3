import { join } from 'node:path';
import { AppError } from '@reenact/domain';
import { installedPackages } from './debian-packages.js';
import type { ImagePlan } from './build-image.js';
import { isThere } from './image-contents.js';
import { APP_FOLDER, STATE_FOLDER, nodeEntries, npmPackages, productEntries } from './installation-entries.js';
import { supervisorEntries } from './product-entries.js';
import { prepareBase } from './runner-image.js';
import type { BaseChoice, ImageWork } from './runner-image.js';
import { includeLibraries } from './shared-libraries.js';

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
  const node = await nodeEntries(installation, packages);
  await includeLibraries({ tree: node, baseDirectory: base.directory });
  const title = `Node ${process.versions.node} and npm packages`;
  return {
    name: request.name ?? 'reenact/worker:latest',
    layers: [base.layer, { title, tree: node }, { title: 'worker', tree: await productEntries(installation) }],
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
