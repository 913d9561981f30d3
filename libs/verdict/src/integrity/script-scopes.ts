import { walkPython, type PythonNode } from '@reenact/code-index';
import type { ScriptFile } from '@reenact/domain';

/** A parsed file of a script. */
export interface ScriptSource {
  file: ScriptFile;
  root: PythonNode;
}

/** A function or lambda of the script and the names that are bound in it. */
export interface ScriptFunction {
  key: string;
  name: string;
  node: PythonNode;
  source: ScriptSource;
  /** Names of positional and keyword parameters in order, without stars. */
  parameters: string[];
  names: Set<string>;
}

/** What an imported name stands for; `member` is null where it is a module itself. */
export interface ImportedName {
  module: string;
  member: string | null;
}

export interface Scopes {
  functions: Map<string, ScriptFunction>;
  /** Functions and methods by their own plain name. */
  byName: Map<string, ScriptFunction[]>;
  moduleNames: Map<ScriptSource, Set<string>>;
  /** Imported names by binding key. */
  imports: Map<string, ImportedName>;
  /** Modules of `from m import *`, per file. */
  stars: Map<ScriptSource, string[]>;
}

const FUNCTIONS = new Set(['function_definition', 'lambda']);

/** Finds functions, bound names and imports of a script's files. */
export function collectScopes(sources: readonly ScriptSource[]): Scopes {
  const scopes: Scopes = { functions: new Map(), byName: new Map(), moduleNames: new Map(), imports: new Map(), stars: new Map() };
  for (const source of sources) {
    scopes.moduleNames.set(source, new Set());
    scopes.stars.set(source, []);
    for (const node of walkPython(source.root)) if (FUNCTIONS.has(node.type)) addFunction(scopes, source, node);
  }
  for (const source of sources) for (const node of walkPython(source.root)) collectNames(scopes, source, node);
  return scopes;
}

export function functionKey(source: ScriptSource, node: PythonNode): string {
  return `${source.file.path}#${node.startIndex}`;
}

function addFunction(scopes: Scopes, source: ScriptSource, node: PythonNode): void {
  const name = node.childForFieldName('name')?.text ?? '';
  const parameters = (node.childForFieldName('parameters')?.namedChildren ?? []).map(parameterName).filter((text) => text !== '');
  const entry: ScriptFunction = { key: functionKey(source, node), name, node, source, parameters, names: new Set(parameters) };
  scopes.functions.set(entry.key, entry);
  if (name !== '') scopes.byName.set(name, [...(scopes.byName.get(name) ?? []), entry]);
}

function parameterName(node: PythonNode | null): string {
  if (node === null) return '';
  if (node.type === 'identifier') return node.text;
  const named =
    node.childForFieldName('name') ??
    node.namedChildren.find((child) => child?.type === 'identifier' || child?.type.endsWith('_splat_pattern'));
  return named === null || named === undefined ? '' : named.type === 'identifier' ? named.text : parameterName(named);
}

/** The innermost function around a node, the node itself left out; a definition's own name belongs outside of it. */
export function functionAround(scopes: Scopes, source: ScriptSource, node: PythonNode): ScriptFunction | null {
  for (let current = node.parent; current !== null; current = current.parent) {
    if (FUNCTIONS.has(current.type)) return scopes.functions.get(functionKey(source, current)) ?? null;
  }
  return null;
}

function bind(scopes: Scopes, source: ScriptSource, node: PythonNode, name: string): string {
  const inside = functionAround(scopes, source, node);
  const isGlobal = inside !== null && declaredOutside(inside.node, name);
  if (inside !== null && !isGlobal) inside.names.add(name);
  else scopes.moduleNames.get(source)?.add(name);
  return inside !== null && !isGlobal ? `${inside.key}/${name}` : `${source.file.path}/${name}`;
}

function declaredOutside(fn: PythonNode, name: string): boolean {
  for (const node of walkPython(fn)) {
    if (node.type !== 'global_statement' && node.type !== 'nonlocal_statement') continue;
    if (node.namedChildren.some((child) => child?.text === name)) return true;
  }
  return false;
}

function collectNames(scopes: Scopes, source: ScriptSource, node: PythonNode): void {
  const target = targetOf(node);
  if (target !== null) for (const name of targetNames(target)) bind(scopes, source, node, name);
  if (node.type === 'function_definition' || node.type === 'class_definition')
    bind(scopes, source, node, node.childForFieldName('name')?.text ?? '');
  if (node.type === 'import_statement') for (const child of node.namedChildren) addImport(scopes, source, child);
  if (node.type === 'import_from_statement') addFromImport(scopes, source, node);
}

/** The node that holds the names which a statement or clause binds. */
export function targetOf(node: PythonNode): PythonNode | null {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      return node.childForFieldName('left');
    case 'named_expression':
      return node.childForFieldName('name');
    case 'as_pattern':
      return node.childForFieldName('alias');
    case 'case_clause':
      return node.namedChildren.find((child) => child?.type === 'case_pattern') ?? null;
    default:
      return null;
  }
}

/** Plain names that a target binds; `a.b` and `a[i]` bind none. */
export function targetNames(target: PythonNode): string[] {
  if (target.type === 'identifier') return [target.text];
  if (target.type === 'attribute' || target.type === 'subscript' || target.type === 'call') return [];
  if (target.type === 'dotted_name') return target.namedChildCount === 1 ? [target.text] : [];
  return target.namedChildren.flatMap((child) => (child === null ? [] : targetNames(child)));
}

function addImport(scopes: Scopes, source: ScriptSource, child: PythonNode | null): void {
  if (child === null) return;
  const module = (child.type === 'aliased_import' ? child.childForFieldName('name') : child)?.text ?? '';
  const alias = child.childForFieldName('alias')?.text;
  const name = alias ?? module.split('.')[0] ?? '';
  scopes.imports.set(bind(scopes, source, child, name), { module: alias === undefined ? name : module, member: null });
}

function addFromImport(scopes: Scopes, source: ScriptSource, node: PythonNode): void {
  const moduleNode = node.childForFieldName('module_name');
  const module = (moduleNode?.text ?? '').replace(/^\.+/, '');
  for (const child of node.namedChildren) {
    if (child === null || child.id === moduleNode?.id) continue;
    if (child.type === 'wildcard_import') scopes.stars.get(source)?.push(module);
    else {
      const member = (child.type === 'aliased_import' ? child.childForFieldName('name') : child)?.text ?? '';
      const name = child.childForFieldName('alias')?.text ?? member;
      scopes.imports.set(bind(scopes, source, child, name), { module, member });
    }
  }
}

/** Key of the binding that a name refers to, or null where no scope of the file binds it. */
export function bindingOf(scopes: Scopes, source: ScriptSource, node: PythonNode, name: string): string | null {
  const self = FUNCTIONS.has(node.type) ? scopes.functions.get(functionKey(source, node)) : undefined;
  for (let inside = self ?? functionAround(scopes, source, node); inside; inside = functionAround(scopes, source, inside.node)) {
    if (inside.names.has(name)) return `${inside.key}/${name}`;
  }
  return scopes.moduleNames.get(source)?.has(name) === true ? `${source.file.path}/${name}` : null;
}
