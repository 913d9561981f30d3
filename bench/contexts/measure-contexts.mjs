// How often the file that a query is about is found and shown: with contexts that must differ, and with any.
// Usage: node bench/contexts/measure-contexts.mjs DIRECTORY, where the packages of README.md lie.
import { readFile } from 'node:fs/promises';
import { buildCodeIndex } from '../../libs/code-index/dist/index.js';
import { assembleContexts } from '../../libs/retrieval/dist/assemble.js';
import { indexTree, rankChunks } from '../../libs/retrieval/dist/tree-index.js';

const OVERLAPS = [1, 0.6, 0.3];

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('Give the directory that holds the packages; see bench/contexts/README.md.');
const queries = JSON.parse(await readFile(new URL('queries.json', import.meta.url), 'utf8'));
const tree = indexTree(await buildCodeIndex(directory));
console.log(`${tree.code.texts.size} files, ${tree.code.chunks.length} chunks, ${queries.length} queries`);

const ranks = [];
const shown = new Map(OVERLAPS.map((overlap) => [overlap, { first: 0, any: 0, blocks: 0 }]));
for (const { query, file } of queries) {
  if (!tree.code.texts.has(file)) throw new Error(`The tree has no file ${file}: are the versions those of README.md?`);
  const ranking = rankChunks(tree, { title: query, body: '', frames: [], symbols: [] });
  const files = [...new Set(ranking.hits.map((hit) => tree.code.chunks[hit.chunk].file))];
  ranks.push(files.includes(file) ? files.indexOf(file) + 1 : Infinity);
  for (const [largestOverlap, sums] of shown) {
    const contexts = await assembleContexts(tree, ranking, { largestOverlap });
    const holds = contexts.map((context) => context.blocks.some((block) => block.file === file));
    if (holds[0]) sums.first++;
    if (holds.includes(true)) sums.any++;
    sums.blocks += new Set(contexts.flatMap((context) => context.blocks.map((block) => `${block.file}:${block.startLine}`))).size;
  }
}

const among = (places) => (ranks.filter((rank) => rank <= places).length / ranks.length).toFixed(3);
console.log(`file of the best chunk: hit@1 ${among(1)}, hit@5 ${among(5)}, hit@20 ${among(20)}`);
for (const [overlap, { first, any, blocks }] of shown) {
  const share = (count) => (count / queries.length).toFixed(3);
  console.log(
    `overlap up to ${overlap}: shown in the first context ${share(first)}, in any ${share(any)}, blocks ${(blocks / queries.length).toFixed(1)}`,
  );
}
