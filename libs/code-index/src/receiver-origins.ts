import type { ResolvedImport } from './imports.js';
import type { PythonNode } from './python-syntax.js';
import { visitPython } from './visit-python.js';

/** Marks origins inside the project: `~.model.build`. */
export const PROJECT_ORIGIN = '~';
/** Marks what a name of unknown origin gave: `?.model.loss` for `loss = model.loss(…)` with `model` a parameter. */
export const UNKNOWN_ORIGIN = '?';

/** Answers where a receiver comes from: dotted names such as `torch.optim.Adam`; empty when nothing is known. */
export interface Origins {
  of(expression: PythonNode | null): string[];
}

const DOTTED = /^[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*$/u;
/** Aliases of aliases are followed this far; cycles (`a = b; b = a`) end here too. */
const DEEPEST_ALIAS = 4;

/**
 * Origins of the names of a file by its imports, assignments, `with … as`, annotations and base classes, without running anything: a
 * variable stands for whatever was called to make it, a class for its bases. Scopes are not kept apart, so a name may have several origins.
 */
export function readOrigins(root: PythonNode, imports: ResolvedImport[]): Origins {
  const targets = new Map(imports.filter((item) => item.local !== '*').map((item) => [item.local, importTarget(item)]));
  const assigned = readAssignments(root);
  const resolve = (name: string, depth: number): string[] => {
    const made = assigned.get(name);
    if (made !== undefined && depth > 0) return [...made].flatMap((source) => (source === name ? [] : resolve(source, depth - 1)));
    const dot = name.lastIndexOf('.');
    const target = targets.get(name);
    if (target !== undefined) return [target];
    if (dot < 0) return depth < DEEPEST_ALIAS ? [`${UNKNOWN_ORIGIN}.${name}`] : [];
    return resolve(name.slice(0, dot), depth).map((origin) => `${origin}${name.slice(dot)}`);
  };
  return {
    of(expression) {
      const name = dottedName(expression);
      // What a call gives is one step away from the name that is called, as with an assignment.
      const isMade = expression?.type === 'call' && name !== null && !assigned.has(name);
      return name === null ? [] : [...new Set(resolve(name, isMade ? DEEPEST_ALIAS - 1 : DEEPEST_ALIAS))];
    },
  };
}

function importTarget(item: ResolvedImport): string {
  const prefix = item.file === null && item.level === 0 ? '' : `${PROJECT_ORIGIN}.`;
  if (item.imported !== null) return prefix + [item.module, item.imported].filter(Boolean).join('.');
  const first = item.module.split('.')[0] ?? item.module;
  return prefix + (item.local === first ? first : item.module);
}

/** Expressions that stand for what they wrap, by the field (or place) of the wrapped one. */
const WRAPPERS: Record<string, (node: PythonNode) => PythonNode | null> = {
  call: (node) => node.childForFieldName('function'),
  subscript: (node) => node.childForFieldName('value'),
  await: (node) => node.namedChild(0),
  parenthesized_expression: (node) => node.namedChild(0),
};

/** The dotted text of a name or attribute chain, of the function that a call calls, of what a subscript indexes; else null. */
export function dottedName(expression: PythonNode | null): string | null {
  let node = expression;
  for (let unwrap = WRAPPERS[node?.type ?? '']; node !== null && unwrap !== undefined; unwrap = WRAPPERS[node?.type ?? ''])
    node = unwrap(node);
  if (node === null || (node.type !== 'identifier' && node.type !== 'attribute')) return null;
  return DOTTED.test(node.text) ? node.text : null;
}

function readAssignments(root: PythonNode): Map<string, Set<string>> {
  const assigned = new Map<string, Set<string>>();
  const note = (target: PythonNode | null, source: PythonNode | null): void => {
    const from = dottedName(source);
    if (target === null || from === null) return;
    const parts = ['pattern_list', 'tuple_pattern'].includes(target.type) ? target.namedChildren : [target];
    for (const part of parts) {
      const name = dottedName(part);
      if (name !== null) assigned.set(name, (assigned.get(name) ?? new Set()).add(from));
    }
  };
  visitPython(root, {
    enter(node) {
      if (node.type === 'assignment') {
        note(node.childForFieldName('left'), node.childForFieldName('right'));
        note(node.childForFieldName('left'), typeName(node.childForFieldName('type')));
      } else if (node.type === 'class_definition') {
        for (const base of node.childForFieldName('superclasses')?.namedChildren ?? []) note(node.childForFieldName('name'), base);
      } else if (node.type === 'as_pattern') note(node.namedChild(1)?.namedChild(0) ?? null, node.namedChild(0));
      else if (node.type === 'typed_parameter') note(node.namedChild(0), typeName(node.childForFieldName('type')));
      else if (node.type === 'typed_default_parameter') note(node.childForFieldName('name'), typeName(node.childForFieldName('type')));
    },
  });
  return assigned;
}

function typeName(annotation: PythonNode | null): PythonNode | null {
  return annotation?.namedChild(0) ?? null;
}
