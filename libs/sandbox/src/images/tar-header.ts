import type { LayerEntry } from './layer-entry.js';
import { LAYER_EPOCH_SECONDS, contentBytes, modeOf } from './layer-entry.js';

/** Size of a block: headers fill whole ones, contents are padded to one (POSIX.1-2024, pax, "ustar Interchange Format"). */
export const TAR_BLOCK_BYTES = 512;
const NAME_BYTES = 100;
/** Largest number of eleven octal digits: 8 GiB − 1. */
const MOST_OCTAL_BYTES = 8 ** 11 - 1;
const TYPES = { file: '0', symlink: '2', directory: '5', extended: 'x' } as const;

interface Fields {
  name: string;
  mode: number;
  bytes: number;
  type: keyof typeof TYPES;
  target: string;
}

/**
 * The header blocks of an entry: one in the ustar format, behind an extended one (pax) where a path, a link's target or a size
 * does not fit. Owner root, no names, one time for all.
 */
export function tarHeader(entry: LayerEntry): Buffer {
  const fields: Fields = {
    name: entry.kind === 'directory' ? `${entry.path}/` : entry.path,
    mode: modeOf(entry),
    bytes: contentBytes(entry),
    type: entry.kind,
    target: entry.kind === 'symlink' ? entry.target : '',
  };
  const records = [
    ...(fits(fields.name) ? [] : [record('path', fields.name)]),
    ...(fits(fields.target) ? [] : [record('linkpath', fields.target)]),
    ...(fields.bytes <= MOST_OCTAL_BYTES ? [] : [record('size', String(fields.bytes))]),
  ];
  if (records.length === 0) return ustarBlock(fields);
  const content = Buffer.concat(records);
  const extended = ustarBlock({ name: 'pax-header', mode: 0o644, bytes: content.byteLength, type: 'extended', target: '' });
  return Buffer.concat([
    extended,
    content,
    padding(content.byteLength),
    ustarBlock({ ...fields, name: cut(fields.name), target: cut(fields.target) }),
  ]);
}

/** Zeros up to the end of the block. */
export function padding(bytes: number): Buffer {
  return Buffer.alloc((TAR_BLOCK_BYTES - (bytes % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES);
}

/** The two empty blocks behind the last entry. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * TAR_BLOCK_BYTES);
}

function fits(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.byteLength <= NAME_BYTES && bytes.every((byte) => byte < 0x80);
}

/** What readers without extended headers would see; it only has to fit. */
function cut(text: string): string {
  return fits(text) ? text : text.replace(/[^\x20-\x7e]/g, '_').slice(-NAME_BYTES);
}

/** `length keyword=value\n`, where the length counts its own digits. */
function record(keyword: string, value: string): Buffer {
  const rest = Buffer.from(` ${keyword}=${value}\n`);
  let length = rest.byteLength + 1;
  while (String(length).length + rest.byteLength !== length) length = String(length).length + rest.byteLength;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

function ustarBlock({ name, mode, bytes, type, target }: Fields): Buffer {
  const block = Buffer.alloc(TAR_BLOCK_BYTES);
  block.write(name, 0, NAME_BYTES);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(Math.min(bytes, MOST_OCTAL_BYTES), 11), 124);
  block.write(octal(LAYER_EPOCH_SECONDS, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(TYPES[type], 156);
  block.write(target, 157, NAME_BYTES);
  block.write('ustar\u000000', 257);
  block.write(octal(0, 7), 329);
  block.write(octal(0, 7), 337);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\u0000 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
