import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@reenact/domain';
import type { ArtifactStore } from '@reenact/domain';
import { collectGarbage } from './garbage.js';
import type { GarbageOptions, GarbageResult } from './garbage.js';
import { decodeManifest, encodeManifest, treeHashOf } from './tree-manifest.js';
import { readTree, writeTree } from './tree-files.js';
import { asideName, writeFileAside } from './write-aside.js';

const REF = /^sha256:([0-9a-f]{64})$/;
const TREE_HASH = /^[0-9a-f]{64}$/;
/** Smaller files are read at once; bigger ones are hashed while they are copied. */
const MAX_BYTES_AT_ONCE = 8_000_000;

/**
 * Artefacts under one directory, addressed by content: `objects/ab/<hash>`, `trees/ab/<hash>.json`, `aside/`. Everything is written
 * aside, synced and renamed, so that a reference that was returned resolves whatever dies; several processes may write at once.
 */
export class FolderArtifactStore implements ArtifactStore {
  private readonly root: string;
  private readonly madeDirectories = new Set<string>();

  /** @param root absolute path; made when absent. */
  constructor(root: string) {
    this.root = root;
  }

  async putBytes(bytes: Uint8Array): Promise<string> {
    const ref = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    if (await this.touchWhole(ref, bytes.byteLength)) return ref;
    const asideDirectory = await this.makeDirectory(join(this.root, 'aside'));
    await this.makeDirectory(join(this.pathOf(ref), '..'));
    await writeFileAside(this.pathOf(ref), bytes, { asideDirectory, mode: 0o444 });
    return ref;
  }

  async putFile(path: string): Promise<string> {
    return (await this.putSizedFile(path)).ref;
  }

  async getBytes(ref: string): Promise<Uint8Array> {
    const bytes = await readFile(this.pathOf(ref)).catch((error: unknown) => {
      throw missing(ref, error);
    });
    if (`sha256:${createHash('sha256').update(bytes).digest('hex')}` !== ref)
      throw new AppError('internal', `The stored artefact ${ref} is damaged.`);
    return bytes;
  }

  async has(ref: string): Promise<boolean> {
    return (await sizeOf(this.pathOf(ref))) !== null;
  }

  pathOf(ref: string): string {
    const hash = REF.exec(ref)?.[1];
    if (hash === undefined) throw new AppError('internal', `${JSON.stringify(ref.slice(0, 100))} is no reference to an artefact.`);
    return join(this.root, 'objects', hash.slice(0, 2), hash);
  }

  async putTree(directory: string): Promise<string> {
    const entries = await readTree(directory, (path) => this.putSizedFile(path));
    const treeHash = treeHashOf(entries);
    const path = this.manifestPath(treeHash);
    await this.makeDirectory(join(path, '..'));
    const asideDirectory = await this.makeDirectory(join(this.root, 'aside'));
    // written even when it is there: a damaged one heals, and its age starts anew
    await writeFileAside(path, encodeManifest(entries), { asideDirectory });
    return treeHash;
  }

  async hasTree(treeHash: string): Promise<boolean> {
    const text = await readFile(this.manifestPath(treeHash), 'utf8').catch(() => null);
    if (text === null) return false;
    for (const entry of decodeManifest(text, treeHash)) {
      if (entry.type === 'file' && (await sizeOf(this.pathOf(entry.ref))) !== entry.byteCount) return false;
    }
    return true;
  }

  async checkoutTree(treeHash: string, directory: string): Promise<void> {
    const text = await readFile(this.manifestPath(treeHash), 'utf8').catch((error: unknown) => {
      throw missing(`tree ${treeHash}`, error);
    });
    await writeTree(decodeManifest(text, treeHash), directory, async (entry) => {
      const path = this.pathOf(entry.ref);
      const size = await sizeOf(path);
      if (size === null) throw missing(entry.ref, undefined);
      if (size !== entry.byteCount) throw new AppError('internal', `The stored artefact ${entry.ref} of tree ${treeHash} is damaged.`);
      return path;
    });
  }

  /** Removes what is neither kept nor young, oldest first, until the store fits its bound; see {@link GarbageOptions}. */
  collectGarbage(options: GarbageOptions): Promise<GarbageResult> {
    return collectGarbage(this.root, options);
  }

  private manifestPath(treeHash: string): string {
    if (!TREE_HASH.test(treeHash)) throw new AppError('internal', `${JSON.stringify(treeHash.slice(0, 100))} is no tree hash.`);
    return join(this.root, 'trees', treeHash.slice(0, 2), `${treeHash}.json`);
  }

  private async putSizedFile(path: string): Promise<{ ref: string; byteCount: number }> {
    const { size } = await stat(path);
    if (size > MAX_BYTES_AT_ONCE) return this.putBigFile(path);
    const bytes = await readFile(path);
    return { ref: await this.putBytes(bytes), byteCount: bytes.byteLength };
  }

  /** The hash is that of the bytes that were copied, so a file that changes meanwhile can't be stored under a wrong name. */
  private async putBigFile(path: string): Promise<{ ref: string; byteCount: number }> {
    const aside = join(await this.makeDirectory(join(this.root, 'aside')), asideName());
    const hash = createHash('sha256');
    let byteCount = 0;
    try {
      const file = await open(aside, 'wx', 0o444);
      try {
        await pipeline(createReadStream(path), async (chunks) => {
          for await (const chunk of chunks as AsyncIterable<Buffer>) {
            hash.update(chunk);
            byteCount += chunk.byteLength;
            await file.writeFile(chunk);
          }
        });
        await file.sync();
      } finally {
        await file.close();
      }
      const ref = `sha256:${hash.digest('hex')}`;
      await this.makeDirectory(join(this.pathOf(ref), '..'));
      await rename(aside, this.pathOf(ref));
      return { ref, byteCount };
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  /** True when the content is there in full length; its age for the garbage collection starts anew. */
  private async touchWhole(ref: string, byteCount: number): Promise<boolean> {
    const path = this.pathOf(ref);
    if ((await sizeOf(path)) !== byteCount) return false;
    const now = new Date();
    return utimes(path, now, now).then(
      () => true,
      () => false,
    );
  }

  private async makeDirectory(path: string): Promise<string> {
    if (this.madeDirectories.has(path)) return path;
    await mkdir(path, { recursive: true });
    this.madeDirectories.add(path);
    return path;
  }
}

function missing(what: string, cause: unknown): AppError {
  return new AppError('internal', `The artefact store has no ${what}.`, { cause });
}

async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    (status) => status.size,
    () => null,
  );
}
