import { AppError } from '@reenact/domain';

/** A regular file of an archive. */
export interface TarEntry {
  /** Relative, `/` between parts. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

const BLOCK = 512;
/** 2000-01-01 as seconds: equal contents give equal bytes, and no program warns about a date before its time. */
const FIXED_TIME = 946_684_800;

/**
 * Writes a POSIX.1-1988 (ustar) archive. Entries are sorted by path and carry a fixed time and owner, so that equal
 * entries give equal bytes.
 * @throws AppError `bundle-invalid` for a path that is unsafe or does not fit into the format
 */
export function writeTar(entries: readonly TarEntry[]): Uint8Array {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const parts: Uint8Array[] = [];
  for (const entry of sorted) {
    parts.push(headerOf(entry), entry.bytes, new Uint8Array(padding(entry.bytes.length)));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return Buffer.concat(parts);
}

function padding(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}

function headerOf(entry: TarEntry): Uint8Array {
  assertSafePath(entry.path);
  const { prefix, name } = splitPath(entry.path);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 'utf8');
  block.write(octal(entry.executable ? 0o755 : 0o644, 7), 100, 'ascii');
  block.write(octal(0, 7), 108, 'ascii');
  block.write(octal(0, 7), 116, 'ascii');
  block.write(octal(entry.bytes.length, 11), 124, 'ascii');
  block.write(octal(FIXED_TIME, 11), 136, 'ascii');
  block.write('        0', 148, 'ascii');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345, 'utf8');
  block.write(`${octal(checksum(block), 6)}\0 `, 148, 'latin1');
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/** Sum of the header's bytes with the checksum field taken as blanks. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
}

function splitPath(path: string): { prefix: string; name: string } {
  const fits = (text: string, limit: number): boolean => Buffer.byteLength(text) <= limit;
  if (fits(path, 100)) return { prefix: '', name: path };
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (fits(prefix, 155) && fits(name, 100)) return { prefix, name };
  }
  throw new AppError('bundle-invalid', `${path}: too long for the archive`);
}

/**
 * Reads a ustar archive of regular files. Directories are left out: they come with their files.
 * @throws AppError `bundle-invalid` for links, devices, extensions, absolute paths, `..`, repeated paths, wrong
 * checksums and a cut end
 */
export function readTar(bytes: Uint8Array): TarEntry[] {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: TarEntry[] = [];
  const seen = new Set<string>();
  for (let at = 0; at + BLOCK <= archive.length;) {
    const block = archive.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return entries;
    const { path, size, type, mode } = readHeader(block);
    at += BLOCK;
    if (at + size > archive.length) break;
    if (type === '0' || type === '\0') {
      assertSafePath(path);
      if (seen.has(path)) throw new AppError('bundle-invalid', `${path}: stands twice in the archive`);
      seen.add(path);
      entries.push({ path, bytes: Uint8Array.from(archive.subarray(at, at + size)), executable: (mode & 0o100) !== 0 });
    } else if (type !== '5') throw new AppError('bundle-invalid', `${path}: only regular files may be in the archive`);
    at += size + padding(size);
  }
  throw new AppError('bundle-invalid', 'the archive is cut off');
}

function readHeader(block: Buffer): { path: string; size: number; type: string; mode: number } {
  const text = (start: number, length: number): string =>
    block
      .subarray(start, start + length)
      .toString('utf8')
      .split('\0')[0] ?? '';
  const number = (start: number, length: number): number => {
    const digits = text(start, length).trim();
    if (!/^[0-7]{1,11}$/.test(digits)) throw new AppError('bundle-invalid', 'the archive has a broken header');
    return parseInt(digits, 8);
  };
  if (number(148, 8) !== checksum(block)) throw new AppError('bundle-invalid', 'the archive has a header with a wrong checksum');
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  return {
    path: (prefix === '' ? '' : `${prefix}/`) + text(0, 100),
    size: number(124, 12),
    type: text(156, 1) || '\0',
    mode: number(100, 8),
  };
}

/** @throws AppError `bundle-invalid` unless the path is relative and stays inside. */
export function assertSafePath(path: string): void {
  const parts = path.split('/');
  const control = [...path].some((character) => character < ' ' || character === '\\');
  if (path === '' || control || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new AppError('bundle-invalid', `${JSON.stringify(path)}: not a safe path`);
  }
}
