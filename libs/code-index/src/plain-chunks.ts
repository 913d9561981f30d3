import type { ChunkKind } from '@reenact/domain';
import type { Chunk } from './chunk.js';
import { joinLines } from './chunk.js';
import type { LineRange } from './split-lines.js';
import { LONGEST_CHUNK_LINES, trimBlank, windowsOf } from './split-lines.js';

const FENCE = /^\s{0,3}(```+|~~~+)\s*([\w+-]*)/;
const INDENTED_COMMAND = /^(?: {4}|\t)\s*\$ /;

/** Chunks of a configuration, shell launcher or requirements file: whole, or windows of 60 lines when longer than 120. */
export function chunkPlain(file: string, text: string, kind: ChunkKind): Chunk[] {
  const lines = text.split('\n');
  const whole = trimBlank({ startLine: 1, endLine: lines.length }, lines);
  if (whole === null) return [];
  const ranges = whole.endLine - whole.startLine < LONGEST_CHUNK_LINES ? [whole] : windowsOf(whole);
  return ranges.map((range) => plainChunk(file, kind, range, lines));
}

/** The command blocks of a README: fenced blocks, and indented lines that begin with a prompt. */
export function chunkReadme(file: string, text: string): Chunk[] {
  const lines = text.split('\n');
  const chunks: Chunk[] = [];
  let fence: { mark: string; start: number } | null = null;
  lines.forEach((line, index) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = { mark: mark.slice(0, 3), start: index + 2 };
    } else if (fence !== null && mark?.startsWith(fence.mark) === true) {
      const range = trimBlank({ startLine: fence.start, endLine: index }, lines);
      if (range !== null) chunks.push(plainChunk(file, 'readme', range, lines));
      fence = null;
    } else if (fence === null && INDENTED_COMMAND.test(line)) {
      chunks.push(plainChunk(file, 'readme', { startLine: index + 1, endLine: index + 1 }, lines));
    }
  });
  return chunks;
}

function plainChunk(file: string, kind: ChunkKind, range: LineRange, lines: string[]): Chunk {
  const base = file.slice(file.lastIndexOf('/') + 1);
  const name = base.replace(/\.[^.]+$/, '') || base;
  return { file, kind, name, ...range, text: joinLines(lines, range.startLine, range.endLine), quality: 'unparsed' };
}
