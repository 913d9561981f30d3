import type { ChunkPlace, SearchableChunk } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import { isDamaged } from '@reenact/store';
import type { CodeIndex } from '../assemble-index.js';
import { assembleIndex } from '../assemble-index.js';
import { nextTurn } from '../next-turn.js';
import type { SkippedPath, SourceKind } from '../source-files.js';
import type { TrainingLoop } from '../training-files.js';
import { chunkerVersion } from './chunker-version.js';
import type { IndexCounts } from './index-progress.js';
import type { ParsedFile } from './parsed-file.js';
import { decodeParsed, decodePlaces } from './parsed-file.js';
import type { TreeState } from './refresh-tree.js';
import type { RepositoryStore, RevisionFile } from './repository-store.js';
import { storedChunks } from './searchable-chunks.js';

/** A file of an open tree. */
export interface IndexedFile {
  /** Relative to the tree, with `/`. */
  file: string;
  kind: SourceKind;
  bytes: number;
  chunks: number;
}

/** A tree whose index is at hand; what it holds is read by need, and later changes of the tree or the store don't touch it. */
export interface OpenedTree {
  revision: string;
  /** Equal digest, equal index: names what is derived from it. */
  digest: string;
  /** By path. */
  files: IndexedFile[];
  skipped: SkippedPath[];
  counts: IndexCounts;
  /** Everything about one file; null for one that is not indexed. */
  read(file: string): ParsedFile | null;
  /** Everything about every file, by path. */
  readAll(): Generator<ParsedFile>;
  /** Names the code that made chunks and tokens: an engine takes it as `PublishOptions.analysis`. */
  analysis: string;
  /**
   * The chunks as engines take them, by file and line, without vectors. Tokens come counted from the store, equal ones together; they
   * and the text are read when they are asked for, which the tree must be open for.
   */
  searchable(): Generator<SearchableChunk>;
  /** Everything at once, training loops included; in memory from then on. */
  codeIndex(): Promise<CodeIndex>;
  close(): void;
}

/** Where loops are kept; the writer lock is the caller's affair. */
export interface LoopCache {
  read(): string | null;
  write(loops: string): void;
}

/** Where an open tree is read from. */
export interface TreeSource {
  store: RepositoryStore;
  loops: LoopCache;
  /** Called when a record turns out damaged, so that the next run makes the index anew. */
  onDamage: () => void;
}

/** The handle on a tree that was just seen. */
export function openedTree(source: TreeSource, revision: string, state: TreeState): OpenedTree {
  const { store, loops } = source;
  const indexed = state.files.filter(({ record }) => record.reason === null);
  const byPath = new Map(indexed.map((item) => [item.file, item]));
  const readAll = function* (): Generator<ParsedFile> {
    for (const item of indexed) yield readRecord(source, item);
  };
  return {
    revision,
    digest: state.digest,
    files: indexed.map(({ file, kind, bytes, record }) => ({ file, kind, bytes, chunks: record.chunkCount })),
    skipped: state.skipped,
    counts: state.counts,
    read(file) {
      const found = byPath.get(file);
      return found === undefined ? null : readRecord(source, found);
    },
    readAll,
    analysis: chunkerVersion(),
    *searchable() {
      for (const item of indexed) yield* storedChunks(readPlaces(source, item), () => readRecord(source, item));
    },
    async codeIndex() {
      const parsed: ParsedFile[] = [];
      for (const item of readAll()) {
        parsed.push(item);
        await nextTurn();
      }
      const known = knownLoops(loops);
      const index = await assembleIndex(parsed, state.skipped, known);
      if (known === null) loops.write(JSON.stringify(index.loops));
      return index;
    },
    close: () => store.close(),
  };
}

/** The loops that are kept; null where there are none, or their text is torn. */
function knownLoops(loops: LoopCache): TrainingLoop[] | null {
  try {
    return JSON.parse(loops.read() ?? 'null') as TrainingLoop[] | null;
  } catch {
    return null;
  }
}

function readRecord(source: TreeSource, { file, kind, record }: RevisionFile): ParsedFile {
  return readStored(source, file, () => {
    const encoded = source.store.readRecord(record.id);
    return encoded === null ? null : decodeParsed(file, kind, encoded);
  });
}

function readPlaces(source: TreeSource, { file, record }: RevisionFile): ChunkPlace[] {
  return readStored(source, file, () => {
    const structure = source.store.readStructure(record.id);
    return structure === null ? null : decodePlaces(file, structure);
  });
}

/** @param read null where the record is gone; throws where its bytes are no record's, or the database is damaged. */
function readStored<T>({ onDamage }: TreeSource, file: string, read: () => T | null): T {
  let found: T | null;
  try {
    found = read();
  } catch (error) {
    if (!isDamaged(error) && !isMalformed(error)) throw error;
    onDamage();
    throw new AppError('index-damaged', `The index record of ${file} is damaged.`, {
      hint: 'Run the same command again: the index is made anew.',
      cause: error,
    });
  }
  if (found !== null) return found;
  throw new AppError('internal', `The index record of ${file} was collected while the tree was open.`, { hint: 'Index the tree again.' });
}

function isMalformed(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
}
