import { product } from '../product.js';

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
  const search = await product.openSearch(product.createEngine(directory), tree, treeDirectory);
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

await measureTree();
