import type { PythonNode } from './python-syntax.js';

/** Called for each named node; `enter` returns false to leave the node's children out. */
export interface PythonVisitor {
  /** `parent` is handed over because asking a node for it walks down from the root. */
  enter(node: PythonNode, parent: PythonNode | null): boolean | void;
  leave?(node: PythonNode): void;
}

/** Walks a tree depth first with a stack of its own, since hostile files nest deeper than the call stack allows. */
export function visitPython(root: PythonNode, visitor: PythonVisitor): void {
  const open: { node: PythonNode; children: (PythonNode | null)[]; next: number }[] = [];
  const push = (node: PythonNode, parent: PythonNode | null): void => {
    const children = visitor.enter(node, parent) === false ? [] : node.namedChildren;
    open.push({ node, children, next: 0 });
  };
  push(root, null);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.children[top.next++];
    if (child) {
      push(child, top.node);
    } else if (top.next > top.children.length) {
      visitor.leave?.(top.node);
      open.pop();
    }
  }
}

/**
 * Types in which a statement can lie; a simple statement or an expression holds one only by error. A set, not a pattern: this is asked
 * for every statement of a tree.
 */
const HOLDS_STATEMENTS = new Set([
  'module',
  'block',
  'decorated_definition',
  'function_definition',
  'class_definition',
  'if_statement',
  'elif_clause',
  'else_clause',
  'for_statement',
  'while_statement',
  'with_statement',
  'try_statement',
  'except_clause',
  'finally_clause',
  'match_statement',
  'case_clause',
  'ERROR',
]);

/** True for the types of nodes in which a statement can lie. */
export function isStatementHolder(type: string): boolean {
  return HOLDS_STATEMENTS.has(type);
}

/** False for subtrees without statements, definitions or errors inside, which most visitors may leave out. */
export function holdsStatements(node: PythonNode): boolean {
  return isStatementHolder(node.type) || node.hasError;
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
