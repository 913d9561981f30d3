import type { Chunk, CodeIndex, TrainingLoop } from '@reenact/code-index';
import type { Context, ContextBlock } from '@reenact/domain';
import type { Anchor } from './anchors.js';
import { filesInReach, rankAnchors, scoreFiles } from './anchors.js';
import type { Selection } from './blocks.js';
import { addBlock, BUDGET_BYTES, byteLength, manifestOf, overlapShare, startSelection } from './blocks.js';
import { lookupsOf } from './code-lookups.js';
import { dependencyBlocks } from './dependencies.js';
import type { KnownFrame } from './frame-definitions.js';
import type { Installed } from './installed-signatures.js';
import { openInstalled } from './installed-signatures.js';
import type { Ranking } from './rank-tree.js';

/** Limits of method.md section 1.11. */
const MOST_CONTEXTS = 5;
const LARGEST_OVERLAP = 0.6;
/** Anchors tried and hits looked at, so that a big tree with one theme does not cost a scan of everything per anchor. */
const MOST_ANCHORS = 50;
const MOST_SNIPPETS = 200;

const CONFIGURATION_KINDS = new Set<Chunk['kind']>(['configuration', 'launcher', 'readme', 'requirements']);

/** Settings of what is shown. */
export interface AssemblyOptions {
  /** Share of the smaller context's lines that two contexts may have in common, 0 to 1; 0.6 when not given, 1 for no matter what. */
  largestOverlap?: number;
  /** Folders of installed packages whose signatures are shown; none when not given. */
  installed?: string[];
}

/** At most five contexts, best first, each within its budgets, no two with more than 60 % of the smaller one's lines in common. */
export async function assembleContexts(
  code: CodeIndex,
  ranking: Ranking,
  { largestOverlap = LARGEST_OVERLAP, installed = [] }: AssemblyOptions = {},
): Promise<Context[]> {
  const contexts: Context[] = [];
  const kept: Selection[] = [];
  const found = { code, ranking, scores: scoreFiles(code, ranking.hits), installed: openInstalled(installed) };
  for (const anchor of rankAnchors(code, ranking).slice(0, MOST_ANCHORS)) {
    if (contexts.length >= MOST_CONTEXTS) break;
    const selection = await select(found, anchor, kept.length === 0);
    const isNew = kept.every((other) => overlapShare(other.lines, selection.lines) <= largestOverlap);
    if (selection.blocks.length === 0 || !isNew) continue;
    kept.push(selection);
    contexts.push(makeContext(contexts.length + 1, anchor, selection));
  }
  return contexts;
}

function makeContext(rank: number, anchor: Anchor, selection: Selection): Context {
  const bytes = selection.blocks.reduce((sum, block) => sum + byteLength(block.text), 0);
  return {
    schemaVersion: 1,
    rank,
    module: anchor.module,
    score: rounded(anchor.score),
    blocks: selection.blocks,
    cut: manifestOf(selection),
    bytes,
  };
}

interface Found {
  code: CodeIndex;
  ranking: Ranking;
  scores: Map<string, number>;
  installed: Installed;
}

/** The first context may take chunks from anywhere; the others stay in reach of their anchor, which keeps them diverse. */
async function select({ code, ranking, scores, installed }: Found, anchor: Anchor, isFirst: boolean): Promise<Selection> {
  const selection = startSelection();
  const reach = filesInReach(code, anchor, scores);
  for (const known of ranking.frames) {
    if (isFirst || reach.has(known.file)) addFrame(code, selection, known);
  }
  for (const loop of anchor.loops) addLoop(selection, loop);
  let taken = 0;
  for (const hit of ranking.hits) {
    const chunk = code.chunks[hit.chunk];
    if (chunk === undefined || !(isFirst || reach.has(chunk.file))) continue;
    if (++taken > MOST_SNIPPETS) break;
    addBlock(selection, chunkBlock(chunk, hit.score));
  }
  for (const block of await dependencyBlocks(code, selection.blocks, installed)) addBlock(selection, block);
  return selection;
}

function chunkBlock(chunk: Chunk, score: number): ContextBlock {
  const { file, startLine, endLine, name, text } = chunk;
  const role = CONFIGURATION_KINDS.has(chunk.kind) ? 'configuration' : 'snippet';
  return { role, file, startLine, endLine, name, text, score: rounded(score) };
}

/** The whole function where it fits, else the slice of its loop; then the functions that hold the step. */
function addLoop(selection: Selection, loop: TrainingLoop): void {
  const { file, name, startLine, endLine, text } = loop;
  const base = { role: 'training-loop' as const, file, name, score: 0 };
  const spent = selection.spent.get('training-loop') ?? 0;
  const whole = loop.function !== null && byteLength(loop.function.text) <= BUDGET_BYTES['training-loop'] - spent ? loop.function : null;
  if (whole !== null) addBlock(selection, { ...base, startLine: whole.startLine, endLine: whole.endLine, text: whole.text });
  else addBlock(selection, { ...base, startLine, endLine, text }, startLine);
  for (const helper of loop.helpers) {
    addBlock(selection, { ...base, ...helper });
  }
}

function addFrame(code: CodeIndex, selection: Selection, known: KnownFrame): void {
  const lines = (code.texts.get(known.file) ?? '').split('\n');
  const line = known.frame.line;
  const base = { role: 'frame' as const, file: known.file, score: 1 };
  if (known.definition !== null) {
    const { startLine, endLine, name } = known.definition;
    const text = lines.slice(startLine - 1, endLine).join('\n');
    addBlock(
      selection,
      { ...base, startLine, endLine, name, text },
      line !== undefined && line >= startLine && line <= endLine ? line : startLine,
    );
    return;
  }
  if (line === undefined) return;
  const chunks = lookupsOf(code).chunks.get(known.file) ?? [];
  const chunk = chunks.find((item) => item.startLine <= line && item.endLine >= line && item.kind !== 'class');
  if (chunk !== undefined) addBlock(selection, { ...chunkBlock(chunk, 1), role: 'frame' }, line);
}

function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
