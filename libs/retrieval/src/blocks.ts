import type { ContextBlock } from '@reenact/domain';

/** Bytes of a token of code, for budgets (about four; verdict on real tokenisers differs by model). */
const BYTES_PER_TOKEN = 4;

/** Budget of each role in bytes: 12,000 tokens less report, environment facts and manifest (method.md section 1.11). */
export const BUDGET_BYTES: Record<ContextBlock['role'], number> = {
  'training-loop': 2500 * BYTES_PER_TOKEN,
  frame: 2500 * BYTES_PER_TOKEN,
  snippet: 3500 * BYTES_PER_TOKEN,
  configuration: 3500 * BYTES_PER_TOKEN,
  dependency: 1000 * BYTES_PER_TOKEN,
};
/** Chunks and configuration share one budget. */
const BUDGET_OF: Record<ContextBlock['role'], string> = {
  'training-loop': 'training-loop',
  frame: 'frame',
  snippet: 'snippet',
  configuration: 'snippet',
  dependency: 'dependency',
};
/** The manifest stays short; the rest is counted. */
const LONGEST_MANIFEST = 40;
/** The ends of a clipped block are cut at lines of this length, in characters. */
const LONGEST_LINE = 2000;

/** A context under construction: what is in, what was cut, what is left of each budget. */
export interface Selection {
  blocks: ContextBlock[];
  cut: string[];
  cutCount: number;
  lines: Set<string>;
  spent: Map<string, number>;
}

/** An empty selection. */
export function startSelection(): Selection {
  return { blocks: [], cut: [], cutCount: 0, lines: new Set(), spent: new Map() };
}

/**
 * Adds a block unless the context shows its lines already. A block over its role's budget is left out and named in the manifest,
 * or, with `clipAround` given (a line number from 1), cut to the lines around that line.
 */
export function addBlock(selection: Selection, block: ContextBlock, clipAround: number | null = null): boolean {
  const lines = blockLines(block);
  if (lines.length === 0 || lines.every((line) => selection.lines.has(line))) return false;
  const budget = BUDGET_OF[block.role];
  const room = BUDGET_BYTES[block.role] - (selection.spent.get(budget) ?? 0);
  const fitting = byteLength(block.text) <= room ? block : clipAround === null ? null : clip(block, room, clipAround);
  if (fitting === null || fitting !== block) noteCut(selection, block, fitting);
  if (fitting === null) return false;
  selection.blocks.push(fitting);
  selection.spent.set(budget, (selection.spent.get(budget) ?? 0) + byteLength(fitting.text));
  for (const line of blockLines(fitting)) selection.lines.add(line);
  return true;
}

function noteCut(selection: Selection, block: ContextBlock, kept: ContextBlock | null): void {
  selection.cutCount++;
  if (selection.cut.length >= LONGEST_MANIFEST) return;
  const place = `${block.file}:${block.startLine}-${block.endLine} ${block.name}`;
  selection.cut.push(kept === null ? place : `${place}, all but lines ${kept.startLine}-${kept.endLine}`);
}

/** The manifest of a selection: the first forty things cut, and how many more. */
export function manifestOf(selection: Selection): string[] {
  const more = selection.cutCount - selection.cut.length;
  return more > 0 ? [...selection.cut, `and ${more} more`] : selection.cut;
}

/** Non-blank lines of a block as `file: text`, by which sameness of contexts is measured. */
export function blockLines(block: ContextBlock): string[] {
  const lines = block.text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => `${block.file}: ${line}`);
}

/** Share of the smaller of two line sets that the other holds too; 0 when one is empty. */
export function overlapShare(left: Set<string>, right: Set<string>): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  if (small.size === 0) return 0;
  return [...small].filter((line) => large.has(line)).length / small.size;
}

/** UTF-8 length in bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function clip(block: ContextBlock, room: number, around: number): ContextBlock | null {
  const lines = block.text.split('\n').map((line) => line.slice(0, LONGEST_LINE));
  let first = Math.min(Math.max(around - block.startLine, 0), lines.length - 1);
  let last = first;
  let bytes = byteLength(lines[first] ?? '');
  if (bytes > room) return null;
  for (let grew = true; grew;) {
    grew = false;
    for (const side of [first - 1, last + 1]) {
      const line = lines[side];
      if (line === undefined || bytes + byteLength(line) + 1 > room) continue;
      bytes += byteLength(line) + 1;
      if (side < first) first = side;
      else last = side;
      grew = true;
    }
  }
  return { ...block, startLine: block.startLine + first, endLine: block.startLine + last, text: lines.slice(first, last + 1).join('\n') };
}
