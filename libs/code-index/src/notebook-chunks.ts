import type { Chunk } from './chunk.js';

/**
 * One chunk per code cell of a Jupyter notebook; empty when the file is not a notebook. Lines count through the code cells in
 * order, one after the other, since a notebook has no lines of its own.
 */
export function chunkNotebook(file: string, text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let line = 1;
  codeCells(text).forEach((source, index) => {
    const endLine = line + source.split('\n').length - 1;
    if (source.trim() !== '') {
      chunks.push({ file, kind: 'cell', name: `cell ${index + 1}`, startLine: line, endLine, text: source, quality: 'unparsed' });
    }
    line = endLine + 1;
  });
  return chunks;
}

function codeCells(text: string): string[] {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text);
  } catch {
    return [];
  }
  const cells = fieldOf(notebook, 'cells');
  if (!Array.isArray(cells)) return [];
  return cells.filter((cell) => fieldOf(cell, 'cell_type') === 'code').map((cell) => sourceText(fieldOf(cell, 'source')));
}

function sourceText(source: unknown): string {
  const text = Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : source;
  return typeof text === 'string' ? text.replace(/\r\n?/g, '\n').replace(/\n$/, '') : '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
