import type { ImportBinding } from './imports.js';
import { importsOf } from './imports.js';
import type { PythonNode } from './python-syntax.js';
import type { CutPoint, LineRange } from './split-lines.js';
import { definedName, firstLine, isStatementHolder, lastLine } from './visit-python.js';

/** A function or class of a file, at any depth. */
export interface FoundDefinition {
  name: string;
  kind: 'function' | 'method' | 'class';
  /** Index of the class or function around it, -1 at module level. */
  parent: number;
  /** Decorators included. */
  range: LineRange;
  /** Last line of the header, the one with the colon. */
  headerEnd: number;
}

/** What one walk over a file's tree finds. */
export interface PythonSurvey {
  /** In source order, outer ones before inner ones. */
  found: FoundDefinition[];
  /** The beginning of every statement. */
  cutPoints: CutPoint[];
  /** Places that the parser did not understand. */
  errors: LineRange[];
  imports: ImportBinding[];
}

interface OpenNode {
  node: PythonNode;
  type: string;
  children: (PythonNode | null)[];
  next: number;
}

interface Walk extends PythonSurvey {
  open: OpenNode[];
  /** Indexes of the definitions around the current node. */
  around: number[];
  depth: number;
}

/**
 * Definitions, statements, errors and imports of a file in one walk that enters only what can hold statements. Each question to a node
 * crosses into WebAssembly, so a node's type is asked once, and its errors only in a tree that has some.
 */
export function surveyPython(root: PythonNode): PythonSurvey {
  const walk: Walk = { found: [], cutPoints: [], errors: [], imports: [], open: [], around: [], depth: 0 };
  const hasErrors = root.hasError;
  enter(walk, root, hasErrors);
  for (let top = walk.open.at(-1); top !== undefined; top = walk.open.at(-1)) {
    const child = top.children[top.next++];
    if (child) enter(walk, child, hasErrors);
    else if (top.next > top.children.length) leave(walk, top);
  }
  const { found, cutPoints, errors, imports } = walk;
  return { found, cutPoints, errors, imports };
}

function enter(walk: Walk, node: PythonNode, hasErrors: boolean): void {
  const { type } = node;
  const outer = walk.open.at(-1);
  if (hasErrors && (node.isError || node.isMissing)) walk.errors.push(linesOf(node));
  if (type === 'block') walk.depth++;
  if (outer?.type === 'block' || outer?.type === 'module') walk.cutPoints.push({ line: firstLine(node), depth: walk.depth });
  walk.imports.push(...(importsOf(node, type) ?? []));
  if (!isStatementHolder(type) && !(hasErrors && node.hasError)) return;
  if (isDefinition(type)) {
    const decorated = outer?.type === 'decorated_definition' ? outer.node : node;
    walk.found.push(describe(walk, node, { type, range: linesOf(decorated) }));
    walk.around.push(walk.found.length - 1);
  }
  walk.open.push({ node, type, children: node.namedChildren, next: 0 });
}

function leave(walk: Walk, { type }: OpenNode): void {
  walk.open.pop();
  if (type === 'block') walk.depth--;
  if (isDefinition(type)) walk.around.pop();
}

function describe(walk: Walk, node: PythonNode, { type, range }: { type: string; range: LineRange }): FoundDefinition {
  const parent = walk.around.at(-1) ?? -1;
  const outer = walk.found[parent];
  const name = definedName(node) || '_';
  const kind = type === 'class_definition' ? 'class' : outer?.kind === 'class' ? 'method' : 'function';
  const qualified = outer === undefined ? name : `${outer.name}.${name}`;
  return { name: qualified, kind, parent, range, headerEnd: headerEnd(node, range) };
}

function headerEnd(definition: PythonNode, range: LineRange): number {
  const body = definition.childForFieldName('body');
  const nameLine = firstLine(definition);
  return body === null ? nameLine : Math.max(nameLine, Math.min(firstLine(body) - 1, range.endLine));
}

function linesOf(node: PythonNode): LineRange {
  return { startLine: firstLine(node), endLine: lastLine(node) };
}

function isDefinition(type: string): boolean {
  return type === 'function_definition' || type === 'class_definition';
}
