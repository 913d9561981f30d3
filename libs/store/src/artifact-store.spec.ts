import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArtifactStore } from '@reenact/domain';
import { FolderArtifactStore } from './folder-artifact-store.js';
import { MemoryArtifactStore } from './testing/memory-artifact-store.js';

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'store-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const ABSENT = `sha256:${'0'.repeat(64)}`;
const stores: [string, () => ArtifactStore][] = [
  ['folder', () => new FolderArtifactStore(join(scratch, 'store'))],
  ['memory', () => new MemoryArtifactStore(join(scratch, 'copies'))],
];

async function makeTree(name: string): Promise<string> {
  const root = join(scratch, name);
  await mkdir(join(root, 'src', 'empty'), { recursive: true });
  await writeFile(join(root, 'src', 'train.py'), 'print(1)\n');
  await writeFile(join(root, 'run.sh'), '#!/bin/sh\n');
  await chmod(join(root, 'run.sh'), 0o700);
  await writeFile(join(root, 'ünïcode name\n.txt'), '');
  await symlink('src/train.py', join(root, 'main.py'));
  await symlink('../run.sh', join(root, 'src', 'up.sh'));
  await symlink('nowhere', join(root, 'dangling'));
  return root;
}

describe.each(stores)('%s artifact store: contract', (_, create) => {
  it('gives back what was put, under the SHA-256 of the content', async () => {
    const store = create();
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
      const ref = await store.putBytes(bytes);
      expect(ref).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
      expect(await store.putBytes(bytes)).toBe(ref);
      expect(await store.has(ref)).toBe(true);
      expect(Buffer.from(await store.getBytes(ref)).equals(Buffer.from(bytes))).toBe(true);
      expect((await readFile(store.pathOf(ref))).equals(Buffer.from(bytes))).toBe(true);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('stores a big file and a small one like bytes', async () => {
    const store = create();
    const big = Buffer.alloc(9_000_000, 'abc');
    await writeFile(join(scratch, 'big'), big);
    expect(await store.putFile(join(scratch, 'big'))).toBe(await store.putBytes(big));
    expect((await store.getBytes(await store.putFile(join(scratch, 'big')))).byteLength).toBe(9_000_000);
  });

  it('names what is not there', async () => {
    const store = create();
    expect(await store.has(ABSENT)).toBe(false);
    await expect(store.getBytes(ABSENT)).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining(ABSENT) as string });
    expect(await store.hasTree('1'.repeat(64))).toBe(false);
    await expect(store.checkoutTree('1'.repeat(64), join(scratch, 'out'))).rejects.toMatchObject({ code: 'internal' });
  });

  it.each(['../../etc/passwd', 'sha256:../../../x', `sha256:${'A'.repeat(64)}`, ''])('refuses %j as a reference', (ref) => {
    expect(() => create().pathOf(ref)).toThrow('no reference');
  });

  it('checks a tree out as it was: files, mode bit, inner links, empty directories', async () => {
    const store = create();
    const treeHash = await store.putTree(await makeTree('a'));
    expect(treeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.hasTree(treeHash)).toBe(true);
    const out = join(scratch, 'out');
    await store.checkoutTree(treeHash, out);
    expect(await readFile(join(out, 'main.py'), 'utf8')).toBe('print(1)\n');
    expect(await readlink(join(out, 'src', 'up.sh'))).toBe('../run.sh');
    expect(await readlink(join(out, 'dangling'))).toBe('nowhere');
    expect((await lstat(join(out, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect((await lstat(join(out, 'src', 'train.py'))).mode & 0o777).toBe(0o644);
    expect(await readdir(join(out, 'src', 'empty'))).toEqual([]);
    expect(await store.putTree(out)).toBe(treeHash);
  });

  it('hands out private copies', async () => {
    const store = create();
    const treeHash = await store.putTree(await makeTree('a'));
    await store.checkoutTree(treeHash, join(scratch, 'one'));
    await writeFile(join(scratch, 'one', 'run.sh'), 'overwritten');
    await store.checkoutTree(treeHash, join(scratch, 'two'));
    expect(await readFile(join(scratch, 'two', 'run.sh'), 'utf8')).toBe('#!/bin/sh\n');
    await expect(store.checkoutTree(treeHash, join(scratch, 'two'))).rejects.toThrow('not empty');
  });

  it('changes the tree hash with content, name, mode, link target, and nothing else', async () => {
    const store = create();
    const root = await makeTree('a');
    const original = await store.putTree(root);
    expect(await store.putTree(await makeTree('b'))).toBe(original);
    await utimes(join(root, 'run.sh'), 1, 1);
    expect(await store.putTree(root)).toBe(original);
    const hashes = [original];
    const steps = [
      () => chmod(join(root, 'run.sh'), 0o644),
      () => writeFile(join(root, 'run.sh'), '#!/bin/sh\n\n'),
      () => rm(join(root, 'dangling')),
      () => symlink('elsewhere', join(root, 'dangling')),
      () => rm(join(root, 'src', 'empty'), { recursive: true }),
    ];
    for (const step of steps) {
      await step();
      hashes.push(await store.putTree(root));
    }
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it.each(['../outside', '/etc/passwd', 'src/../../x'])('refuses a link to %s, by name', async (target) => {
    const root = await makeTree('a');
    await symlink(target, join(root, 'bad-link'));
    await expect(create().putTree(root)).rejects.toMatchObject({
      code: 'case-invalid',
      message: expect.stringContaining('bad-link') as string,
    });
  });
});

describe('folder artifact store: damage', () => {
  const open = () => new FolderArtifactStore(join(scratch, 'store'));

  it('finds and names a torn artefact, and heals it by the next put', async () => {
    const store = open();
    const root = await makeTree('a');
    const treeHash = await store.putTree(root);
    const ref = await store.putBytes(Buffer.from('print(1)\n'));
    await chmod(store.pathOf(ref), 0o644);
    await truncate(store.pathOf(ref), 3);
    await expect(store.getBytes(ref)).rejects.toThrow(ref);
    expect(await store.hasTree(treeHash)).toBe(false);
    await expect(store.checkoutTree(treeHash, join(scratch, 'out'))).rejects.toThrow(ref);
    await open().putTree(root);
    expect(await store.hasTree(treeHash)).toBe(true);
  });

  it('finds a missing artefact of a tree', async () => {
    const store = open();
    const treeHash = await store.putTree(await makeTree('a'));
    const ref = await store.putBytes(Buffer.from('print(1)\n'));
    await rm(store.pathOf(ref));
    expect(await store.hasTree(treeHash)).toBe(false);
    await expect(store.checkoutTree(treeHash, join(scratch, 'out'))).rejects.toThrow(ref);
  });

  it('refuses an altered manifest', async () => {
    const store = open();
    const treeHash = await store.putTree(await makeTree('a'));
    const path = join(scratch, 'store', 'trees', treeHash.slice(0, 2), `${treeHash}.json`);
    await writeFile(path, (await readFile(path, 'utf8')).replace('run.sh', '../x.sh'));
    await expect(store.checkoutTree(treeHash, join(scratch, 'out'))).rejects.toThrow(treeHash);
  });
});

describe('folder artifact store: garbage', () => {
  it('removes what is neither kept nor held by a kept tree', async () => {
    const store = new FolderArtifactStore(join(scratch, 'store'));
    const kept = await store.putBytes(Buffer.from('kept'));
    const lost = await store.putBytes(Buffer.from('lost'));
    const tree = await store.putTree(await makeTree('a'));
    await writeFile(join(scratch, 'a', 'more'), 'more');
    const otherTree = await store.putTree(join(scratch, 'a'));
    const result = await store.collectGarbage({ keep: [kept, tree], maxBytes: 0, minimumAgeSeconds: -10 });
    expect(result.removedCount).toBe(3);
    expect([await store.has(kept), await store.has(lost)]).toEqual([true, false]);
    expect([await store.hasTree(tree), await store.hasTree(otherTree)]).toEqual([true, false]);
  });

  it('spares the young, and everything while the bound holds', async () => {
    const store = new FolderArtifactStore(join(scratch, 'store'));
    const refs = [];
    for (const [index, size] of [1000, 2000, 3000].entries()) {
      const ref = await store.putBytes(Buffer.alloc(size, index));
      await utimes(store.pathOf(ref), 1000 + index, 1000 + index);
      refs.push(ref);
    }
    expect((await store.collectGarbage({ keep: [], maxBytes: 6000 })).removedCount).toBe(0);
    expect(await store.collectGarbage({ keep: [], maxBytes: 5500 })).toEqual({ removedCount: 1, removedBytes: 1000, keptBytes: 5000 });
    await store.putBytes(Buffer.alloc(2000, 1)); // used again: young
    expect(await store.collectGarbage({ keep: [], maxBytes: 0 })).toEqual({ removedCount: 1, removedBytes: 3000, keptBytes: 2000 });
    expect(await Promise.all(refs.map((ref) => store.has(ref)))).toEqual([false, true, false]);
  });
});
