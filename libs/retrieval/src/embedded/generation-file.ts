import { constants, read, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { IndexName } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import { allocateGeneration, openGeneration, shapeOf } from './generation.js';
import type { Generation, GenerationMemory, GenerationShape } from './generation.js';
import type { BuiltGeneration } from './generation-builder.js';
import { rowWidth } from './quantise.js';
import type { ScanKernel } from './scan-kernel.js';
import { aligned, placeSections, SECTION_NAMES } from './sections.js';

/** First bytes of every generation file. */
const MAGIC = Buffer.from('REENACTG');
/** Raised whenever sections or header change: a file of another version is made anew, never converted. */
const FORMAT_VERSION = 2;
/** Magic, version, length and CRC-32 of the header, in bytes. */
const PREAMBLE_BYTES = 20;
const LARGEST_HEADER_BYTES = 1024 * 1024;
/** Below this many chunks the true rows are kept in memory; above they are read where a chunk is reckoned exactly (retrieval.md, 4.4). */
const ROWS_IN_MEMORY_BELOW = 50_001;

interface GenerationHeader extends GenerationTitle {
  shape: GenerationShape;
  /** CRC-32 of everything before the true rows, and of these. */
  coreChecksum: number;
  rowsChecksum: number;
}

/** An open generation and the file behind it. */
export interface OpenFile {
  generation: Generation;
  title: GenerationTitle;
  close(): Promise<void>;
}

/** What a generation's file says of it. */
export interface GenerationTitle extends IndexName {
  /** Digest of the model that made the vectors; null where there are none. */
  embedding: string | null;
  /** Whether the chunks of its files are known by digests. */
  isFiled: boolean;
}

/** Called before a write or rename, with its name, so that tests can end the process there. */
export type OnWrite = (point: string) => void;

/** Writes a generation to an open, empty file and makes it durable. */
export async function writeGeneration(file: FileHandle, title: GenerationTitle, built: BuiltGeneration, onWrite: OnWrite): Promise<void> {
  const core = coreParts(built);
  const header: GenerationHeader = {
    ...title,
    shape: shapeOf(built),
    coreChecksum: checksum(core),
    rowsChecksum: checksum(built.rowBlocks),
  };
  const text = Buffer.from(JSON.stringify(header));
  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  MAGIC.copy(preamble);
  [FORMAT_VERSION, text.length, crc32(text)].forEach((value, place) => preamble.writeUInt32LE(value, MAGIC.length + 4 * place));
  const gap = Buffer.alloc(coreStart(text.length) - PREAMBLE_BYTES - text.length);
  for (const part of [preamble, text, gap, ...core, ...built.rowBlocks]) {
    onWrite('part');
    await writeWhole(file, part);
  }
  onWrite('sync');
  await file.sync();
}

function coreStart(headerBytes: number): number {
  return aligned(PREAMBLE_BYTES + headerBytes);
}

/** All sections before the true rows, with the gaps between them. */
function coreParts({ sections }: BuiltGeneration): ArrayBufferView[] {
  return SECTION_NAMES.flatMap((name) => {
    if (name === 'rows') return [];
    const section = sections[name];
    return [section, Buffer.alloc(aligned(section.byteLength) - section.byteLength)];
  });
}

function checksum(parts: ArrayBufferView[]): number {
  return parts.reduce((value, part) => crc32(bytesOf(part), value), 0);
}

function bytesOf(part: ArrayBufferView): Uint8Array {
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
}

async function writeWhole(file: FileHandle, part: ArrayBufferView): Promise<void> {
  const bytes = bytesOf(part);
  for (let start = 0; start < bytes.length;) start += (await file.write(bytes, start, bytes.length - start)).bytesWritten;
}

/**
 * Reads a generation into shared memory; null where there is no file. The file stays open while its rows are not in memory.
 * @throws AppError `index-damaged` where it is torn, of another version, or of another name than the one asked for.
 */
export async function readGeneration(path: string, name: IndexName, options: ReadOptions = {}): Promise<OpenFile | null> {
  const file = await openExisting(path);
  if (file === null) return null;
  try {
    const { header, start } = await readHeader(file, path);
    if (header.repository !== name.repository || header.revision !== name.revision) throw damaged(path, 'it belongs to another revision');
    const withRows = header.shape.chunks < (options.rowsInMemoryBelow ?? ROWS_IN_MEMORY_BELOW);
    const memory = allocateGeneration(header.shape, { withRows, ...(options.kernel === undefined ? {} : { kernel: options.kernel }) });
    await readBody(file, path, { header, start, memory });
    if (withRows) await file.close();
    const readRow = withRows ? undefined : rowReader(file.fd, start, header.shape);
    const generation = openGeneration(header.shape, memory, readRow);
    const { repository, revision, embedding, isFiled } = header;
    const title = { repository, revision, embedding, isFiled };
    return { generation, title, close: async () => (withRows ? undefined : file.close()) };
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}

/** Settings of reading; both are for tests and measurements. */
export interface ReadOptions {
  rowsInMemoryBelow?: number;
  kernel?: ScanKernel['name'];
}

async function openExisting(path: string): Promise<FileHandle | null> {
  return open(path, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** What a file says of its generation, without reading that; null where there is no file. @throws AppError `index-damaged`. */
export async function readTitle(path: string): Promise<GenerationTitle | null> {
  const file = await openExisting(path);
  try {
    return file === null ? null : (await readHeader(file, path)).header;
  } finally {
    await file?.close();
  }
}

async function readHeader(file: FileHandle, path: string): Promise<{ header: GenerationHeader; start: number }> {
  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  await fill(file, preamble, 0, path);
  if (!preamble.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(path, 'it is no search index');
  const [version, length, expected] = [0, 4, 8].map((offset) => preamble.readUInt32LE(MAGIC.length + offset)) as [number, number, number];
  if (version !== FORMAT_VERSION) throw damaged(path, `it has format ${version}, this program reads ${FORMAT_VERSION}`);
  if (length > LARGEST_HEADER_BYTES) throw damaged(path, 'its header is too long');
  const text = Buffer.alloc(length);
  await fill(file, text, PREAMBLE_BYTES, path);
  if (crc32(text) !== expected) throw damaged(path, 'its header does not match its checksum');
  const header = JSON.parse(text.toString('utf8')) as GenerationHeader;
  return { header, start: coreStart(length) };
}

interface Body {
  header: GenerationHeader;
  start: number;
  memory: GenerationMemory;
}

async function readBody(file: FileHandle, path: string, { header, start, memory }: Body): Promise<void> {
  const { lengths } = header.shape;
  const { coreBytes } = placeSections(lengths);
  const rowsBytes = 4 * lengths.rows;
  const { size } = await file.stat();
  if (size !== start + coreBytes + rowsBytes) throw damaged(path, `it has ${size} bytes instead of ${start + coreBytes + rowsBytes}`);
  const core = new Uint8Array(memory.buffer, 0, coreBytes);
  await fill(file, core, start, path);
  if (crc32(core) !== header.coreChecksum) throw damaged(path, 'it does not match its checksum');
  if (!memory.withRows) return;
  const rows = new Uint8Array(memory.buffer, coreBytes, rowsBytes);
  await fill(file, rows, start + coreBytes, path);
  if (crc32(rows) !== header.rowsChecksum) throw damaged(path, 'its vectors do not match their checksum');
}

/** One read takes at most so much: a limit of the system call is 2 GiB. */
const LARGEST_READ_BYTES = 256 * 1024 * 1024;

async function fill(file: FileHandle, bytes: Uint8Array, position: number, path: string): Promise<void> {
  for (let start = 0; start < bytes.length;) {
    const length = Math.min(LARGEST_READ_BYTES, bytes.length - start);
    const got = await readInto(file.fd, bytes.subarray(start, start + length), position + start);
    if (got === 0) throw damaged(path, 'it ends too early');
    start += got;
  }
}

/** Reads once; fewer bytes than asked for may come. */
function readInto(descriptor: number, bytes: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, bytes, 0, bytes.length, position, (error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

function rowReader(descriptor: number, start: number, { lengths, dimensions }: GenerationShape): (row: number) => Float32Array {
  const width = rowWidth(dimensions ?? 0);
  const first = start + placeSections(lengths).coreBytes;
  const row = new Float32Array(width);
  return (place) => {
    const count = readSync(descriptor, row, 0, row.byteLength, first + place * row.byteLength);
    if (count !== row.byteLength) throw damaged('the open search index', 'it was cut');
    return row;
  };
}

function damaged(path: string, why: string): AppError {
  return new AppError('index-damaged', `The search index ${path} cannot be used: ${why}.`, { hint: 'Make the index anew.' });
}
