import { fencedBlocks } from './fenced-blocks.js';
import { stripReasoning } from './strip-reasoning.js';

const MAX_REGIONS = 200;

/**
 * The JSON object (or array) of a model's answer: the whole text, a fenced block, or a balanced region in prose, in this
 * order; reasoning blocks are taken out first. `accepts` picks among several values; without it the first object wins.
 * Returns undefined where nothing parses, also for a truncated answer.
 */
export function extractJson(answer: string, accepts: (value: unknown) => boolean = isContainer): unknown {
  for (const text of new Set([answer.trim(), stripReasoning(answer)])) {
    const whole = parse(text);
    if (whole !== undefined && accepts(whole)) return whole;
    for (const candidate of [...fencedBlocks(text).map((block) => block.text), ...balancedRegions(text)]) {
      const value = parse(candidate);
      if (value !== undefined && accepts(value)) return value;
    }
  }
  return undefined;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}

/** Top-level `{…}` and `[…]` regions, string-aware, in the order of the text. An opening bracket that never closes is skipped. */
function balancedRegions(text: string): string[] {
  const regions: string[] = [];
  const closes = closingIndices(text);
  for (let at = 0; at < text.length && regions.length < MAX_REGIONS; at += 1) {
    const char = text[at];
    const end = char === '{' || char === '[' ? closes.get(at) : undefined;
    if (end === undefined) continue;
    regions.push(text.slice(at, end + 1));
    // Whatever is inside this region belongs to it; a wrong outer one, such as `[note] {…}`, ends before the next.
    at = end;
  }
  return regions;
}

/** Index of the closing bracket for each opening one that has one, in one pass; strings inside brackets are skipped. */
function closingIndices(text: string): Map<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"' || char === '\n') inString = false;
    } else if (char === '"' && open.length > 0) inString = true;
    else if (char === '{' || char === '[') open.push(at);
    else if (char === '}' || char === ']') closeMatching(text, at, open, closes);
  }
  return closes;
}

function closeMatching(text: string, at: number, open: number[], closes: Map<number, number>): void {
  const wanted = text[at] === '}' ? '{' : '[';
  const last = open.at(-1);
  if (last === undefined || text[last] !== wanted) return;
  open.pop();
  closes.set(last, at);
}
