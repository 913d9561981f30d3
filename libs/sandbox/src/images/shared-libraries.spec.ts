import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LayerTree } from './layer-entry.js';
import { includeLibraries } from './shared-libraries.js';

describe('includeLibraries', () => {
  let empty: string;
  beforeAll(async () => {
    empty = await mkdtemp(path.join(tmpdir(), 'no-root-'));
  });
  afterAll(() => rm(empty, { recursive: true, force: true }));

  const librariesFor = async (name: string): Promise<string[]> => {
    const { size: bytes } = await stat(process.execPath);
    const file = { kind: 'file', path: name, isExecutable: false, body: { source: process.execPath, bytes, stamp: '' } } as const;
    const tree: LayerTree = new Map([[name, file]]);
    await includeLibraries({ tree, baseDirectory: empty });
    return [...tree.keys()].filter((inner) => inner !== name).map((inner) => path.basename(inner));
  };

  it.each(['app/addon.node', 'app/library.so', 'app/library.so.1'])(
    'adds what %s asks for, where the root below has nothing',
    async (name) => {
      expect(await librariesFor(name)).toContain('libc.so.6');
    },
  );

  it('reads no other files', async () => {
    expect(await librariesFor('app/data.bin')).toEqual([]);
  });
});
