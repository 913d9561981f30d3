import { createHash, randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@reenact/domain';
import { KnownLayer, OCI_MEDIA_TYPES, OciDigest, OciIndex } from '@reenact/domain/schemas';
import type { OciDescriptor } from '@reenact/domain/schemas';
import type { LayerEntry } from './layer-entry.js';
import { contentBytes } from './layer-entry.js';
import { fingerprintOf } from './layer-fingerprint.js';
import { writeLayer } from './write-layer.js';
import type { WriteOptions } from './write-layer.js';

/** A layer that lies in a layout. */
export interface PlacedLayer extends KnownLayer {
  /** It was there already. */
  wasReused: boolean;
}

/** A folder in the form of the OCI image layout 1.0. Blobs are never changed; `index.json` is renamed into place. One writer at a time. */
export interface OciLayout {
  directory: string;
}

/** Makes the folder, with what leads to it. @throws AppError `image-not-buildable` where it cannot be, or not be written. */
export async function makeLayoutFolder(directory: string): Promise<void> {
  await onDisk(directory, async () => {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK);
  });
}

/**
 * Makes the layout where there is none, and removes what a killed writer left.
 * @throws AppError `image-not-buildable` where the folder holds something else.
 */
export async function openLayout(directory: string): Promise<OciLayout> {
  const layout = { directory };
  await readLayoutIndex(directory);
  await onDisk(directory, async () => {
    await rm(join(directory, 'aside'), { recursive: true, force: true });
    for (const folder of ['aside', 'layers', join('blobs', 'sha256')]) await mkdir(join(directory, folder), { recursive: true });
    await writeAside(layout, 'oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  });
  return layout;
}

/**
 * The images of a layout; none where there is no layout.
 * @throws AppError `image-not-buildable` for an index that is not one.
 */
export async function readLayoutIndex(directory: string): Promise<OciIndex> {
  const empty: OciIndex = { schemaVersion: 2, mediaType: OCI_MEDIA_TYPES.index, manifests: [] };
  const text = await readFile(join(directory, 'index.json'), 'utf8').catch(() => null);
  if (text === null) return empty;
  const parsed = OciIndex.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new AppError('image-not-buildable', `${join(directory, 'index.json')} is no index of images.`, {
    hint: 'Name another folder with --out, or remove this one.',
  });
}

/** Reads a blob as JSON; null where it is not there or is none. */
export async function readJsonBlob(directory: string, digest: string): Promise<unknown> {
  return jsonOf(await readFile(blobPath(directory, digest), 'utf8').catch(() => ''));
}

/** Lists an image under its name, in the place of one that had the name before. */
export async function nameImage(layout: OciLayout, image: OciDescriptor, name: string): Promise<void> {
  const index = await readLayoutIndex(layout.directory);
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name };
  const others = index.manifests.filter((other) => other.annotations?.['io.containerd.image.name'] !== name);
  const manifests = [...others, { ...image, annotations }].sort((one, other) => compare(nameOf(one), nameOf(other)));
  await onDisk(layout.directory, () => writeAside(layout, 'index.json', JSON.stringify({ ...index, manifests }, null, 2)));
}

/** The name under which a layout lists an image. */
export function nameOf(image: OciDescriptor): string {
  return image.annotations?.['io.containerd.image.name'] ?? '';
}

/** Puts a value into the layout as a blob; its descriptor. */
export async function putJson(layout: OciLayout, mediaType: string, value: unknown): Promise<OciDescriptor> {
  const content = Buffer.from(JSON.stringify(value));
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  if (!(await hasBlob(layout, digest, content.byteLength))) {
    await onDisk(layout.directory, () => writeAside(layout, join('blobs', 'sha256', digest.slice('sha256:'.length)), content));
  }
  return { mediaType, digest, size: content.byteLength };
}

/**
 * Puts a layer into the layout. One whose files have not changed since it was written is not read again.
 * @throws AppError `image-not-buildable` for files that cannot be read, or no space.
 */
export async function putLayer(layout: OciLayout, entries: readonly LayerEntry[], options: WriteOptions): Promise<PlacedLayer> {
  const note = join('layers', `${fingerprintOf(entries)}.json`);
  const known = KnownLayer.safeParse(jsonOf(await readFile(join(layout.directory, note), 'utf8').catch(() => '')));
  if (known.success && (await hasBlob(layout, known.data.digest, known.data.bytes))) return { ...known.data, wasReused: true };
  return onDisk(layout.directory, async () => {
    const aside = join(layout.directory, 'aside', randomUUID());
    try {
      const written = await writeLayer(entries, aside, options);
      const wasReused = await hasBlob(layout, written.digest, written.bytes);
      await rename(aside, blobPath(layout.directory, written.digest));
      const placed = { ...written, contentBytes: entries.reduce((sum, entry) => sum + contentBytes(entry), 0) };
      await writeAside(layout, note, JSON.stringify(placed));
      return { ...placed, wasReused };
    } finally {
      await rm(aside, { force: true });
    }
  });
}

async function hasBlob(layout: OciLayout, digest: string, bytes: number): Promise<boolean> {
  const found = await stat(blobPath(layout.directory, digest)).catch(() => null);
  return found !== null && found.size === bytes;
}

function blobPath(directory: string, digest: string): string {
  return join(directory, 'blobs', 'sha256', OciDigest.parse(digest).slice('sha256:'.length));
}

/** Writes a file of the layout whole or not at all. @throws AppError `image-not-buildable` where there is no space. */
export async function putFile(layout: OciLayout, path: string, content: string): Promise<void> {
  await onDisk(layout.directory, () => writeAside(layout, path, content));
}

async function writeAside(layout: OciLayout, path: string, content: string | Uint8Array): Promise<void> {
  const aside = join(layout.directory, 'aside', randomUUID());
  const file = await open(aside, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, join(layout.directory, path));
}

const NOT_WRITABLE = new Set(['EACCES', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS']);

/** Says what a disk refuses in words. */
async function onDisk<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new AppError('image-not-buildable', `There is no space left for the image in ${directory}.`, {
        hint: 'Free some, or name a folder on another disk with --out. What is there already is kept and used again.',
        cause: error,
      });
    }
    if (NOT_WRITABLE.has(code ?? '')) {
      throw new AppError('image-not-buildable', `${path ?? directory} cannot be written (${code}).`, {
        hint: 'Name a folder that is yours with --out.',
        cause: error,
      });
    }
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
