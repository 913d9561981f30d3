import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createContextSource } from './context-source.js';

let tree = '';
const QUERY = { title: 'squeeze drops the batch dimension', body: 'in `decode`', frames: [], symbols: ['decode'] };

beforeEach(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'context-source-'));
  await writeFile(path.join(tree, 'decode.py'), 'def decode(x):\n    return x.squeeze()\n');
  await writeFile(path.join(tree, 'config.yaml'), 'batch: 1\ndimension: 2\n');
});
afterEach(async () => {
  await rm(tree, { recursive: true, force: true });
});

describe('createContextSource', () => {
  it('answers from the tree, configuration as a role of its own', async () => {
    const [first] = await createContextSource().retrieve(tree, 'h1', QUERY);
    expect(first?.blocks.map((block) => [block.role, block.file])).toEqual([
      ['snippet', 'decode.py'],
      ['configuration', 'config.yaml'],
    ]);
  });

  it('keeps an index by tree hash, and forgets the one used longest ago', async () => {
    const source = createContextSource({ cachedTrees: 1 });
    const before = await source.retrieve(tree, 'h1', QUERY);
    await writeFile(path.join(tree, 'decode.py'), 'changed = 1\n');
    expect(await source.retrieve(tree, 'h1', QUERY)).toEqual(before);
    await source.retrieve(tree, 'h2', QUERY);
    expect(await source.retrieve(tree, 'h1', QUERY)).not.toEqual(before);
  });

  it('parses what it parsed before no second time, nor gives other contexts for it', async () => {
    const directory = path.join(tree, '.index');
    const first = await createContextSource({ directory }).retrieve(tree, 'h1', QUERY);
    const [file] = (await readdir(directory)).filter((name) => name.endsWith('.sqlite'));
    const records = () =>
      new DatabaseSync(path.join(directory, file ?? ''), { readOnly: true }).prepare('SELECT count(*) AS n FROM record').get();
    const before = records();
    expect(await createContextSource({ directory }).retrieve(tree, 'h2', QUERY)).toEqual(first);
    expect([before, records()]).toEqual([{ n: 2 }, { n: 2 }]);
  });
});
