import { type PatternNode, UnusablePattern } from './pattern-syntax.js';

/** Instructions of a Pike machine; numbers are indexes of instructions, the first branch is preferred. */
export type Instruction =
  | { op: 'char'; text: string }
  /** `ascii` holds the answer for every character below 128, so that the expression is asked for the others only. */
  | { op: 'one'; test: RegExp; ascii: Uint8Array }
  | { op: 'assert'; test: RegExp }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  /** 2 and 3 are start and end of the first group; 0 and 1 are those of the match. */
  | { op: 'save'; slot: number }
  | { op: 'match' };

const ASCII = 128;

function asciiAnswers(test: RegExp): Uint8Array {
  return Uint8Array.from({ length: ASCII }, (_unused, code) => {
    test.lastIndex = 0;
    return test.test(String.fromCharCode(code)) ? 1 : 0;
  });
}

const PROGRAM_LIMIT = 3_000;

function emit(program: Instruction[], instruction: Instruction): number {
  if (program.length >= PROGRAM_LIMIT) throw new UnusablePattern('its repetitions make it too big');
  program.push(instruction);
  return program.length - 1;
}

function emitChoice(program: Instruction[], branches: readonly PatternNode[], foldCase: boolean): void {
  const ends: number[] = [];
  branches.forEach((branch, index) => {
    if (index === branches.length - 1) {
      emitNode(program, branch, foldCase);
      return;
    }
    const split = emit(program, { op: 'split', first: program.length + 1, second: 0 });
    emitNode(program, branch, foldCase);
    ends.push(emit(program, { op: 'jump', to: 0 }));
    program[split] = { op: 'split', first: split + 1, second: program.length };
  });
  for (const end of ends) program[end] = { op: 'jump', to: program.length };
}

function emitSplit(program: Instruction[], greedy: boolean): (skipTo: number) => void {
  const split = emit(program, { op: 'split', first: 0, second: 0 });
  return (skipTo) => {
    program[split] = greedy ? { op: 'split', first: split + 1, second: skipTo } : { op: 'split', first: skipTo, second: split + 1 };
  };
}

function emitRepeat(program: Instruction[], node: Extract<PatternNode, { type: 'repeat' }>, foldCase: boolean): void {
  for (let count = 0; count < node.least; count += 1) emitNode(program, node.item, foldCase);
  if (node.most === Infinity) {
    const start = program.length;
    const close = emitSplit(program, node.greedy);
    emitNode(program, node.item, foldCase);
    emit(program, { op: 'jump', to: start });
    close(program.length);
    return;
  }
  const closers: ((skipTo: number) => void)[] = [];
  for (let count = node.least; count < node.most; count += 1) {
    closers.push(emitSplit(program, node.greedy));
    emitNode(program, node.item, foldCase);
  }
  for (const close of closers) close(program.length);
}

function emitNode(program: Instruction[], node: PatternNode, foldCase: boolean): void {
  switch (node.type) {
    case 'literal':
      emit(program, { op: 'char', text: foldCase ? node.text.toLowerCase() : node.text });
      return;
    case 'one':
      emit(program, { op: 'one', test: node.test, ascii: asciiAnswers(node.test) });
      return;
    case 'assert':
      emit(program, { op: 'assert', test: node.test });
      return;
    case 'sequence':
      for (const item of node.items) emitNode(program, item, foldCase);
      return;
    case 'choice':
      emitChoice(program, node.branches, foldCase);
      return;
    case 'repeat':
      emitRepeat(program, node, foldCase);
      return;
    case 'capture':
      emit(program, { op: 'save', slot: 2 });
      emitNode(program, node.item, foldCase);
      emit(program, { op: 'save', slot: 3 });
  }
}

/** Turns a tree into a program. @throws UnusablePattern where it grows beyond 3000 instructions */
export function compileProgram(node: PatternNode, foldCase: boolean): Instruction[] {
  const program: Instruction[] = [];
  emit(program, { op: 'save', slot: 0 });
  emitNode(program, node, foldCase);
  emit(program, { op: 'save', slot: 1 });
  emit(program, { op: 'match' });
  return program;
}

/** The longest text that every match must hold, in lower case where case is folded; empty where nothing is certain. */
export function requiredText(node: PatternNode, foldCase: boolean): string {
  const items = node.type === 'sequence' ? node.items : [node];
  let longest = '';
  let current = '';
  for (const item of items) {
    current = item.type === 'literal' ? current + item.text : '';
    if (current.length > longest.length) longest = current;
  }
  return foldCase ? longest.toLowerCase() : longest;
}

/**
 * Instructions that read the first character of every match, or null where a match may be empty or begins with an
 * assertion: then it may begin anywhere.
 */
export function firstReaders(program: readonly Instruction[]): Instruction[] | null {
  const readers: Instruction[] = [];
  const open = [0];
  const seen = new Set<number>();
  while (open.length > 0) {
    const at = open.pop() ?? 0;
    if (seen.has(at)) continue;
    seen.add(at);
    const instruction = program[at];
    if (!instruction || instruction.op === 'match' || instruction.op === 'assert') return null;
    if (instruction.op === 'jump') open.push(instruction.to);
    else if (instruction.op === 'split') open.push(instruction.first, instruction.second);
    else if (instruction.op === 'save') open.push(at + 1);
    else readers.push(instruction);
  }
  return readers;
}
