import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeIndex } from '../assemble-index.js';
import type { OpenTreeOptions } from './open-tree.js';
import { openTree } from './open-tree.js';

let scratch = '';
/** A clock that runs ahead of the file system's: files are at rest at once. */
const now = (): number => Date.now() + 10_000;

beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'open-tree-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

async function put(tree: string, file: string, text: string): Promise<void> {
  const absolute = path.join(scratch, tree, file);
  await mkdir(path.dirname(absolute), { recursive: true });
  await writeFile(absolute, text);
}

async function indexed(tree: string, options: OpenTreeOptions = {}) {
  const opened = await openTree(path.join(scratch, tree), { directory: path.join(scratch, 'store'), now, ...options });
  try {
    return { digest: opened.digest, counts: opened.counts, index: await opened.codeIndex(), searchable: [...opened.searchable()] };
  } finally {
    opened.close();
  }
}

async function clean(tree: string): Promise<CodeIndex> {
  const opened = await openTree(path.join(scratch, tree));
  const index = await opened.codeIndex();
  opened.close();
  return index;
}

/** The index as text: maps in their order, arrays of any width as numbers. */
function bytesOf(index: CodeIndex): string {
  return JSON.stringify(index, (_, value: unknown) => {
    if (value instanceof Map) return [...value];
    return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<number>) : value;
  });
}

const TRAIN = 'from model import net\n\n\ndef train(loader):\n    for x in loader:\n        loss = net(x)\n        loss.backward()\n';

describe('openTree', () => {
  it('reads, hashes and parses only what changed', async () => {
    await put('t', 'train.py', TRAIN);
    await put('t', 'model.py', 'def net(x):\n    return x\n');
    await put('t', 'conf.yaml', 'rate: 1\n');
    await put('t', 'gen.py', '# @generated\n');
    const first = await indexed('t');
    expect(first.counts).toEqual({ stated: 4, hashed: 4, parsed: 4, tokenised: 4 });
    expect(first.index.loops.map((loop) => loop.name)).toEqual(['train']);
    expect(first.index.skipped).toEqual([{ path: 'gen.py', reason: 'generated' }]);
    expect(first.searchable.map(({ file, kind, id }) => [file, kind, id.length])).toEqual([
      ['conf.yaml', 'configuration', 64],
      ['model.py', 'function', 64],
      ['train.py', 'run', 64],
      ['train.py', 'function', 64],
    ]);

    const same = await indexed('t');
    expect(same.counts).toEqual({ stated: 4, hashed: 0, parsed: 0, tokenised: 0 });
    expect([same.digest, bytesOf(same.index)]).toEqual([first.digest, bytesOf(first.index)]);

    await put('t', 'conf.yaml', 'rate: 1\n');
    expect((await indexed('t')).counts).toEqual({ stated: 4, hashed: 1, parsed: 0, tokenised: 0 });

    await put('t', 'model.py', 'def net(x):\n    return x + 1\n\n\ndef other():\n    pass\n');
    const changed = await indexed('t');
    expect(changed.counts).toEqual({ stated: 4, hashed: 1, parsed: 1, tokenised: 2 });
    expect(bytesOf(changed.index)).toBe(bytesOf(await clean('t')));
  });

  it('hashes a file again that changed too lately for its times to tell', async () => {
    await put('t', 'a.py', 'x = 1\n');
    const clock = { now: Date.now };
    await indexed('t', clock);
    expect((await indexed('t', clock)).counts).toMatchObject({ hashed: 1, parsed: 0 });
  });

  it('uses again what another branch or another folder of the repository held', async () => {
    const repository = 'https://example.org/team/project.git';
    await put('t', 'a.py', 'x = 1\n');
    await put('t', 'b.py', 'y = 1\n');
    const main = await indexed('t', { repository, revision: 'main' });
    await put('t', 'a.py', 'x = 22\n');
    expect((await indexed('t', { repository, revision: 'topic' })).counts.parsed).toBe(1);
    await put('t', 'a.py', 'x = 1\n');
    const again = await indexed('t', { repository, revision: 'main' });
    expect([again.counts.parsed, again.digest]).toEqual([0, main.digest]);
    await put('copy', 'a.py', 'x = 1\n');
    await put('copy', 'b.py', 'y = 1\n');
    const copied = await indexed('copy', { repository, revision: 'main' });
    expect([copied.counts, copied.digest]).toEqual([{ stated: 2, hashed: 2, parsed: 0, tokenised: 0 }, main.digest]);
  });

  it('gives what a clean build gives after any edits, renames and switches between branches', async () => {
    const name = fc.constantFrom('a.py', 'pkg/b.py', 'pkg/__init__.py', 'c.ipynb', 'd.yaml', 'z/é.py');
    const text = fc.constantFrom(
      TRAIN,
      'from pkg import b\nimport a as q\n',
      'class A:\n    def m(self):\n        pass\n',
      '# @generated\n',
      'def broken(:\n  (',
      '',
      'x = 1\n',
      'x = 2\n',
      '{"cells": [{"cell_type": "code", "source": ["y = \\ud800"]}]}',
    );
    const write = fc.record({ kind: fc.constant('write' as const), name, text });
    const step = fc.oneof(
      { weight: 4, arbitrary: write },
      fc.record({ kind: fc.constant('remove' as const), name }),
      fc.record({ kind: fc.constant('rename' as const), name, to: name }),
      fc.record({ kind: fc.constant('index' as const), revision: fc.constantFrom('main', 'topic') }),
    );
    let trees = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const tree = `tree-${trees++}`;
        await mkdir(path.join(scratch, tree));
        const directory = path.join(scratch, `store-${tree}`);
        // Real time here: files are written and indexed within one tick of the file system's clock.
        const options = { directory, now: Date.now };
        for (const item of steps) {
          if (item.kind === 'write') await put(tree, item.name, item.text);
          else if (item.kind === 'remove') await rm(path.join(scratch, tree, item.name), { force: true });
          else if (item.kind === 'index') await indexed(tree, { ...options, revision: item.revision });
          else await rename(path.join(scratch, tree, item.name), path.join(scratch, tree, item.to)).catch(() => undefined);
        }
        const last = await indexed(tree, { ...options, revision: 'main' });
        expect(bytesOf(last.index)).toBe(bytesOf(await clean(tree)));
      }),
      { numRuns: 25 },
    );
  });

  it('parses the same in threads as in the caller', async () => {
    for (let index = 0; index < 60; index++)
      await put('t', `pkg/m${index}.py`, `import m${index}\n\n\nclass C${index}:\n    def f(self):\n        return ${index}\n`);
    const inThreads = await openTree(path.join(scratch, 't'), { threads: 2 });
    const inCaller = await openTree(path.join(scratch, 't'), { threads: 0 });
    expect(inThreads.counts).toEqual({ stated: 60, hashed: 60, parsed: 60, tokenised: 180 });
    expect(bytesOf(await inThreads.codeIndex())).toBe(bytesOf(await inCaller.codeIndex()));
    expect([...inThreads.searchable()]).toEqual([...inCaller.searchable()]);
  });

  it('says what it will index, and then how far it is', async () => {
    await put('t', 'a.py', 'x = 1\n');
    await put('t', '.git/b.py', '');
    const said: unknown[] = [];
    await indexed('t', { onPlan: (plan) => void said.push(plan), onProgress: (progress) => said.push(progress) });
    expect(said).toEqual([
      { files: 1, bytes: 6, kinds: { python: { files: 1, bytes: 6 } }, skipped: [{ path: '.git', reason: 'hidden' }] },
      { filesDone: 1, filesTotal: 1, bytesDone: 6, bytesTotal: 6, secondsLeft: null },
    ]);
  });

  it('keeps what was parsed when it is aborted', async () => {
    for (const name of ['a', 'b', 'c']) await put('t', `${name}.py`, 'x = 1\n');
    const controller = new AbortController();
    const aborted = indexed('t', { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) });
    await expect(aborted).rejects.toThrow('enough');
    expect((await indexed('t')).counts.parsed).toBe(2);
  });

  it('lets one index at a time and the others wait', async () => {
    await put('t', 'a.py', 'x = 1\n');
    const notices: string[] = [];
    const all = await Promise.all([1, 2, 3].map(() => indexed('t', { onNotice: (message) => notices.push(message) })));
    expect(all.map(({ counts }) => counts.parsed).sort()).toEqual([0, 0, 1]);
    expect(notices).toEqual(Array(2).fill('Another process indexes this repository; waiting for it.'));
  });

  it('refuses what is no folder', async () => {
    await put('t', 'a.py', 'x = 1\n');
    await expect(indexed('t/a.py')).rejects.toMatchObject({ code: 'subject-not-found', message: expect.stringMatching(/is not a folder/) });
    await expect(indexed('none')).rejects.toMatchObject({ code: 'subject-not-found' });
  });

  it('says where it can keep no index', async () => {
    await put('t', 'a.py', 'x = 1\n');
    await put('t', 'file', '');
    const directory = path.join(scratch, 't', 'file', 'store');
    await expect(indexed('t', { directory })).rejects.toMatchObject({ code: 'config-invalid' });
  });

  it('leaves nothing but the database and its lock', async () => {
    await put('t', 'a.py', 'x = 1\n');
    await indexed('t');
    expect((await readdir(path.join(scratch, 'store'))).map((name) => name.replace(/^[0-9a-f]{32}/, 'ID'))).toEqual([
      'ID.sqlite',
      'ID.sqlite.lock',
    ]);
  });
});
