import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@reenact/domain';
import type { ArtifactStore } from '@reenact/domain';
import { readTree, writeTree } from '../tree-files.js';
import { treeHashOf } from '../tree-manifest.js';
import type { TreeEntry } from '../tree-manifest.js';

/** An artefact store in memory that behaves like the real one; `scratchDirectory` receives copies for those who ask for paths. */
export class MemoryArtifactStore implements ArtifactStore {
  private readonly scratchDirectory: string;
  private readonly objects = new Map<string, Uint8Array>();
  private readonly trees = new Map<string, TreeEntry[]>();

  constructor(scratchDirectory: string) {
    this.scratchDirectory = scratchDirectory;
  }

  async putBytes(bytes: Uint8Array): Promise<string> {
    const ref = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    this.objects.set(ref, Uint8Array.from(bytes));
    return ref;
  }

  async putFile(path: string): Promise<string> {
    return this.putBytes(await readFile(path));
  }

  async getBytes(ref: string): Promise<Uint8Array> {
    return Uint8Array.from(this.find(ref));
  }

  async has(ref: string): Promise<boolean> {
    checkRef(ref);
    return this.objects.has(ref);
  }

  pathOf(ref: string): string {
    const path = join(this.scratchDirectory, checkRef(ref));
    mkdirSync(this.scratchDirectory, { recursive: true });
    const bytes = this.objects.get(ref);
    if (bytes !== undefined) writeFileSync(path, bytes);
    return path;
  }

  async putTree(directory: string): Promise<string> {
    const entries = await readTree(directory, async (path) => {
      const bytes = await readFile(path);
      return { ref: await this.putBytes(bytes), byteCount: bytes.byteLength };
    });
    const treeHash = treeHashOf(entries);
    this.trees.set(treeHash, entries);
    return treeHash;
  }

  async hasTree(treeHash: string): Promise<boolean> {
    return this.trees.has(treeHash);
  }

  async checkoutTree(treeHash: string, directory: string): Promise<void> {
    const entries = this.trees.get(treeHash);
    if (entries === undefined) throw new AppError('internal', `The artefact store has no tree ${treeHash}.`);
    await writeTree(entries, directory, async (entry) => this.pathOf(entry.ref));
  }

  private find(ref: string): Uint8Array {
    checkRef(ref);
    const bytes = this.objects.get(ref);
    if (bytes === undefined) throw new AppError('internal', `The artefact store has no ${ref}.`);
    return bytes;
  }
}

function checkRef(ref: string): string {
  const hash = /^sha256:([0-9a-f]{64})$/.exec(ref)?.[1];
  if (hash === undefined) throw new AppError('internal', `${JSON.stringify(ref.slice(0, 100))} is no reference to an artefact.`);
  return hash;
}
