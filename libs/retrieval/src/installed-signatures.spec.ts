import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInstalled } from './installed-signatures.js';

const FILES: Record<string, string> = {
  'deep/__init__.py': 'from deep import nn\nfrom .core import seed as seed\nfrom . import optim\nimport numpy\n',
  'deep/core.py': 'def seed(value: int) -> None:\n    """Seeds all generators.\n\n    More.\n    """\n    pass\n',
  'deep/nn/__init__.py': 'from .modules import *\nfrom .circle import *\n',
  'deep/nn/circle.py': 'from . import *\nfrom deep.nn.circle import lost\n',
  'deep/nn/modules.py': 'class Linear:\n    """A layer."""\n\n    def __init__(self, width, *, bias=True):\n        self.width = width\n',
  'deep/optim.py': 'class Descent:\n    @classmethod\n    def of(cls, net):\n\n        # makes one\n        return cls()\n',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'installed-'));
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(folder, 'site', file)), { recursive: true });
    await writeFile(path.join(folder, 'site', file), text);
  }
  await writeFile(path.join(folder, 'secret.py'), 'def key():\n    pass\n');
  await symlink(path.join(folder, 'secret.py'), path.join(folder, 'site', 'linked.py'));
});
afterAll(() => rm(folder, { recursive: true }));

async function textOf(module: string, name: string): Promise<string | undefined> {
  const [block] = await openInstalled([path.join(folder, 'other'), path.join(folder, 'site')]).blocksOf([{ module, name }]);
  return block && `${block.file}:${block.startLine} ${block.text}`;
}

describe('signatures of installed packages', () => {
  it.each([
    ['deep', 'seed', 'site-packages/deep/core.py:1 def seed(value: int) -> None:\n    # Seeds all generators.'],
    ['deep', 'nn.Linear', 'site-packages/deep/nn/modules.py:4     def __init__(self, width, *, bias=True):'],
    ['deep.nn', 'Linear', 'site-packages/deep/nn/modules.py:4     def __init__(self, width, *, bias=True):'],
    ['deep', 'optim.Descent', 'site-packages/deep/optim.py:1 class Descent:'],
    ['deep.optim', 'Descent.of', 'site-packages/deep/optim.py:2     @classmethod\n    def of(cls, net):'],
  ])('%s %s', async (module, name, expected) => {
    expect(await textOf(module, name)).toBe(expected);
  });

  it.each([
    ['deep', 'lost'],
    ['deep.nn', 'lost'],
    ['numpy', 'array'],
    ['deep', 'optim'],
    ['..', 'secret'],
    ['linked', 'key'],
    ['deep/../../secret', 'key'],
    ['', 'seed'],
  ])('nothing for %s %s', async (module, name) => {
    expect(await textOf(module, name)).toBeUndefined();
  });
});
