import type { Candidate, CutSize, CutVariant } from '@reenact/domain';
import type { Cuts, StatementCut } from './script-cuts.js';

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The candidate that a variant stands for. Pure: equal variants give equal bytes. */
export function applyCuts(candidate: Candidate, cuts: Cuts, variant: CutVariant): Candidate {
  const edits = new Map<string, Edit[]>();
  const add = (file: string, edit: Edit) => edits.set(file, [...(edits.get(file) ?? []), edit]);
  const textOf = new Map(candidate.files.map(({ path, text }) => [path, text]));
  const removed = new Set(variant.removed);
  for (const index of removed) {
    const cut = cuts.statements[index];
    if (cut === undefined || isInside(cuts, cut, removed)) continue;
    add(cut.file, removal(textOf.get(cut.file) ?? '', cut, emptiesBlock(cuts, index, removed)));
  }
  for (const [index, value] of variant.numbers) {
    const cut = cuts.numbers[index];
    if (cut === undefined || !('file' in cut)) continue;
    const around = cuts.statements[cut.statement];
    if (removed.has(cut.statement) || (around !== undefined && isInside(cuts, around, removed))) continue;
    add(cut.file, { start: cut.start, end: cut.end, text: String(value) });
  }
  return {
    ...candidate,
    files: candidate.files.map(({ path, text }) => ({ path, text: edited(text, edits.get(path) ?? []) })),
    launch: { ...candidate.launch, steps: cutSteps(candidate, cuts, variant) },
  };
}

/** Lines that hold anything, over all files. */
export function sizeOf(candidate: Pick<Candidate, 'files'>): CutSize {
  const lines = candidate.files.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '');
  return { lines: lines.length };
}

/** Whether a statement stands inside one that is removed. */
export function isInside(cuts: Cuts, cut: StatementCut, removed: ReadonlySet<number>): boolean {
  for (let parent = cut.parent; parent !== null; parent = cuts.statements[parent]?.parent ?? null) if (removed.has(parent)) return true;
  return false;
}

/** The first statement of a block that loses all of them leaves a `pass` behind. */
function emptiesBlock(cuts: Cuts, index: number, removed: ReadonlySet<number>): boolean {
  const own = cuts.statements[index];
  if (own === undefined || own.parent === null) return false;
  const siblings = cuts.statements.flatMap((cut, at) => (cut.file === own.file && cut.block === own.block ? [at] : []));
  return siblings[0] === index && siblings.every((at) => removed.has(at));
}

/** Takes whole lines where the statement has them for itself, with the blank ones before it. */
function removal(text: string, cut: StatementCut, leavesPass: boolean): Edit {
  if (leavesPass) return { start: cut.start, end: cut.end, text: 'pass' };
  const lineStart = text.lastIndexOf('\n', cut.start - 1) + 1;
  const lineEnd = text.indexOf('\n', cut.end);
  const after = text.slice(cut.end, lineEnd === -1 ? text.length : lineEnd);
  const ownsLines = text.slice(lineStart, cut.start).trim() === '' && /^\s*(#.*)?$/.test(after);
  if (!ownsLines) return { start: cut.start, end: cut.end, text: '' };
  const blankBefore = /(?:^|(?<=\n))(?:[ \t]*\n)+$/.exec(text.slice(0, lineStart));
  return { start: blankBefore?.index ?? lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1, text: '' };
}

/** A comment behind a statement that is gone is gone with its line; the edit of its own then has nothing left to do. */
function edited(text: string, edits: Edit[]): string {
  let result = '';
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < done) continue;
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  result += text.slice(done);
  // what followed the first statements would otherwise begin with their blank lines
  return edits.length === 0 ? result : result.replace(/^(?:[ \t]*\n)+/, '');
}

function cutSteps(candidate: Candidate, cuts: Cuts, variant: CutVariant): Candidate['launch']['steps'] {
  return candidate.launch.steps.map((step, index) => {
    const ranks = variant.ranks.find(([at]) => at === index)?.[1] ?? step.ranks;
    const argv = step.argv.map((word, at) => {
      for (const [number, value] of variant.numbers) {
        const cut = cuts.numbers[number];
        if (cut !== undefined && 'step' in cut && cut.step === index && cut.word === at)
          return word.slice(0, cut.start) + String(value) + word.slice(cut.end);
      }
      return word;
    });
    return { ...step, argv, ranks };
  });
}
