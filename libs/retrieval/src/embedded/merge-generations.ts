import { compareText } from '@reenact/code-index';
import type { ChunkKind } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import type { BuiltGeneration } from './generation-builder.js';
import type { PackedText, TextRange } from './packed-text.js';
import { joinRanges, packText, unpackAll } from './packed-text.js';
import type { MergedPostings } from './postings.js';
import { mergePostings, NOT_TAKEN } from './postings.js';
import type { CoreSections } from './sections.js';
import { buildTermSlots, findTerm } from './term-table.js';

/** A generation from which files are taken over. */
export interface EarlierGeneration {
  shape: { chunks: number; kinds: string[] };
  sections: CoreSections;
}

/** The files of a generation whose chunks are known by the same digests. */
export function sameFiles({ sections }: EarlierGeneration, digests: ReadonlyMap<string, string>): Set<string> {
  const known = unpackAll(digestsOf(sections));
  return new Set(unpackAll(pathsOf(sections)).filter((path, file) => known[file] !== '' && digests.get(path) === known[file]));
}

/**
 * The files `kept` of an earlier generation together with all of a new one, as if all of their chunks had been taken at once; vectors
 * come from the new one alone. @throws AppError `internal` for a file that both bring.
 */
export function mergeGenerations(earlier: EarlierGeneration, kept: ReadonlySet<string>, fresh: BuiltGeneration): BuiltGeneration {
  const kinds = [...new Set([...(earlier.shape.kinds as ChunkKind[]), ...fresh.kinds])];
  const ofEarlier = runsOf(earlier.sections, earlier.shape.kinds, kinds).filter(({ path }) => kept.has(path));
  const ofFresh = runsOf(fresh.sections, fresh.kinds, kinds);
  const runs = mergeRuns(ofEarlier, ofFresh);
  const chunks = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const numbers = numbersOf(ofFresh, fresh.chunks);
  const sameTerms = Int32Array.from(unpackAll(termsOf(fresh.sections)), (term) =>
    findTerm(termsOf(earlier.sections), earlier.sections.termSlots, term),
  );
  const { postings, terms } = mergePostings(
    { postings: earlier.sections, numbers: numbersOf(ofEarlier, earlier.shape.chunks) },
    { postings: fresh.sections, numbers },
    sameTerms,
  );
  const packed = joinRanges(termRanges(terms, termsOf(earlier.sections), termsOf(fresh.sections)));
  const sections: CoreSections = {
    ...fresh.sections,
    ...gatherChunks(runs, chunks),
    ...gatherTexts(runs),
    ...postings,
    termOffsets: packed.offsets,
    termBytes: packed.bytes,
    termSlots: buildTermSlots(packed),
    rowChunks: fresh.sections.rowChunks.map((chunk) => numbers[chunk] ?? 0),
  };
  return { chunks, kinds, dimensions: fresh.dimensions, sections, rowBlocks: fresh.rowBlocks };
}

/** The chunks of one file in one of the two generations. */
interface FileRun {
  sections: CoreSections;
  path: string;
  /** Number of the file there. */
  file: number;
  /** Its chunks there: from `start` to `end`, not included. */
  start: number;
  end: number;
  /** Number of its first chunk in the merged generation. */
  to: number;
  /** Merged number of each kind there. */
  kinds: Uint8Array;
}

/** All files of a generation in their order, which is that of their chunks. */
function runsOf(sections: CoreSections, own: readonly string[], merged: readonly string[]): FileRun[] {
  const kinds = Uint8Array.from(own, (kind) => merged.indexOf(kind));
  const starts = new Uint32Array(sections.pathOffsets.length);
  for (const file of sections.files) starts[file + 1] = (starts[file + 1] ?? 0) + 1;
  for (let file = 1; file < starts.length; file++) starts[file] = (starts[file] ?? 0) + (starts[file - 1] ?? 0);
  return unpackAll(pathsOf(sections)).map((path, file) => {
    return { sections, path, file, start: starts[file] ?? 0, end: starts[file + 1] ?? 0, to: 0, kinds };
  });
}

/** Both by path; says of each where its chunks go. */
function mergeRuns(left: FileRun[], right: FileRun[]): FileRun[] {
  const runs = [...left, ...right].sort((one, other) => compareText(one.path, other.path));
  let to = 0;
  for (const [place, run] of runs.entries()) {
    if (run.path === runs[place - 1]?.path) throw new AppError('internal', `${run.path} is both kept and given anew.`);
    run.to = to;
    to += run.end - run.start;
  }
  return runs;
}

function numbersOf(runs: readonly FileRun[], chunks: number): Uint32Array {
  const numbers = new Uint32Array(chunks).fill(NOT_TAKEN);
  for (const { start, end, to } of runs) for (let chunk = start; chunk < end; chunk++) numbers[chunk] = to + chunk - start;
  return numbers;
}

type ChunkSections = Pick<CoreSections, 'ids' | 'files' | 'kinds' | 'startLines' | 'endLines' | 'lengths'>;

const ID_BYTES = 32;

function gatherChunks(runs: readonly FileRun[], chunks: number): ChunkSections {
  const ids = new Uint8Array(ID_BYTES * chunks);
  const [files, kinds] = [new Uint32Array(chunks), new Uint8Array(chunks)];
  const [startLines, endLines, lengths] = [new Uint32Array(chunks), new Uint32Array(chunks), new Uint32Array(chunks)];
  runs.forEach(({ sections, start, end, to, kinds: merged }, file) => {
    ids.set(sections.ids.subarray(ID_BYTES * start, ID_BYTES * end), ID_BYTES * to);
    files.fill(file, to, to + end - start);
    for (let chunk = start; chunk < end; chunk++) kinds[to + chunk - start] = merged[sections.kinds[chunk] ?? 0] ?? 0;
    startLines.set(sections.startLines.subarray(start, end), to);
    endLines.set(sections.endLines.subarray(start, end), to);
    lengths.set(sections.lengths.subarray(start, end), to);
  });
  return { ids, files, kinds, startLines, endLines, lengths };
}

type TextSections = Pick<CoreSections, 'nameOffsets' | 'nameBytes' | 'pathOffsets' | 'pathBytes' | 'digestOffsets' | 'digestBytes'>;

function gatherTexts(runs: readonly FileRun[]): TextSections {
  const names = joinRanges(runs.map(({ sections, start, end }) => ({ text: namesOf(sections), from: start, to: end })));
  const paths = packText(runs.map(({ path }) => path));
  const digests = joinRanges(runs.map(({ sections, file }) => ({ text: digestsOf(sections), from: file, to: file + 1 })));
  return {
    nameOffsets: names.offsets,
    nameBytes: names.bytes,
    pathOffsets: paths.offsets,
    pathBytes: paths.bytes,
    digestOffsets: digests.offsets,
    digestBytes: digests.bytes,
  };
}

/** The merged terms as ranges of the two packed texts: neighbours stay neighbours, so there are few. */
function termRanges(terms: MergedPostings['terms'], first: PackedText, second: PackedText): TextRange[] {
  const ranges: TextRange[] = [];
  for (const term of terms) {
    const [text, number] = term < 0 ? [second, ~term] : [first, term];
    const last = ranges.at(-1);
    if (last?.text === text && last.to === number) last.to++;
    else ranges.push({ text, from: number, to: number + 1 });
  }
  return ranges;
}

function termsOf({ termOffsets, termBytes }: CoreSections): PackedText {
  return { offsets: termOffsets, bytes: termBytes };
}

function pathsOf({ pathOffsets, pathBytes }: CoreSections): PackedText {
  return { offsets: pathOffsets, bytes: pathBytes };
}

function namesOf({ nameOffsets, nameBytes }: CoreSections): PackedText {
  return { offsets: nameOffsets, bytes: nameBytes };
}

function digestsOf({ digestOffsets, digestBytes }: CoreSections): PackedText {
  return { offsets: digestOffsets, bytes: digestBytes };
}
