import type { PythonNode } from './python-syntax.js';
import { firstLine, lastLine, visitPython } from './visit-python.js';

/** A loop with what it needs: some lines of its function, the others left out. */
export interface LoopSlice {
  startLine: number;
  endLine: number;
  text: string;
}

/** Longer loops are sliced inside as well, in characters: a slice must leave room for its helpers in a context of 2,500 tokens. */
const LONGEST_SLICE = 8_000;
const LEFT_OUT = '# …';
/** Stands for a block whose statements are all left out, so that the slice stays Python. */
const EMPTY_BLOCK = `...  ${LEFT_OUT}`;

/** Lines of a slice under construction. */
interface Choice {
  lines: Set<number>;
  /** Column of each compound statement or clause by the last line of its header. */
  headers: Map<number, number>;
}

/**
 * Minimal slice of a loop (method.md section 1.8): the header of its function, the assignments before it that define the names
 * which it reads (followed backward, in this function or module only), headers of the blocks around it, and the loop itself. Of a loop
 * of more than 8,000 characters, the statements at `hitLines` (its last one where there are none), the assignments in the loop that
 * they need, and the headers around them. The text is Python, but for its indentation.
 */
export function sliceLoop(anchor: PythonNode, scope: PythonNode | null, from: { lines: string[]; hitLines: number[] }): LoopSlice {
  const choice: Choice = { lines: new Set(), headers: new Map() };
  if (scope !== null && scope.id !== anchor.id) addHeader(choice, scope);
  addHeadersAround(choice, anchor, scope);
  const needed = new Set<string>();
  const isLong = lengthOf(anchor, from.lines) > LONGEST_SLICE;
  if (isLong) addInside(choice, anchor, { ...from, needed });
  else {
    addLines(choice, firstLine(anchor), lastLine(anchor));
    for (const name of readNames(anchor)) needed.add(name);
  }
  addNeeded(choice, assignmentsIn(scope?.childForFieldName('body') ?? rootOf(anchor), anchor.startIndex), {
    needed,
    room: isLong ? roomLeft(choice, from.lines) : Infinity,
    lines: from.lines,
  });
  return render(choice, from.lines);
}

/** Chooses the hit statements of a long loop, and what they need, nearest first, until the room is used. */
function addInside(
  choice: Choice,
  anchor: PythonNode,
  { lines, hitLines, needed }: { lines: string[]; hitLines: number[]; needed: Set<string> },
): void {
  addHeader(choice, anchor);
  const statements = statementsIn(anchor, isSimple);
  const hits = statements.filter(({ node }) => hitLines.some((line) => firstLine(node) <= line && lastLine(node) >= line));
  for (const item of hits.length > 0 ? hits : statements.slice(-1)) {
    if (lengthOf(item.node, lines) > roomLeft(choice, lines)) continue;
    addStatement(choice, item);
    for (const name of readNames(item.node)) needed.add(name);
  }
  const body = anchor.childForFieldName('body');
  if (body === null) return;
  addNeeded(choice, assignmentsIn(body, Infinity), { needed, room: roomLeft(choice, lines) / 2, lines });
}

function roomLeft(choice: Choice, lines: string[]): number {
  let used = 0;
  for (const line of choice.lines) used += (lines[line - 1]?.length ?? 0) + 1;
  return LONGEST_SLICE - used;
}

/** Adds the assignments, the last one first, that define a needed name; what they read is needed in turn. */
function addNeeded(
  choice: Choice,
  assignments: Placed[],
  { needed, room, lines }: { needed: Set<string>; room: number; lines: string[] },
): void {
  let left = room;
  for (const assignment of assignments) {
    const target = assignment.node.childForFieldName('left');
    if (target === null || ![...readNames(target)].some((name) => needed.has(name))) continue;
    left -= lengthOf(assignment.node, lines);
    if (left < 0) return;
    addStatement(choice, assignment);
    const right = assignment.node.childForFieldName('right');
    if (right !== null) for (const name of readNames(right)) needed.add(name);
  }
}

function addStatement(choice: Choice, { node, blocks }: Placed): void {
  addLines(choice, firstLine(node), lastLine(node));
  for (const block of blocks) addBlockHeader(choice, block);
}

function lengthOf(node: PythonNode, lines: string[]): number {
  return lines.slice(firstLine(node) - 1, lastLine(node)).join('\n').length;
}

function render({ lines: chosen, headers }: Choice, lines: string[]): LoopSlice {
  const order = [...chosen].sort((left, right) => left - right);
  const shown: string[] = [];
  const closeBlock = (header: number | undefined, indent: number): boolean => {
    const column = header === undefined ? undefined : headers.get(header);
    if (column === undefined || indent > column) return false;
    shown.push(`${' '.repeat(column + 4)}${EMPTY_BLOCK}`);
    return true;
  };
  order.forEach((line, index) => {
    const text = lines[line - 1] ?? '';
    const indent = /^\s*/.exec(text)?.[0] ?? '';
    const before = order[index - 1];
    const isGap = before !== undefined && line > before + 1;
    if (isGap && !closeBlock(before, indent.length)) shown.push(`${indent}${LEFT_OUT}`);
    shown.push(text);
  });
  const last = order.at(-1);
  closeBlock(last, 0);
  return { startLine: order[0] ?? 1, endLine: last ?? 1, text: shown.join('\n') };
}

function addLines(choice: Choice, startLine: number, endLine: number): void {
  for (let line = startLine; line <= endLine; line++) choice.lines.add(line);
}

/** Adds the lines from a compound statement or clause to its body. */
function addHeader(choice: Choice, compound: PythonNode): void {
  const body = blockOf(compound);
  const start = firstLine(compound);
  const end = body === null ? start : Math.max(start, firstLine(body) - 1);
  addLines(choice, start, end);
  if (body !== null && firstLine(body) > end) choice.headers.set(end, compound.startPosition.column);
}

function blockOf(compound: PythonNode): PythonNode | null {
  return compound.namedChildren.find((child) => child?.type === 'block') ?? null;
}

const CLAUSE_OF_TRY = new Set(['except_clause', 'except_group_clause', 'finally_clause']);

/** True for what holds a block: its children in a tree of the parser are few, the block's own are many. */
function isCompound(node: PythonNode): boolean {
  return /_(?:statement|clause)$/.test(node.type) && blockOf(node) !== null;
}

/** Adds the headers of the blocks between the loop and what is around it. */
function addHeadersAround(choice: Choice, inner: PythonNode, around: PythonNode | null): void {
  for (let node = inner.parent; node !== null && node.id !== around?.id; node = node.parent)
    if (isCompound(node)) addBlockHeader(choice, node);
}

/** The header of a block; a `try` with the header of one of its clauses. */
function addBlockHeader(choice: Choice, block: PythonNode): void {
  addHeader(choice, block);
  if (block.type !== 'try_statement') return;
  const clause = block.namedChildren.find((child) => child !== null && CLAUSE_OF_TRY.has(child.type));
  if (clause) addHeader(choice, clause);
}

/** A statement, and the compound statements and clauses between it and the node that was searched, outermost first. */
interface Placed {
  node: PythonNode;
  blocks: PythonNode[];
}

/** Statements of a node for which `isWanted` holds, in source order; those of inner definitions are left out. */
function statementsIn(root: PythonNode, isWanted: (node: PythonNode, parent: PythonNode | null) => boolean): Placed[] {
  const found: Placed[] = [];
  const open: PythonNode[] = [];
  visitPython(root, {
    enter(node, parent) {
      if (node.id !== root.id && /^(?:function|class)_definition$/.test(node.type)) return false;
      if (isWanted(node, parent)) found.push({ node, blocks: [...open] });
      if (node.id !== root.id && isCompound(node)) open.push(node);
      return true;
    },
    leave(node) {
      if (open.at(-1)?.id === node.id) open.pop();
    },
  });
  return found;
}

function isSimple(node: PythonNode, parent: PythonNode | null): boolean {
  return parent?.type === 'block' && node.type !== 'comment' && !isCompound(node);
}

/** Assignments in a node that begin before a place, the last first. */
function assignmentsIn(root: PythonNode, before: number): Placed[] {
  const isWanted = (node: PythonNode): boolean => /^(?:augmented_)?assignment$/.test(node.type) && node.startIndex < before;
  return statementsIn(root, isWanted).reverse();
}

function rootOf(node: PythonNode): PythonNode {
  let root = node;
  while (root.parent !== null) root = root.parent;
  return root;
}

/** Names in a piece of code; of an attribute chain only its first name. */
function readNames(node: PythonNode): Set<string> {
  const names = new Set<string>();
  visitPython(node, {
    enter(inner, parent) {
      if (inner.type !== 'identifier') return;
      const isAttribute = parent?.type === 'attribute' && parent.childForFieldName('attribute')?.id === inner.id;
      if (!isAttribute) names.add(inner.text);
    },
  });
  return names;
}
