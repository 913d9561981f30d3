import type { PythonNode, PythonSyntax } from '@reenact/code-index';
import type { Candidate } from '@reenact/domain';

/** A statement, or a comment that stands like one, that may be taken out. Offsets are UTF-16 code units. */
export interface StatementCut {
  file: string;
  start: number;
  end: number;
  /** 0 = at the top of its file. */
  depth: number;
  /** Index of the statement around it. */
  parent: number | null;
  /** Statements of one block have one number. */
  block: number;
}

/** A whole number that may be made smaller. */
export type NumberCut = { value: number; start: number; end: number } & (
  { file: string; statement: number } | { step: number; word: number }
);

/** Everything about a candidate that may be cut, in a fixed order. */
export interface Cuts {
  statements: StatementCut[];
  numbers: NumberCut[];
}

/** Smaller numbers are no cost: sizes, steps and epochs are what is worth cutting. */
const SMALLEST_NUMBER = 8;
const COUNT = /\d+/g;

/** Lists what may be cut: the numbers of the command lines first, then statements and numbers of the Python files. */
export function listCuts(python: PythonSyntax, candidate: Pick<Candidate, 'files' | 'launch'>): Cuts {
  const cuts: Cuts = { statements: [], numbers: [] };
  for (const [step, { argv }] of candidate.launch.steps.entries()) {
    for (const [word, text] of argv.entries()) if (/^(?:--?[A-Za-z][\w-]*=)?\d+$/.test(text)) addNumbers(cuts, text, { step, word });
  }
  for (const { path, text } of candidate.files) {
    if (!path.endsWith('.py')) continue;
    const tree = python.parse(text);
    try {
      collect(cuts, tree.rootNode, { file: path, depth: 0, parent: null });
    } finally {
      tree.delete();
    }
  }
  return cuts;
}

function addNumbers(cuts: Cuts, text: string, place: { step: number; word: number }): void {
  for (const match of text.matchAll(COUNT)) {
    const value = Number(match[0]);
    if (value >= SMALLEST_NUMBER) cuts.numbers.push({ ...place, value, start: match.index, end: match.index + match[0].length });
  }
}

interface Around {
  file: string;
  depth: number;
  parent: number | null;
}

/** Children of a module or block are statements; everything else is walked through. */
function collect(cuts: Cuts, node: PythonNode, around: Around): void {
  const isBlock = node.type === 'module' || node.type === 'block';
  for (let index = 0; index < node.namedChildCount; index += 1) {
    const child = node.namedChild(index);
    if (child === null) continue;
    if (isBlock) {
      const own = cuts.statements.length;
      cuts.statements.push({ ...around, start: child.startIndex, end: child.endIndex, block: node.id });
      collect(cuts, child, { file: around.file, depth: around.depth + 1, parent: own });
    } else {
      if (child.type === 'integer' && around.parent !== null) addInteger(cuts, child, around.file, around.parent);
      collect(cuts, child, around);
    }
  }
}

function addInteger(cuts: Cuts, node: PythonNode, file: string, statement: number): void {
  if (!/^\d+$/.test(node.text)) return;
  const value = Number(node.text);
  if (value >= SMALLEST_NUMBER && Number.isSafeInteger(value))
    cuts.numbers.push({ file, statement, value, start: node.startIndex, end: node.endIndex });
}
