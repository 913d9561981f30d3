import type { FiledChunks, SearchableChunk } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import { isDamaged } from '@reenact/store';
import type { CodeIndex } from '../assemble-index.js';
import { assembleIndex } from '../assemble-index.js';
import { nextTurn } from '../next-turn.js';
import type { SkippedPath, SourceKind } from '../source-files.js';
import type { TrainingLoop } from '../training-files.js';
import { chunkerVersion } from './chunker-version.js';
import type { IndexCounts } from './index-progress.js';
import type { EncodedFile, ParsedFile } from './parsed-file.js';
import { decodeParsed } from './parsed-file.js';
import type { TreeState } from './refresh-tree.js';
import type { RepositoryStore, RevisionFile } from './repository-store.js';
import { searchableChunks } from './searchable-chunks.js';

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
  /** The chunks as engines take them, by file and line, without vectors. Tokens come counted from the store, equal ones together. */
  searchable(): Generator<SearchableChunk>;
  /** The same file by file. A file's digest names its content and the code that read it. */
  filed: FiledChunks;
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
    filed: {
      digests: new Map(indexed.map(({ file, sha256 }) => [file, `${chunkerVersion()}.${sha256}`])),
      chunksOf: (file) => {
        const found = byPath.get(file);
        return found === undefined ? [] : searchableChunks(readRecord(source, found));
      },
    },
    *searchable() {
      for (const parsed of readAll()) yield* searchableChunks(parsed);
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
  const encoded = readBytes(source, file, record.id);
  try {
    return decodeParsed(file, kind, encoded);
  } catch (error) {
    return refuse(source.onDamage, file, error);
  }
}

function readBytes({ store, onDamage }: TreeSource, file: string, record: number): Omit<EncodedFile, 'chunkCount'> {
  try {
    const encoded = store.readRecord(record);
    if (encoded !== null) return encoded;
  } catch (error) {
    if (isDamaged(error)) return refuse(onDamage, file, error);
    throw error;
  }
  throw new AppError('internal', `The index record of ${file} was collected while the tree was open.`, { hint: 'Index the tree again.' });
}

function refuse(onDamage: () => void, file: string, cause: unknown): never {
  onDamage();
  throw new AppError('index-damaged', `The index record of ${file} is damaged.`, {
    hint: 'Run the same command again: the index is made anew.',
    cause,
  });
}
