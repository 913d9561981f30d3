import { listSubject } from '@reenact/verdict';
import type { SubjectListing } from '@reenact/verdict';
import type { PythonSyntax } from '@reenact/code-index';
import type { TreeCache } from './tree-cache.js';

const MOST_LISTINGS = 20;

/** What static checks know about a tree, computed once per tree hash. */
export function createListingCache(
  python: PythonSyntax,
  trees: TreeCache,
): (treeHash: string, importRoots: readonly string[]) => Promise<SubjectListing> {
  const known = new Map<string, Promise<SubjectListing>>();
  return (treeHash, importRoots) => {
    const key = `${treeHash} ${importRoots.join(' ')}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = trees.pathOf(treeHash).then((directory) => listSubject(python, directory, importRoots));
    known.set(key, made);
    made.catch(() => known.delete(key));
    const oldest = known.keys().next().value;
    if (known.size > MOST_LISTINGS && oldest !== undefined) known.delete(oldest);
    return made;
  };
}
