import type { ChunkSearch } from '@reenact/domain';
import { product } from '../product.js';
import type { IndexedTree } from '../product.js';

/**
 * Run as a program of its own, so that memory and processor time are those of the work alone: indexes the tree named first in the
 * folder named second, answers one query (the rest of the arguments), and prints what it took as JSON.
 */
async function measureTree(): Promise<void> {
  const [treeDirectory, directory, ...query] = process.argv.slice(2);
  if (treeDirectory === undefined || directory === undefined) throw new Error('a tree and a folder are needed');
  const begun = performance.now();
  const tree = await product.openTree(treeDirectory, directory);
  const readSeconds = (performance.now() - begun) / 1000;
  const search = await openEngine(directory, { repository: treeDirectory, tree });
  const answer = await search.search({ tokens: query, vector: null, limit: 20 });
  const seconds = (performance.now() - begun) / 1000;
  await search.close();
  tree.close();
  const used = process.resourceUsage();
  const result = {
    seconds,
    readSeconds,
    cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    // maxRSS is in kilobytes (libuv).
    maxRssBytes: used.maxRSS * 1024,
    files: tree.files,
    chunks: answer.chunks,
    hits: answer.hits.length,
    counts: tree.counts,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** A state that the engine has is opened as it is; of another the chunks that it knows are taken over. */
async function openEngine(directory: string, { repository, tree }: { repository: string; tree: IndexedTree }): Promise<ChunkSearch> {
  const engine = product.createEngine(directory);
  const name = { repository, revision: tree.digest };
  const known = await engine.open(name);
  if (known !== null) return known;
  await engine.publish(name, tree.searchable(), { embedding: null, analysis: tree.analysis });
  const made = await engine.open(name);
  if (made === null) throw new Error('the engine does not find what was published');
  return made;
}

await measureTree();
