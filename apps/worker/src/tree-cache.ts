import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactStore } from '@reenact/domain';
import { markUsed } from './collect-caches.js';

export interface TreeCache {
  /** Absolute path of a read-only checkout. */
  pathOf(treeHash: string): Promise<string>;
}

/**
 * Pristine checkouts of trees, one per tree hash and shared by all trials: the sandbox copies from them and never writes
 * there. Made aside and renamed, so that a killed checkout is never taken for a whole one.
 */
export function createTreeCache(store: ArtifactStore, directory: string): TreeCache {
  const underWay = new Map<string, Promise<string>>();
  return {
    pathOf(treeHash) {
      const running = underWay.get(treeHash);
      if (running !== undefined) return running;
      const made = checkout(store, directory, treeHash).finally(() => underWay.delete(treeHash));
      underWay.set(treeHash, made);
      return made;
    },
  };
}

async function checkout(store: ArtifactStore, directory: string, treeHash: string): Promise<string> {
  const target = path.join(directory, treeHash);
  if (await exists(target)) {
    await markUsed(target);
    return target;
  }
  await mkdir(directory, { recursive: true });
  const aside = await mkdtemp(path.join(directory, '.checkout-'));
  try {
    await store.checkoutTree(treeHash, path.join(aside, 'tree'));
    await rename(path.join(aside, 'tree'), target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error;
    });
    return target;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
