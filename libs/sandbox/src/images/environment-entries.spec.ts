import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InterpreterDescription } from './describe-interpreter.js';
import { readElf } from './elf-file.js';
import { environmentEntries } from './environment-entries.js';
import { LAYER_EPOCH_SECONDS } from './layer-entry.js';
import type { LayerTree } from './layer-entry.js';
import { fileInRoot, placeInRoot } from './root-place.js';

let scratch = '';
let base = '';
beforeEach(async () => {
  scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'environment-entries-')));
  base = path.join(scratch, 'base');
  await mkdir(path.join(base, 'usr', 'lib'), { recursive: true });
  await symlink('usr/lib', path.join(base, 'lib'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

async function write(file: string, text = 'x'): Promise<string> {
  const place = path.join(scratch, file);
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, text);
  return place;
}

function describing(given: Partial<InterpreterDescription>): InterpreterDescription {
  const none = path.join(scratch, 'none');
  return {
    ...{ interpreter: `${none}/bin/python`, python: '3.11.2', prefix: none, basePrefix: none, sites: [], distributions: [], paths: [] },
    ...{ systemPaths: [], bytecode: null },
    ...given,
  };
}

/** Paths below the scratch folder, without the folders. */
function filesOf(tree: LayerTree): string[] {
  return [...tree.values()]
    .filter(({ kind }) => kind !== 'directory')
    .map((entry) => entry.path.replace(`${scratch.slice(1)}/`, ''))
    .sort();
}

describe('the layer of an environment', () => {
  it('holds what belongs to an environment, and nothing of the project, the home or the caches around it', async () => {
    const project = path.join(scratch, 'home', 'me', 'project');
    for (const file of ['pyvenv.cfg', 'bin/tool', 'lib/python3.11/site-packages/a/__init__.py', 'share/man/x']) {
      await write(`home/me/project/${file}`);
    }
    const decoys = [
      'notes.txt',
      '.env',
      '.git/config',
      'data/secret.csv',
      '../.ssh/id_rsa',
      '../.aws/credentials',
      'pip.conf',
      '.cache/uv/x',
    ];
    for (const file of decoys) await write(path.join('home/me/project', file), 'SECRET');
    for (const inner of ['.netrc', '.git/config', 'pip.conf', '.env'])
      await write(`home/me/project/lib/python3.11/site-packages/a/${inner}`, 'SECRET');
    await symlink('../../../../../../.ssh', path.join(project, 'lib/python3.11/site-packages/a/keys'));
    await symlink(path.join(scratch, 'home/me'), path.join(project, 'share/home'));
    const { tree } = await environmentEntries(describing({ prefix: project, paths: [project] }), base);
    expect(filesOf(tree)).toEqual([
      'home/me/project/bin/tool',
      'home/me/project/lib/python3.11/site-packages/a/__init__.py',
      'home/me/project/lib/python3.11/site-packages/a/keys',
      'home/me/project/pyvenv.cfg',
      'home/me/project/share/home',
      'home/me/project/share/man/x',
    ]);
  });

  it('leaves out package caches and other environments of an installation', async () => {
    const conda = path.join(scratch, 'conda');
    for (const file of ['bin/python', 'lib/a.py', 'pkgs/big/x', 'envs/other/bin/python', 'conda-meta/a.json', 'lib/envs/kept.py']) {
      await write(`conda/${file}`);
    }
    const { tree } = await environmentEntries(describing({ basePrefix: conda, paths: [conda] }), base);
    expect(filesOf(tree)).toEqual(['conda/bin/python', 'conda/lib/a.py', 'conda/lib/envs/kept.py']);
  });

  it('keeps the links on the way to an interpreter, and the paths behind them', async () => {
    await write('versions/3.11.7/bin/python3.11');
    await symlink('3.11.7', path.join(scratch, 'versions', 'current'));
    await write('venv/pyvenv.cfg');
    await mkdir(path.join(scratch, 'venv', 'bin'));
    await symlink(path.join(scratch, 'versions/current/bin/python3.11'), path.join(scratch, 'venv/bin/python'));
    const venv = path.join(scratch, 'venv');
    const { tree } = await environmentEntries(describing({ prefix: venv, paths: [venv, path.join(venv, 'bin/python')] }), base);
    expect(filesOf(tree)).toEqual(['venv/bin/python', 'venv/pyvenv.cfg', 'versions/3.11.7/bin/python3.11', 'versions/current']);
    expect(tree.get(`${scratch.slice(1)}/versions/current`)).toMatchObject({ kind: 'symlink', target: '3.11.7' });
  });

  it('brings the libraries of a program from this machine where the root has none, and takes the root’s where it has', async () => {
    const venv = path.join(scratch, 'venv');
    await write('venv/pyvenv.cfg');
    await mkdir(path.join(venv, 'bin'));
    const program = await realpath('/usr/bin/python3');
    await copyFile(program, path.join(venv, 'bin', 'python'));
    const elf = await readElf(program);
    expect(elf?.needed).toContain('libc.so.6');
    const without = await environmentEntries(describing({ prefix: venv, paths: [venv] }), path.join(scratch, 'nothing'));
    const names = (tree: LayerTree) => filesOf(tree).map((file) => path.basename(file));
    expect(names(without.tree)).toEqual(expect.arrayContaining(['libc.so.6', path.basename(elf?.loader ?? '')]));
    expect(without.missingLibraries).toEqual([]);
    const libc = [...without.tree.keys()].find((file) => file.endsWith('/libc.so.6')) ?? '';
    await mkdir(path.join(base, path.dirname(libc)), { recursive: true });
    await copyFile(`/${libc}`, path.join(base, libc));
    const above = await environmentEntries(describing({ prefix: venv, paths: [venv] }), base);
    expect(names(above.tree)).not.toContain('libc.so.6');
    expect(names(above.tree)).toContain('libm.so.6');
  });

  it('refuses a root whose C library is older than what is needed', async () => {
    const venv = path.join(scratch, 'venv');
    await write('venv/pyvenv.cfg');
    await mkdir(path.join(venv, 'bin'));
    await copyFile(await realpath('/usr/bin/python3'), path.join(venv, 'bin', 'python'));
    // Any library without those versions stands for an old one.
    await mkdir(path.join(base, 'lib64'));
    await copyFile(await realpath('/lib64/ld-linux-x86-64.so.2'), path.join(base, 'usr', 'lib', 'libc.so.6'));
    await expect(environmentEntries(describing({ prefix: venv, paths: [venv] }), base)).rejects.toMatchObject({
      code: 'image-not-buildable',
      message: expect.stringMatching(/needs GLIBC_2\.\d+ of libc\.so\.6/),
    });
  });

  it('gives byte code the time of its source in the image, and leaves out what belongs to no source', async () => {
    const site = path.join(scratch, 'site');
    for (const name of ['fresh', 'stale', 'gone']) await write(`site/${name}.py`, `x = ${JSON.stringify(name)}\n`);
    execFileSync('python3', ['-m', 'compileall', '-q', site]);
    execFileSync('python3', ['-m', 'compileall', '-q', '--invalidation-mode', 'unchecked-hash', await write('site/hashed.py', 'x = 1\n')]);
    await utimes(path.join(site, 'stale.py'), 1_000_000_000, 1_000_000_000);
    await rm(path.join(site, 'gone.py'));
    await write('site/alone.pyc', 'a module without source');
    const { tree } = await environmentEntries(describing({ paths: [site] }), base);
    const kept = filesOf(tree).filter((file) => file.endsWith('.pyc'));
    expect(kept.map((file) => path.basename(file).replace(/cpython-\d+/, 'TAG'))).toEqual(['fresh.TAG.pyc', 'hashed.TAG.pyc', 'alone.pyc']);
    const fresh = [...tree.values()].find((entry) => entry.path.includes('/fresh.cpython'));
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(LAYER_EPOCH_SECONDS);
    expect(fresh).toMatchObject({ body: { patch: { offset: 8, bytes } } });
  });

  it('adds byte code that was compiled aside where there is none beside the source', async () => {
    const site = path.join(scratch, 'site');
    for (const name of ['one', 'two']) await write(`site/${name}.py`);
    const source = path.join(site, 'one.py');
    const aside = path.join(scratch, 'aside');
    execFileSync('python3', ['-X', `pycache_prefix=${aside}`, '-m', 'compileall', '-q', source]);
    await write('aside/elsewhere/other.cpython-311.pyc');
    const { tree } = await environmentEntries(describing({ paths: [site], bytecode: aside }), base);
    expect(filesOf(tree).map((file) => file.replace(/cpython-\d+/, 'TAG'))).toEqual([
      'site/__pycache__/one.TAG.pyc',
      'site/one.py',
      'site/two.py',
    ]);
  });

  it('says which path cannot be read', async () => {
    const description = describing({ paths: [path.join(scratch, 'not', 'there')] });
    await expect(environmentEntries(description, base)).rejects.toMatchObject({
      code: 'image-not-buildable',
      message: expect.stringContaining('not/there cannot be read (ENOENT)'),
    });
  });
});

describe('a place in a root', () => {
  it('follows the root’s own links and never leaves it', async () => {
    await symlink('../../..', path.join(base, 'out'));
    await symlink('/usr', path.join(base, 'absolute'));
    await write('base/usr/lib/a.so.1');
    await symlink('a.so.1', path.join(base, 'usr/lib/a.so'));
    expect(await placeInRoot(base, '/lib/a.so')).toBe('usr/lib/a.so');
    expect(await placeInRoot(base, '/absolute/lib/x')).toBe('usr/lib/x');
    expect(await placeInRoot(base, '/out/etc/passwd')).toBe('etc/passwd');
    expect(await fileInRoot(base, '/lib/a.so')).toBe(path.join(base, 'usr/lib/a.so.1'));
    expect(await fileInRoot(base, '/lib')).toBeNull();
  });
});
