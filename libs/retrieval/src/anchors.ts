import type { CodeIndex, TrainingLoop } from '@reenact/code-index';
import { compareText, folderOf } from '@reenact/code-index';
import { lookupsOf } from './code-lookups.js';
import type { Hit, Ranking } from './rank-tree.js';

/** What one context is built around: a file with a training loop, or a module without one. */
export interface Anchor {
  /** Folder relative to the tree; empty for the root. */
  module: string;
  /** The anchor's files: one training file, or the module's files that hold a hit. */
  files: string[];
  loops: TrainingLoop[];
  score: number;
}

/** Chunks that decide which modules without a training loop matter (method.md section 1.5: the top 20). */
const DECIDING_HITS = 20;
/** Anchors below are noise beside the best one, which scores 0.5 to 1; taken only when there is no other. */
const LOWEST_SCORE = 0.1;

/**
 * Anchors, best first. The score mixes the best chunk's strength with the reciprocal rank of the first hit (method.md section
 * 1.9–1.10); a module of a training file is reached by its imports too, so a loop that imports the best hit takes half its score.
 */
export function rankAnchors(code: CodeIndex, ranking: Ranking): Anchor[] {
  const scores = scoreFiles(code, ranking.hits);
  const deciding = new Set(ranking.hits.slice(0, DECIDING_HITS).flatMap((hit) => code.chunks[hit.chunk]?.file ?? []));
  for (const known of ranking.frames) deciding.add(known.file);
  const loops = Map.groupBy(code.loops, (loop) => loop.file);
  const anchors = [...loops].map(([file, own]) => ({
    module: folderOf(file),
    files: [file],
    loops: sortLoops(own),
    score: trainingScore(code, scores, file),
  }));
  const covered = new Set(anchors.map((anchor) => anchor.module));
  const byModule = Map.groupBy([...deciding].sort(compareText), folderOf);
  for (const [module, files] of byModule) {
    if (covered.has(module)) continue;
    anchors.push({ module, files, loops: [], score: Math.max(...files.map((file) => scores.get(file) ?? 0)) });
  }
  anchors.sort((left, right) => right.score - left.score || compareText(left.files[0] ?? '', right.files[0] ?? ''));
  return anchors.filter((anchor, place) => place === 0 || anchor.score >= LOWEST_SCORE);
}

/** Score of each file that holds a hit, by its first one: half the chunk's strength, half the reciprocal of its rank. */
export function scoreFiles(code: CodeIndex, hits: Hit[]): Map<string, number> {
  const scores = new Map<string, number>();
  hits.forEach((hit, place) => {
    const file = code.chunks[hit.chunk]?.file;
    if (file !== undefined && !scores.has(file)) scores.set(file, 0.5 * hit.strength + 0.5 / (place + 1));
  });
  return scores;
}

function trainingScore(code: CodeIndex, scores: Map<string, number>, file: string): number {
  const near = (code.imports.get(file) ?? []).flatMap((item) => (item.file === null ? [] : [scores.get(item.file) ?? 0]));
  return Math.max(scores.get(file) ?? 0, 0.5 * Math.max(0, ...near));
}

function sortLoops(loops: TrainingLoop[]): TrainingLoop[] {
  return [...loops].sort((left, right) => right.rules.length - left.rules.length || left.startLine - right.startLine);
}

/** Files of a module's partition (method.md section 1.6–1.7: a cap, by score). */
const MOST_FILES_IN_REACH = 200;

/**
 * Files in an anchor's reach: those of its module (the folder, which is a package or a folder of scripts; not the folders below, so a
 * file in the root never stands for the whole repository) and their import neighbours in both directions, the anchor's own files
 * first, then by the score of their best chunk, at most 200.
 */
export function filesInReach(code: CodeIndex, anchor: Anchor, scores: Map<string, number>): Set<string> {
  const { importers } = lookupsOf(code);
  const own = [...code.texts.keys()].filter((file) => folderOf(file) === anchor.module);
  const reach = new Set([...own, ...anchor.files]);
  for (const file of anchor.loops.length > 0 ? anchor.files : own) {
    for (const { file: target } of code.imports.get(file) ?? []) if (target !== null) reach.add(target);
    for (const user of importers.get(file) ?? []) reach.add(user);
  }
  if (reach.size <= MOST_FILES_IN_REACH) return reach;
  const place = (file: string): number => (anchor.files.includes(file) ? 2 : (scores.get(file) ?? 0));
  const sorted = [...reach].sort((left, right) => place(right) - place(left) || compareText(left, right));
  return new Set(sorted.slice(0, MOST_FILES_IN_REACH));
}
