import { createHash } from 'node:crypto';
import type { ChunkKind, SearchableChunk } from '@reenact/domain';
import { seededDraws } from '@reenact/domain';
import { unitVector } from './unit-vector.js';

/** What a sample is made of; every part repeats for one seed. */
export interface SampleOptions {
  seed: number;
  files: number;
  chunksPerFile: number;
  /** Length of the vectors; null for chunks without any. */
  dimensions: number | null;
  /** Share of chunks without a vector. */
  pendingShare: number;
}

const KINDS: ChunkKind[] = ['function', 'method', 'class', 'run', 'configuration'];
const FOLDERS = ['src/net', 'src/data', 'tests', 'tools', ''];
const WORDS = 1500;
const CLUSTERS = 12;

/**
 * Chunks as a project has them: words by Zipf's law, files of several folders (tests among them), clustered unit vectors, every
 * twentieth chunk a copy of the one before (same text and vector, other place), some without a vector.
 */
export function sampleChunks(options: SampleOptions): SearchableChunk[] {
  const random = seededDraws(options.seed);
  const centres = Array.from({ length: CLUSTERS }, () => unitVector(random, options.dimensions ?? 1));
  const chunks: SearchableChunk[] = [];
  for (let file = 0; file < options.files; file++) {
    const folder = FOLDERS[file % FOLDERS.length] ?? '';
    const path = `${folder === '' ? '' : `${folder}/`}part_${String(file).padStart(3, '0')}.py`;
    for (let place = 0; place < options.chunksPerFile; place++) {
      const previous = place > 0 && place % 20 === 0 ? chunks.at(-1) : undefined;
      const words = previous?.tokens.text ?? sampleWords(random, 5 + Math.floor(120 * random() ** 2));
      const centre = centres[Math.floor(random() * CLUSTERS)];
      const isPending = options.dimensions === null || random() < options.pendingShare;
      const vector = isPending ? null : (previous?.vector ?? unitVector(random, options.dimensions ?? 1, centre, 0.8));
      chunks.push(sampleChunk({ file: path, place, words, vector, name: previous?.tokens.name }));
    }
  }
  return chunks;
}

interface SamplePart {
  file: string;
  place: number;
  words: string[];
  vector: Float32Array | null;
  name: string[] | undefined;
}

function sampleChunk({ file, place, words, vector, name = words.slice(0, 2) }: SamplePart): SearchableChunk {
  const startLine = 1 + place * 10;
  const endLine = startLine + 8;
  const text = words.join(' ');
  const id = createHash('sha256').update(`${file}\n${startLine}\n${endLine}\n${text}`).digest('hex');
  const kind = KINDS[place % KINDS.length] ?? 'function';
  // One word a file, so that a path's words do not decide between chunks of one file.
  const tokens = { text: words, name, path: [file.replace(/\W/g, '_')] };
  return { id, file, kind, name: name.join('.'), startLine, endLine, text, tokens, vector };
}

/** Words by Zipf's law: word number r comes about 1/r as often as the first. */
export function sampleWords(random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => `w${Math.floor(Math.exp(random() * Math.log(WORDS)))}`);
}
