import type { PythonNode } from './python-syntax.js';
import { firstLine, lastLine, visitPython } from './visit-python.js';

/** A loop with what it needs: some lines of its function, the others left out. */
export interface LoopSlice {
  startLine: number;
  endLine: number;
  text: string;
}

const LEFT_OUT = '# …';

/**
 * Minimal slice of a loop (method.md section 1.8): the header of its function, the assignments before it that define the names
 * which it reads (followed backward, in this function or module only), headers of the blocks around it, and the loop itself.
 */
export function sliceLoop(anchor: PythonNode, scope: PythonNode | null, lines: string[]): LoopSlice {
  const chosen = new Set<number>();
  if (scope !== null && scope.id !== anchor.id) addLines(chosen, firstLine(scope), headerLine(scope));
  addHeadersAround(chosen, anchor, scope);
  addLines(chosen, firstLine(anchor), lastLine(anchor));
  const needed = readNames(anchor);
  for (const assignment of assignmentsBefore(anchor, scope)) {
    const left = assignment.childForFieldName('left');
    if (left === null || ![...readNames(left)].some((name) => needed.has(name))) continue;
    addLines(chosen, firstLine(assignment), lastLine(assignment));
    const right = assignment.childForFieldName('right');
    if (right !== null) for (const name of readNames(right)) needed.add(name);
  }
  return render(
    [...chosen].sort((left, right) => left - right),
    lines,
  );
}

function render(chosen: number[], lines: string[]): LoopSlice {
  const shown: string[] = [];
  chosen.forEach((line, index) => {
    const text = lines[line - 1] ?? '';
    const before = chosen[index - 1];
    if (before !== undefined && line > before + 1) shown.push(`${/^\s*/.exec(text)?.[0] ?? ''}${LEFT_OUT}`);
    shown.push(text);
  });
  return { startLine: chosen[0] ?? 1, endLine: chosen.at(-1) ?? 1, text: shown.join('\n') };
}

function addLines(chosen: Set<number>, startLine: number, endLine: number): void {
  for (let line = startLine; line <= endLine; line++) chosen.add(line);
}

function headerLine(compound: PythonNode): number {
  const body = compound.childForFieldName('body');
  return body === null ? firstLine(compound) : Math.max(firstLine(compound), firstLine(body) - 1);
}

function addHeadersAround(chosen: Set<number>, anchor: PythonNode, scope: PythonNode | null): void {
  for (let node = anchor.parent; node !== null && node.id !== scope?.id; node = node.parent) {
    if (/_statement$/.test(node.type)) chosen.add(firstLine(node));
  }
}

/** Assignments of the scope that end before the anchor begins, the nearest first; those of inner definitions are left out. */
function assignmentsBefore(anchor: PythonNode, scope: PythonNode | null): PythonNode[] {
  const start = scope?.childForFieldName('body') ?? rootOf(anchor);
  const found: PythonNode[] = [];
  visitPython(start, {
    enter(node) {
      if (node.startIndex >= anchor.startIndex || node.type === 'function_definition' || node.type === 'class_definition') return false;
      if (node.type === 'assignment' || node.type === 'augmented_assignment') found.push(node);
      return true;
    },
  });
  return found.reverse();
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
    enter(inner) {
      if (inner.type !== 'identifier') return;
      const parent = inner.parent;
      const isAttribute = parent?.type === 'attribute' && parent.childForFieldName('attribute')?.id === inner.id;
      if (!isAttribute) names.add(inner.text);
    },
  });
  return names;
}
