import type { Report, Span } from '@reenact/domain';
import { findAll } from '../scan.js';

type NumberFact = Report['numbers'][number];

const NUMBER =
  /(?<![\w.])([-+−]?(?:\d{1,3}(?:[ ,]\d{3})+(?![\d])|\d{1,18})(?:\.\d{1,18})?(?:[eE][-+]?\d{1,3})?)(?: ?(%|per ?cent|[kMGT]i?B\b|bytes\b|ms\b|us\b|seconds?\b|sec\b|s\b|minutes?\b|min\b|hours?\b|h\b|epochs?\b|steps?\b|iterations?\b|batches\b|samples?\b|updates?\b|images?\b|tokens?\b|times\b|x\b|processes\b|workers?\b|ranks\b|GPUs?\b)(?!\s?[=:]))?(?![\w])/g;
/** Quantities that reports name; the last one before the number within its clause owns it. */
const NAMES =
  /\b(?:(?:(?:train(?:ing)?|val(?:idation)?|eval(?:uation)?|test|dev|total|mean|final|top-?[15])[ _-])?(?:loss(?:es)?|acc(?:uracy)?|error rate|perplexity|ppl|f1(?:[ -]score)?|auc|bleu|rouge|iou|map|mse|rmse|mae|precision|recall|score|reward|return|psnr|fid)|learning rate|lr|alpha|beta|gamma|momentum|weight decay|dropout|batch[ _-]?size|seed|epoch|step|iteration|rank|memory|rss|variance|std|norm|gradient norm|grad[_ ]norm|temperature|threshold|sequence length|hidden size|throughput|speed|port)\b/gi;
const REACH_CHARACTERS = 60;

function nameBefore(text: string, at: number): string | undefined {
  const from = Math.max(0, at - REACH_CHARACTERS);
  const window = text.slice(from, at);
  const clause = window.slice(Math.max(window.lastIndexOf('. '), window.lastIndexOf('; '), window.lastIndexOf('\n\n')) + 1);
  return findAll(NAMES, clause, 20).at(-1)?.[0].toLowerCase().replace(/\s+/g, ' ');
}

/** Value of a number as written: spaces or commas between groups of three, minus signs of any kind. */
export function numberValue(written: string): number {
  return Number(written.replace(/−/g, '-').replace(/[ ,](?=\d{3})/g, ''));
}

/** Numbers with their unit and the quantity that they belong to; parts of versions, names and addresses are left out. */
export function readNumbers(text: string, versions: readonly Span[], maxItems: number): NumberFact[] {
  const found: NumberFact[] = [];
  const taken = new Set(versions.map((span) => span.start));
  for (const match of findAll(NUMBER, text, maxItems * 2)) {
    const written = match[1] ?? '';
    const value = numberValue(written);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 2);
    // `1.13.1` and `3/12` at a version, `a-1.py`: no quantities.
    if (!Number.isFinite(value) || /^\.\d/.test(after) || taken.has(match.index)) continue;
    const entry: NumberFact = { span: { start: match.index, end: match.index + match[0].length }, text: match[0], value };
    if (match[2] !== undefined) entry.unit = match[2];
    const name = nameBefore(text, match.index);
    if (name !== undefined) entry.name = name;
    found.push(entry);
  }
  return found.slice(0, maxItems);
}
