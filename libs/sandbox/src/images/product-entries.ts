import { fileURLToPath } from 'node:url';
import { collectTree } from './collect-tree.js';
import type { LayerTree } from './layer-entry.js';

/** The package's folder, from `src` as well as from `dist`. */
const PACKAGE_DIRECTORY = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * The supervisor and the probe, beside each other as `pod/execution.py` expects them.
 * @param inner folder in the image without a leading slash; '' = its root, for an image that is mounted as a volume.
 */
export async function supervisorEntries(inner: string): Promise<LayerTree> {
  const tree: LayerTree = new Map();
  for (const name of ['supervisor', 'probe']) {
    await collectTree(tree, `${PACKAGE_DIRECTORY}/${name}`, {
      inner: inner === '' ? name : `${inner}/${name}`,
      isLeftOut: (path, child) => child === '__pycache__' || path.endsWith(`${name}/tests`),
    });
  }
  return tree;
}
