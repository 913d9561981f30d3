import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP_FOLDER, nodeEntries, npmPackages, productEntries } from './installation-entries.js';
import type { LayerTree } from './layer-entry.js';

const OWN = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`;
let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'installation-'));
  for (const file of [
    'package.json',
    'node_modules/node/bin/node',
    'node_modules/run/index.js',
    'node_modules/run/index.js.map',
    'node_modules/run/node_modules/deep/index.js',
    'node_modules/check/index.js',
    `node_modules/@t/core-bridge/releases/${OWN}/index.node`,
    'node_modules/@t/core-bridge/releases/x86_64-apple-darwin/index.node',
    'libs/a/package.json',
    'libs/a/dist/index.js',
    'libs/a/dist/index.spec.js',
    'libs/a/dist/index.d.ts',
    'libs/a/src/index.ts',
    'libs/a/.env',
    'libs/a/supervisor/main.py',
    'libs/a/supervisor/tests/test_x.py',
    'apps/w/dist/main.js',
    'workflows/f/dist/index.js',
    'bench/big',
    '.reenact/runs.sqlite',
  ]) {
    await mkdir(path.dirname(path.join(scratch, file)), { recursive: true });
    await writeFile(path.join(scratch, file), '');
  }
  await mkdir(path.join(scratch, 'node_modules/@reenact'));
  await symlink('../../libs/a', path.join(scratch, 'node_modules/@reenact/a'));
  const packages = {
    '': {},
    'libs/a': { version: '0.1.0' },
    'node_modules/@reenact/a': { link: true },
    'node_modules/@t/core-bridge': { version: '3.0.0' },
    'node_modules/run': { version: '1.0.0' },
    'node_modules/run/node_modules/deep': { version: '2.0.0' },
    'node_modules/check': { version: '1.0.0', dev: true },
    'node_modules/elsewhere': { version: '1.0.0' },
  };
  await writeFile(path.join(scratch, 'package-lock.json'), JSON.stringify({ packages }));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const filesOf = (tree: LayerTree) =>
  [...tree.values()]
    .filter(({ kind }) => kind !== 'directory')
    .map((entry) => entry.path.replace(`${APP_FOLDER}/`, ''))
    .sort();

describe('the image of the worker', () => {
  it('holds the packages that the product runs with, for this platform', async () => {
    const packages = await npmPackages(scratch);
    expect(packages.map(({ name, version }) => `${name}@${version}`)).toEqual(['@t/core-bridge@3.0.0', 'run@1.0.0', 'deep@2.0.0']);
    expect(filesOf(await nodeEntries(scratch, packages))).toEqual([
      `node_modules/@t/core-bridge/releases/${OWN}/index.node`,
      'node_modules/node/bin/node',
      'node_modules/run/index.js',
      'node_modules/run/node_modules/deep/index.js',
    ]);
  });

  it('holds what was built, no sources, tests or state', async () => {
    expect(filesOf(await productEntries(scratch))).toEqual([
      'apps/w/dist/main.js',
      'libs/a/dist/index.js',
      'libs/a/package.json',
      'libs/a/supervisor/main.py',
      'node_modules/@reenact/a',
      'package.json',
      'workflows/f/dist/index.js',
    ]);
  });
});
