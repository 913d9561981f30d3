import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** What the loader must find for a program or a library. */
export interface ElfFacts {
  /** Kind of processor (e_machine). */
  machine: number;
  /** Absolute path of the loader that a program asks for; null for a library. */
  loader: string | null;
  /** Names of libraries (DT_NEEDED). */
  needed: string[];
  /** Folders to look in first, as written: DT_RUNPATH, else DT_RPATH. */
  searchPath: string[];
  /** Versions of symbols that it takes from other libraries, by library. */
  neededVersions: Map<string, Set<string>>;
  /** Versions of symbols that it defines. */
  definedVersions: Set<string>;
}

// System V gABI 4.1, chapters 4 and 5, and the GNU version sections of LSB 5 chapter 10.
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const PT_INTERP = 3;
const TAG = {
  needed: 1,
  strtab: 5,
  rpath: 15,
  runpath: 29,
  verdef: 0x6ffffffc,
  verdefnum: 0x6ffffffd,
  verneed: 0x6ffffffe,
  verneednum: 0x6fffffff,
};
const MOST_NAME_BYTES = 1024;
const MOST_ENTRIES = 4096;
const MOST_SECTION_BYTES = 1024 * 1024;

interface Segment {
  type: number;
  offset: number;
  address: number;
  bytes: number;
}

/**
 * Reads the dynamic section of a 64-bit little-endian ELF file; null for any other file, and for one that is damaged. Nothing of the
 * file is run, which `ldd` would do.
 */
export async function readElf(file: string): Promise<ElfFacts | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    return await readDynamic(handle);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  } finally {
    await handle.close();
  }
}

async function readDynamic(handle: FileHandle): Promise<ElfFacts | null> {
  const header = await bytesAt(handle, 0, 64);
  if (header.byteLength < 64 || header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) return null;
  const segments = await readSegments(handle, header);
  const facts: ElfFacts = {
    machine: header.readUInt16LE(18),
    loader: null,
    needed: [],
    searchPath: [],
    neededVersions: new Map(),
    definedVersions: new Set(),
  };
  const loader = segments.find(({ type }) => type === PT_INTERP);
  if (loader !== undefined) facts.loader = await stringAt(handle, loader.offset);
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  if (dynamic === undefined) return facts;
  const tags = tagsOf(await bytesAt(handle, dynamic.offset, Math.min(dynamic.bytes, MOST_SECTION_BYTES)));
  const strings = fileOffset(segments, tags.get(TAG.strtab)?.[0] ?? 0);
  const text = (index: number): Promise<string> => stringAt(handle, strings + index);
  for (const index of tags.get(TAG.needed) ?? []) facts.needed.push(await text(index));
  const path = tags.get(TAG.runpath)?.[0] ?? tags.get(TAG.rpath)?.[0];
  if (path !== undefined) facts.searchPath = (await text(path)).split(':').filter((folder) => folder !== '');
  const section = (tag: number): Promise<Buffer> | null => {
    const address = tags.get(tag)?.[0];
    return address === undefined ? null : bytesAt(handle, fileOffset(segments, address), MOST_SECTION_BYTES);
  };
  await readNeededVersions(await section(TAG.verneed), tags.get(TAG.verneednum)?.[0] ?? 0, { facts, text });
  await readDefinedVersions(await section(TAG.verdef), tags.get(TAG.verdefnum)?.[0] ?? 0, { facts, text });
  return facts;
}

async function readSegments(handle: FileHandle, header: Buffer): Promise<Segment[]> {
  const size = header.readUInt16LE(54);
  const count = Math.min(header.readUInt16LE(56), MOST_ENTRIES);
  const table = await bytesAt(handle, Number(header.readBigUInt64LE(32)), size * count);
  return Array.from({ length: count }, (_, index) => ({
    type: table.readUInt32LE(index * size),
    offset: Number(table.readBigUInt64LE(index * size + 8)),
    address: Number(table.readBigUInt64LE(index * size + 16)),
    bytes: Number(table.readBigUInt64LE(index * size + 32)),
  }));
}

function tagsOf(dynamic: Buffer): Map<number, number[]> {
  const tags = new Map<number, number[]>();
  for (let at = 0; at + 16 <= dynamic.byteLength; at += 16) {
    const tag = Number(dynamic.readBigUInt64LE(at));
    if (tag === 0) break;
    tags.set(tag, [...(tags.get(tag) ?? []), Number(dynamic.readBigUInt64LE(at + 8))]);
  }
  return tags;
}

interface VersionReader {
  facts: ElfFacts;
  text: (index: number) => Promise<string>;
}

async function readNeededVersions(section: Buffer | null, count: number, { facts, text }: VersionReader): Promise<void> {
  if (section === null) return;
  let at = 0;
  for (let entry = 0; entry < Math.min(count, MOST_ENTRIES); entry += 1) {
    const names = new Set<string>();
    let inner = at + section.readUInt32LE(at + 8);
    for (let name = 0; name < section.readUInt16LE(at + 2); name += 1) {
      // A weak reference (VER_FLG_WEAK) may stay unmet.
      if ((section.readUInt16LE(inner + 4) & 2) === 0) names.add(await text(section.readUInt32LE(inner + 8)));
      inner += section.readUInt32LE(inner + 12);
    }
    facts.neededVersions.set(await text(section.readUInt32LE(at + 4)), names);
    at += section.readUInt32LE(at + 12);
  }
}

async function readDefinedVersions(section: Buffer | null, count: number, { facts, text }: VersionReader): Promise<void> {
  if (section === null) return;
  let at = 0;
  for (let entry = 0; entry < Math.min(count, MOST_ENTRIES); entry += 1) {
    facts.definedVersions.add(await text(section.readUInt32LE(at + section.readUInt32LE(at + 12))));
    at += section.readUInt32LE(at + 16);
  }
}

function fileOffset(segments: readonly Segment[], address: number): number {
  const segment = segments.find(({ type, address: begin, bytes }) => type === PT_LOAD && address >= begin && address < begin + bytes);
  if (segment === undefined) throw new RangeError('an address outside of every segment');
  return segment.offset + address - segment.address;
}

async function stringAt(handle: FileHandle, offset: number): Promise<string> {
  const bytes = await bytesAt(handle, offset, MOST_NAME_BYTES);
  const end = bytes.indexOf(0);
  return bytes.toString('latin1', 0, end === -1 ? bytes.byteLength : end);
}

async function bytesAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  if (!Number.isSafeInteger(offset)) throw new RangeError('an offset beyond every file');
  const buffer = Buffer.alloc(Math.min(length, MOST_SECTION_BYTES));
  const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, offset);
  return buffer.subarray(0, bytesRead);
}
