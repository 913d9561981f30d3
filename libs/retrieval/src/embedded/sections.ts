/**
 * The arrays of one generation, in the order in which they lie in memory and in the file. Chunks are numbered by file (code
 * units), then by line, so that a lower number wins a tie; vectors ("rows") are numbered as they came.
 */
export const SECTIONS = {
  /** 32 bytes a chunk. */
  ids: Uint8Array,
  /** Number of the chunk's file, kind, first and last line. */
  files: Uint32Array,
  kinds: Uint8Array,
  startLines: Uint32Array,
  endLines: Uint32Array,
  /** Length in tokens, fields weighted. */
  lengths: Uint32Array,
  /** Packed names of chunks, paths of files, terms; see `PackedText`. */
  nameOffsets: Uint32Array,
  nameBytes: Uint8Array,
  pathOffsets: Uint32Array,
  pathBytes: Uint8Array,
  /** Packed digests of files' chunks; empty for a file whose chunks are not known by one. */
  digestOffsets: Uint32Array,
  digestBytes: Uint8Array,
  termOffsets: Uint32Array,
  termBytes: Uint8Array,
  termSlots: Uint32Array,
  /** Postings of term `t` lie at `postingStarts[t]` to `postingStarts[t + 1]`, by chunk. */
  postingStarts: Uint32Array,
  postingChunks: Uint32Array,
  /** How often the chunk holds the term, fields weighted; `MANY` says: look into `manyTimes`. */
  postingTimes: Uint8Array,
  /** Pairs of a posting's place and its true count. */
  manyTimes: Uint32Array,
  /** Rows as int8; their scale, distance from the true row, and chunk. */
  rowScales: Float32Array,
  rowErrors: Float32Array,
  rowChunks: Uint32Array,
  codes: Int8Array,
  /** The true rows. */
  rows: Float32Array,
} as const;

export type SectionName = keyof typeof SECTIONS;
type ArrayOf<View> = View extends Uint8ArrayConstructor
  ? Uint8Array
  : View extends Uint32ArrayConstructor
    ? Uint32Array
    : View extends Int8ArrayConstructor
      ? Int8Array
      : Float32Array;
export type Sections = { [Name in SectionName]: ArrayOf<(typeof SECTIONS)[Name]> };
/** Everything but the true rows, which may stay in the file. */
export type CoreSections = Omit<Sections, 'rows'>;
export type SectionLengths = Record<SectionName, number>;

/** A count of a posting from which on it stands in `manyTimes`. */
export const MANY = 255;
/** Sections begin at multiples of this, which suits every element and the kernel's loads. */
const ALIGNMENT = 64;

/** Byte offset of every section and of the end, for lengths in elements. */
export interface SectionPlaces {
  offsets: Record<SectionName, number>;
  /** Where the true rows begin, and where they end. */
  coreBytes: number;
  bytes: number;
}

export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];

/** Places sections of these lengths one after another. */
export function placeSections(lengths: SectionLengths): SectionPlaces {
  const offsets = {} as Record<SectionName, number>;
  let end = 0;
  for (const name of SECTION_NAMES) {
    offsets[name] = end;
    end = aligned(end + lengths[name] * SECTIONS[name].BYTES_PER_ELEMENT);
  }
  return { offsets, coreBytes: offsets.rows, bytes: end };
}

/** The next place at which a section may begin. */
export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Views of the sections in a buffer that holds them as `placeSections` says; `rows` is empty unless the buffer holds them too. */
export function viewSections(buffer: SharedArrayBuffer, lengths: SectionLengths, withRows: boolean): Sections {
  const { offsets } = placeSections(lengths);
  const views = {} as Record<SectionName, ArrayBufferView>;
  for (const name of SECTION_NAMES) {
    const length = name === 'rows' && !withRows ? 0 : lengths[name];
    const View: new (buffer: SharedArrayBuffer, offset: number, length: number) => ArrayBufferView = SECTIONS[name];
    views[name] = new View(buffer, length === 0 ? 0 : offsets[name], length);
  }
  return views as Sections;
}
