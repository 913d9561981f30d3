import type { BuiltImage, ListedImage } from '@reenact/sandbox/images';
import { columns } from '../console.js';
import { bytes } from '../search/index-words.js';

/** What was built, for people; its first line is the reference. Pure. */
export function builtWords(built: BuiltImage, missingLibraries: readonly string[]): string {
  const rows = built.layers.map(({ title, bytes: size, contentBytes, wasReused, digest }) => [
    wasReused ? 'kept' : 'written',
    bytes(size),
    `of ${bytes(contentBytes)}`,
    digest.slice('sha256:'.length, 19),
    title,
  ]);
  const total = built.layers.reduce((sum, { bytes: size }) => sum + size, 0);
  return [
    built.reference,
    `${built.name}, ${built.platform}, ${bytes(total)}`,
    columns(rows),
    ...(missingLibraries.length === 0 ? [] : [`not found on this machine either: ${missingLibraries.join(' ')}`]),
    `bill of materials: ${built.billOfMaterials}`,
  ].join('\n');
}

/** The images of a layout, for people. Pure. */
export function listedWords(images: readonly ListedImage[]): string {
  return columns([
    ['name', 'platform', 'size', 'reference'],
    ...images.map(({ name, platforms, bytes: size, reference }) => [name, platforms.join(' '), bytes(size), reference]),
  ]);
}
