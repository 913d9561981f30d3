import { walkPython, type PythonNode, type PythonSyntax } from '@reenact/code-index';

/** A function of a Python file. Lines count from 1; `bodyLine` is the first line of its first statement. */
export interface FunctionOutline {
  /** Dotted names of the classes and functions around it and its own, such as `Cell.generate`. */
  name: string;
  startLine: number;
  bodyLine: number;
  endLine: number;
}

/** Definitions of a Python file. */
export interface FileOutline {
  functions: FunctionOutline[];
  /** Dotted names of classes. */
  classes: string[];
  /** Names bound at module level by assignment or import. */
  names: string[];
}

/** Qualified name of a definition: names of the definitions around it, outermost first, joined by dots. */
export function qualifiedName(definition: PythonNode): string {
  const names: string[] = [];
  for (let node: PythonNode | null = definition; node !== null; node = node.parent) {
    if (node.type !== 'function_definition' && node.type !== 'class_definition') continue;
    names.unshift(node.childForFieldName('name')?.text ?? '');
  }
  return names.join('.');
}

/** Lists functions, classes and module-level names of a Python text; broken text gives what could be parsed. */
export function outlinePython(python: PythonSyntax, text: string): FileOutline {
  const tree = python.parse(text);
  try {
    const outline: FileOutline = { functions: [], classes: [], names: [] };
    for (const node of walkPython(tree.rootNode)) {
      if (node.type === 'function_definition') outline.functions.push(functionOutline(node));
      else if (node.type === 'class_definition') outline.classes.push(qualifiedName(node));
      else if (node.type === 'assignment' && isModuleLevel(node)) outline.names.push(...boundNames(node));
    }
    return outline;
  } finally {
    tree.delete();
  }
}

function functionOutline(node: PythonNode): FunctionOutline {
  const body = node.childForFieldName('body');
  return {
    name: qualifiedName(node),
    startLine: node.startPosition.row + 1,
    bodyLine: (body?.startPosition.row ?? node.startPosition.row) + 1,
    endLine: node.endPosition.row + 1,
  };
}

function isModuleLevel(node: PythonNode): boolean {
  return node.parent?.type === 'expression_statement' && node.parent.parent?.type === 'module';
}

function boundNames(assignment: PythonNode): string[] {
  const left = assignment.childForFieldName('left');
  if (left === null) return [];
  return [...walkPython(left)].filter((node) => node.type === 'identifier').map((node) => node.text);
}

/** The innermost function whose lines hold `line` (from 1), or null at module or class level. */
export function functionAt(outline: FileOutline, line: number): FunctionOutline | null {
  let innermost: FunctionOutline | null = null;
  for (const candidate of outline.functions) {
    if (line < candidate.startLine || line > candidate.endLine) continue;
    if (innermost === null || candidate.startLine >= innermost.startLine) innermost = candidate;
  }
  return innermost;
}
