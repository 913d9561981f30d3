import type { PythonNode } from './python-syntax.js';

/** Called for each named node; `enter` returns false to leave the node's children out. */
export interface PythonVisitor {
  enter(node: PythonNode): boolean | void;
  leave?(node: PythonNode): void;
}

/** Walks a tree depth first with a stack of its own, since hostile files nest deeper than the call stack allows. */
export function visitPython(root: PythonNode, visitor: PythonVisitor): void {
  const open: { node: PythonNode; children: (PythonNode | null)[]; next: number }[] = [];
  const push = (node: PythonNode): void => {
    const children = visitor.enter(node) === false ? [] : node.namedChildren;
    open.push({ node, children, next: 0 });
  };
  push(root);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.children[top.next++];
    if (child) {
      push(child);
    } else if (top.next > top.children.length) {
      visitor.leave?.(top.node);
      open.pop();
    }
  }
}

/** First line of a node, from 1. */
export function firstLine(node: PythonNode): number {
  return node.startPosition.row + 1;
}

/** Last line of a node, from 1; a node that ends at the very start of a line does not reach into that line. */
export function lastLine(node: PythonNode): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row : row + 1;
}

/** The definition with its decorators, when it has any. */
export function withDecorators(definition: PythonNode): PythonNode {
  return definition.parent?.type === 'decorated_definition' ? definition.parent : definition;
}

/** True for `def`, `async def` and `class`. */
export function isDefinition(node: PythonNode): boolean {
  return node.type === 'function_definition' || node.type === 'class_definition';
}

/** The name of a definition; empty where the parser found none. */
export function definedName(definition: PythonNode): string {
  return definition.childForFieldName('name')?.text ?? '';
}
