import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseEntries } from './base-entries.js';
import { prepareBaseRoot } from './base-root.js';
import type { BaseOptions, BasePlan } from './base-root.js';

const PLAN: BasePlan = { suite: 'bookworm', extras: [], snapshot: null, mirrors: [] };
let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'base-root-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

/** A program in the place of `mmdebstrap`, which gets the same arguments. */
async function optionsWith(script: string): Promise<BaseOptions> {
  const program = path.join(scratch, 'program');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  const cacheDirectory = path.join(scratch, 'cache');
  return { cacheDirectory, mmdebstrap: program, signal: new AbortController().signal, onProgress: () => undefined };
}

/** Makes the archive that is asked for: the argument that ends so. */
const MAKE = `for word; do case $word in *root.tar) archive=$word;; esac; done
mkdir -p "${'$'}{archive%/*}/made/usr/lib" && echo "$*" >"${'$'}{archive%/*}/made/usr/lib/arguments"
tar -cf "$archive" -C "${'$'}{archive%/*}/made" .; rm -r "${'$'}{archive%/*}/made"; echo x >>${'"'}$(dirname "$0")/calls${'"'}`;

describe('the root of images', () => {
  it('is made once for a plan, and once more for another', async () => {
    const options = await optionsWith(MAKE);
    const first = await prepareBaseRoot(PLAN, options);
    expect(await prepareBaseRoot(PLAN, options)).toEqual(first);
    const other = await prepareBaseRoot({ ...PLAN, snapshot: '20260101T000000Z' }, options);
    expect(other.directory).not.toBe(first.directory);
    expect(await readdir(options.cacheDirectory)).toHaveLength(2);
  });

  it('is begun anew after a kill, whose leavings go', async () => {
    const options = await optionsWith(MAKE);
    // No process has this number: it is above the largest that Linux gives.
    await mkdir(path.join(options.cacheDirectory, 'aside-99999999-x', 'root'), { recursive: true });
    await prepareBaseRoot(PLAN, options);
    expect((await readdir(options.cacheDirectory)).filter((name) => name.startsWith('aside'))).toEqual([]);
  });

  it.each([
    [
      'echo "E: apt-get update --error-on=any failed: E: Failed to fetch http://x" >&2; exit 1',
      'package-index-unreachable',
      /--mirror URL/,
    ],
    ['echo "E: cannot unshare" >&2; exit 1', 'image-not-buildable', /--base host/],
    ['echo "tar: write error: No space left on device" >&2; exit 1', 'image-not-buildable', /Free 1 GB/],
  ])('says what failed: %s', async (script, code, hint) => {
    const options = await optionsWith(script);
    await expect(prepareBaseRoot(PLAN, options)).rejects.toMatchObject({ code, hint: expect.stringMatching(hint) });
    expect(await readdir(options.cacheDirectory)).toEqual([]);
  });

  it('says how to go on without the program', async () => {
    const options = { ...(await optionsWith('')), mmdebstrap: path.join(scratch, 'none') };
    await expect(prepareBaseRoot(PLAN, options)).rejects.toMatchObject({
      code: 'image-not-buildable',
      hint: expect.stringMatching(/apt install mmdebstrap/),
    });
  });

  it.each([{ suite: '--hook' }, { suite: 'a/b' }, { snapshot: 'yesterday' }, { mirrors: ['deb [trusted=yes] http://x y z'] }])(
    'refuses %j',
    async (wrong) => {
      await expect(prepareBaseRoot({ ...PLAN, ...wrong }, await optionsWith(MAKE))).rejects.toMatchObject({ code: 'config-invalid' });
    },
  );

  it('holds nothing of the machine that made it', async () => {
    const files = [
      'etc/machine-id',
      'etc/hostname',
      'etc/resolv.conf',
      'etc/passwd-',
      'etc/os-release',
      'var/cache/apt/x',
      'var/log/apt.log',
    ];
    for (const file of [...files, 'var/lib/apt/lists/x', 'var/lib/dpkg/status', 'tmp/x', 'root/.bash_history', 'usr/lib/a']) {
      await mkdir(path.join(scratch, 'r', path.dirname(file)), { recursive: true });
      await writeFile(path.join(scratch, 'r', file), '');
    }
    const tree = await baseEntries(path.join(scratch, 'r'));
    const kept = [...tree.values()].filter(({ kind }) => kind === 'file').map((entry) => entry.path);
    expect(kept.sort()).toEqual(['etc/group', 'etc/nsswitch.conf', 'etc/os-release', 'etc/passwd', 'usr/lib/a', 'var/lib/dpkg/status']);
    for (const folder of ['in', 'scratch', 'proc', 'dev', 'tmp', 'root']) expect(tree.get(folder)?.kind).toBe('directory');
  });
});
