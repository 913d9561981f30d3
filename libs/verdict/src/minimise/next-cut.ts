import type { Candidate, CutResult, CutStep, CutVariant } from '@reenact/domain';
import { isInside } from './apply-cuts.js';
import type { Cuts } from './script-cuts.js';

/** The whole candidate. */
export const NO_CUT: CutVariant = { removed: [], numbers: [], ranks: [] };

const ROUNDS = 3;
const FEWEST_RANKS = 2;

/**
 * The next variant to try, or the smallest that keeps the fault. The search is run anew from the start each time and answered from the
 * results so far, so that it goes on after a kill with nothing but these: hierarchical delta debugging (Misherghi & Su 2006, Zeller &
 * Hildebrandt 2002), cheapest axis first (verdict.md section 8): ranks, numbers of the command line, statements from the outside in,
 * numbers of the script.
 */
export function nextCut(candidate: Pick<Candidate, 'launch'>, cuts: Cuts, results: readonly CutResult[], maxTests: number): CutStep {
  const known = new Map(results.map(({ variant, keeps }) => [keyOf(variant), keeps]));
  const search = minimise(candidate, cuts);
  let smallest = NO_CUT;
  for (let step = search.next(); ;) {
    if (step.done) return { done: true, variant: step.value };
    const keeps = known.get(keyOf(step.value));
    if (keeps === undefined) return results.length >= maxTests ? { done: true, variant: smallest } : { done: false, variant: step.value };
    if (keeps) smallest = step.value;
    step = search.next(keeps);
  }
}

function keyOf(variant: CutVariant): string {
  return JSON.stringify([variant.removed, variant.numbers, variant.ranks]);
}

/** Yields variants, is told whether each keeps the fault, and returns the smallest. */
type Search = Generator<CutVariant, CutVariant, boolean>;

function* minimise(candidate: Pick<Candidate, 'launch'>, cuts: Cuts): Search {
  let best = yield* fewerRanks(candidate, NO_CUT);
  const launchNumbers = cuts.numbers.flatMap((cut, index) => ('step' in cut ? [index] : []));
  best = yield* smallerNumbers(cuts, launchNumbers, best);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = best.removed.length;
    for (let depth = 0; depth <= deepest(cuts); depth += 1) best = yield* fewerStatements(cuts, depth, best);
    if (best.removed.length === before) break;
  }
  const scriptNumbers = cuts.numbers.flatMap((cut, index) => ('file' in cut ? [index] : []));
  return yield* smallerNumbers(cuts, scriptNumbers, best);
}

function* fewerRanks(candidate: Pick<Candidate, 'launch'>, start: CutVariant): Search {
  let best = start;
  for (const [step, { ranks }] of candidate.launch.steps.entries()) {
    if (ranks <= FEWEST_RANKS) continue;
    const variant = { ...best, ranks: [...best.ranks, [step, FEWEST_RANKS] as [number, number]] };
    if (yield variant) best = variant;
  }
  return best;
}

/** Takes out runs of neighbouring statements of one depth: all, halves, quarters, down to single ones. */
function* fewerStatements(cuts: Cuts, depth: number, start: CutVariant): Search {
  let best = start;
  const level = alive(cuts, depth, best);
  for (let size = level.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < level.length; from += size) {
      const chunk = level.slice(from, from + size).filter((index) => !best.removed.includes(index));
      if (chunk.length === 0) continue;
      const variant = { ...best, removed: [...best.removed, ...chunk].sort((a, b) => a - b) };
      if (yield variant) best = variant;
    }
  }
  return best;
}

function alive(cuts: Cuts, depth: number, { removed }: CutVariant): number[] {
  const gone = new Set(removed);
  return cuts.statements.flatMap((cut, index) => (cut.depth === depth && !gone.has(index) && !isInside(cuts, cut, gone) ? [index] : []));
}

function deepest(cuts: Cuts): number {
  return cuts.statements.reduce((most, { depth }) => Math.max(most, depth), -1);
}

/** Tries 2, an eighth and a half in place of each number that is still there. */
function* smallerNumbers(cuts: Cuts, indexes: readonly number[], start: CutVariant): Search {
  let best = start;
  const gone = new Set(start.removed);
  for (const index of indexes) {
    const cut = cuts.numbers[index];
    if (cut === undefined) continue;
    const around = 'file' in cut ? cuts.statements[cut.statement] : undefined;
    if ('file' in cut && (gone.has(cut.statement) || (around !== undefined && isInside(cuts, around, gone)))) continue;
    for (const value of new Set([2, Math.floor(cut.value / 8), Math.floor(cut.value / 2)])) {
      if (value < 2) continue;
      const variant = { ...best, numbers: [...best.numbers, [index, value] as [number, number]] };
      if (yield variant) {
        best = variant;
        break;
      }
    }
  }
  return best;
}
