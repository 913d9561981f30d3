import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadPythonSyntax, type PythonSyntax } from '@reenact/code-index';
import type { EvidenceOf } from '@reenact/domain';
import { outlinePython } from './python-outline.js';
import { preparePatchControl } from './prepare-control.js';
import { suspectsFromClaim, suspectsFromCoverage, suspectsFromPatch } from './suspects.js';

const TEXT = `import os

RATE = 0.1


class Net:
    width = 3

    def forward(self, x):
        def inner(y):
            return y
        return inner(x)

    def loss(self, x):
        return x


def train(net):
    return net.forward(1)


def helper(): return 1
`;

let python: PythonSyntax;
let folder: string;
beforeAll(async () => {
  python = await loadPythonSyntax();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'suspects-spec-'));
  await writeFile(join(folder, 'net.py'), TEXT);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** The diff that replaces one line (from 1), inserts behind it where `keep` is set. */
function patchOf(line: number, added: string, keep = false): string {
  const lines = TEXT.split('\n');
  const old = lines[line - 1] ?? '';
  const change = keep ? ` ${old}\n+${added}\n` : `-${old}\n+${added}\n`;
  return `--- a/net.py\n+++ b/net.py\n@@ -${line},1 +${line},${keep ? 2 : 1} @@\n${change}`;
}
const names = async (patch: string): Promise<string[]> =>
  (await suspectsFromPatch(python, folder, patch)).map((suspect) => suspect.function);

describe('suspectsFromPatch', () => {
  it.each([
    ['a method', 12, '        return inner(x) + 1', ['Net.forward']],
    ['an inner function', 11, '            return y + 1', ['Net.forward.inner']],
    ['a function on one line', 22, 'def helper(): return 2', ['helper']],
    ['a constant', 3, 'RATE = 0.2', ['<module>']],
    ['a class attribute', 7, '    width = 4', ['<module>']],
    ['an import alone', 1, 'import os, sys', ['<module>']],
    ['a comment', 4, '# note', []],
  ])('finds %s', async (_what, line, added, expected) => {
    expect(await names(patchOf(line, added))).toEqual(expected);
  });

  it('counts added lines for the function that holds them', async () => {
    expect(await names(patchOf(18, '    net.ready = True', true))).toEqual(['train']);
  });

  it('leaves out functions that the patch brings', async () => {
    expect(await names(patchOf(19, 'def fresh(): return 3', true))).toEqual([]);
  });

  it('leaves out imports beside another change', async () => {
    const both = `--- a/net.py\n+++ b/net.py\n@@ -1,1 +1,2 @@\n import os\n+import sys\n@@ -15,1 +16,1 @@\n-        return x\n+        return -x\n`;
    expect(await names(both)).toEqual(['Net.loss']);
  });
});

describe('suspectsFromClaim', () => {
  const tree = (): Map<string, ReturnType<typeof outlinePython>> =>
    new Map([
      ['lib/net.py', outlinePython(python, TEXT)],
      ['other/net.py', outlinePython(python, 'def train(): pass\n')],
    ]);

  it('takes the deepest claimed frame that lies in the tree, by the end of its path', () => {
    const frames = [
      { file: '/home/u/proj/lib/net.py', function: 'train', line: 18 },
      { file: '/home/u/proj/lib/net.py', function: 'forward', line: 12 },
      { file: '/usr/lib/python3/site-packages/torch/functional.py', function: 'split', line: 3 },
    ];
    expect(suspectsFromClaim(frames, [], tree())).toEqual([{ file: 'lib/net.py', function: 'Net.forward' }]);
    expect(suspectsFromClaim(frames.slice(0, 1), [], tree())).toEqual([{ file: 'lib/net.py', function: 'train' }]);
    expect(suspectsFromClaim([{ file: 'C:\\x\\other\\net.py', function: 'train' }], [], tree())).toEqual([
      { file: 'other/net.py', function: 'train' },
    ]);
  });

  it('falls back to names that the report speaks of', () => {
    expect(suspectsFromClaim([], ['Net'], tree()).map((suspect) => suspect.function)).toEqual(['Net.forward', 'Net.loss']);
    expect(suspectsFromClaim([], ['Net.loss()', 'unknown'], tree()).map((suspect) => suspect.function)).toEqual(['Net.loss']);
    expect(suspectsFromClaim([], ['lib.net.helper'], tree())).toEqual([{ file: 'lib/net.py', function: 'helper' }]);
    expect(suspectsFromClaim([{ file: 'net.py', function: '<module>' }], [], tree())).toEqual([]);
  });
});

describe('suspectsFromCoverage', () => {
  it('takes functions whose bodies ran, not those that were only defined', () => {
    const record = {
      kind: 'coverage',
      seq: 0,
      t: 0,
      source: 'probe',
      files: [{ file: 'net.py', lines: [1, 3, 6, 9, 14, 18, 19, 10, 12] }],
    } as EvidenceOf<'coverage'>;
    const found = suspectsFromCoverage([record], new Map([['net.py', outlinePython(python, TEXT)]]));
    expect(found.map((suspect) => suspect.function)).toEqual(['Net.forward', 'train']);
  });
});

describe('preparePatchControl', () => {
  it('changes a copy and leaves the tree as it is', async () => {
    const copy = join(folder, '..', `${folder.split('/').at(-1) ?? ''}-copy`);
    expect(await preparePatchControl(folder, copy, { kind: 'patch', patch: patchOf(3, 'RATE = 0.2') })).toEqual(['net.py']);
    expect(await readFile(join(copy, 'net.py'), 'utf8')).toContain('RATE = 0.2');
    expect(await readFile(join(folder, 'net.py'), 'utf8')).toBe(TEXT);
    await expect(preparePatchControl(folder, `${copy}-2`, { kind: 'patch', patch: '' })).rejects.toMatchObject({
      code: 'patch-does-not-apply',
    });
    await rm(copy, { recursive: true });
  });
});
