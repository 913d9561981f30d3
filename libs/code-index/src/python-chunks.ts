import type { ChunkKind } from '@reenact/domain';
import type { Chunk, Definition } from './chunk.js';
import { joinLines } from './chunk.js';
import { moduleName } from './module-name.js';
import type { ImportBinding } from './imports.js';
import type { PythonNode } from './python-syntax.js';
import type { FoundDefinition, PythonSurvey } from './python-survey.js';
import { surveyPython } from './python-survey.js';
import type { LineRange } from './split-lines.js';
import { LONGEST_CHUNK_LINES, splitAtStatements, trimBlank, uncovered, windowsOf } from './split-lines.js';

/** One Python file, parsed. */
export interface PythonSource {
  file: string;
  text: string;
  root: PythonNode;
}

/** What one Python file gives to the index. */
export interface PythonChunks {
  chunks: Chunk[];
  definitions: Definition[];
  imports: ImportBinding[];
}

interface Shape extends PythonSurvey {
  source: PythonSource;
  lines: string[];
}

/**
 * Chunks of a Python file (method.md section 1.1–1.2): functions and methods with decorators, class shells, runs of module-level
 * statements, and windows of 60 lines where the text does not parse. Every non-blank line is in a chunk. Never throws on odd text.
 */
export function chunkPython(source: PythonSource): PythonChunks {
  const lines = source.text.split('\n');
  const shape: Shape = { source, lines, ...surveyPython(source.root) };
  const { found, imports } = shape;
  const members = Map.groupBy(found, (item) => item.parent);
  const chunks: Chunk[] = [];
  found.forEach((item, index) => {
    const parent = found[item.parent];
    if (parent !== undefined && parent.kind !== 'class') return;
    if (item.kind === 'class') chunks.push(...classChunks(shape, item, members.get(index) ?? []));
    else chunks.push(...bodyChunks(shape, item));
  });
  const outermost = (members.get(-1) ?? []).map((item) => item.range);
  for (const range of uncovered({ startLine: 1, endLine: lines.length }, outermost)) chunks.push(...runChunks(shape, range));
  chunks.sort((left, right) => left.startLine - right.startLine || right.endLine - left.endLine);
  const definitions = found.map((item) => ({
    file: source.file,
    kind: item.kind,
    name: item.name,
    ...item.range,
    signature: joinLines(lines, item.range.startLine, item.headerEnd),
  }));
  return { chunks, definitions, imports };
}

function bodyChunks(shape: Shape, item: FoundDefinition): Chunk[] {
  return partsOf(shape, item.range).map((part, index) => {
    const text = joinLines(shape.lines, part.startLine, part.endLine);
    const header = joinLines(shape.lines, item.range.startLine, item.headerEnd);
    return makeChunk(shape, item, part, index === 0 ? text : `${header}\n    # …\n${text}`);
  });
}

function classChunks(shape: Shape, item: FoundDefinition, members: FoundDefinition[]): Chunk[] {
  const shown: LineRange[] = [];
  const taken = members.map((member) => member.range);
  for (const range of uncovered(item.range, taken)) {
    const trimmed = trimBlank(range, shape.lines);
    if (trimmed !== null) shown.push(trimmed);
  }
  for (const member of members) shown.push({ startLine: member.range.startLine, endLine: member.headerEnd });
  shown.sort((left, right) => left.startLine - right.startLine);
  const text = shown.map((range) => joinLines(shape.lines, range.startLine, range.endLine)).join('\n');
  if (text.split('\n').length <= LONGEST_CHUNK_LINES) return [makeChunk(shape, item, item.range, text)];
  const header = joinLines(shape.lines, item.range.startLine, item.headerEnd);
  const pieces = shown.flatMap((range) => partsOf(shape, range));
  return pieces.map((piece, index) => {
    const own = joinLines(shape.lines, piece.startLine, piece.endLine);
    return makeChunk(shape, item, piece, index === 0 ? own : `${header}\n    # …\n${own}`);
  });
}

function runChunks(shape: Shape, range: LineRange): Chunk[] {
  const trimmed = trimBlank(range, shape.lines);
  if (trimmed === null) return [];
  const kind: ChunkKind = overlaps(shape.errors, trimmed) ? 'window' : 'run';
  const parts = kind === 'window' ? windowsOf(trimmed) : partsOf(shape, trimmed);
  const item = { name: moduleName(shape.source.file), kind };
  return parts.map((part) => makeChunk(shape, item, part, joinLines(shape.lines, part.startLine, part.endLine)));
}

function partsOf(shape: Shape, range: LineRange): LineRange[] {
  if (range.endLine - range.startLine < LONGEST_CHUNK_LINES) return [range];
  return splitAtStatements(range, shape.cutPoints);
}

function makeChunk(shape: Shape, item: { name: string; kind: ChunkKind }, range: LineRange, text: string): Chunk {
  const quality = item.kind === 'window' ? 'unparsed' : overlaps(shape.errors, range) ? 'errors' : 'clean';
  return { file: shape.source.file, kind: item.kind, name: item.name, ...range, text, quality };
}

function overlaps(ranges: LineRange[], range: LineRange): boolean {
  return ranges.some((other) => other.startLine <= range.endLine && other.endLine >= range.startLine);
}
