import type { PythonNode } from '@reenact/code-index';
import type { Labels } from './labels.js';
import type { FlowState } from './script-flow.js';
import { bindingOf, type ScriptFunction, type ScriptSource } from './script-scopes.js';

/** Adds labels to what an identifier refers to. */
export function addBinding(flow: FlowState, node: PythonNode, labels: Labels, source: ScriptSource): void {
  const key = bindingOf(flow.scopes, source, node, node.text);
  if (key !== null) grow(flow, flow.bindings, key, labels);
}

/** Adds labels to a parameter of a function of the script. */
export function addParameter(flow: FlowState, fn: ScriptFunction, name: string, labels: Labels): void {
  grow(flow, flow.bindings, `${fn.key}/${name}`, labels);
}

/** Labels of a map only grow; a change asks for one more round. */
export function grow(flow: FlowState, map: Map<string, Labels>, key: string, labels: Labels): void {
  const before = map.get(key) ?? 0;
  if ((before | labels) === before) return;
  map.set(key, before | labels);
  flow.changed = true;
}

/** Gives labels to every name of a target; an attribute or item gives them to its object as well. */
export function assign(flow: FlowState, target: PythonNode, labels: Labels, source: ScriptSource): void {
  if (target.type === 'identifier') addBinding(flow, target, labels, source);
  else if (target.type === 'attribute') {
    grow(flow, flow.attributes, target.childForFieldName('attribute')?.text ?? '', labels);
    taint(flow, target, labels, source);
  } else if (target.type === 'subscript') taint(flow, target, labels, source);
  else for (const child of target.namedChildren) if (child !== null) assign(flow, child, labels, source);
}

/** Gives labels to the object at the root of `a.b[c].d(e)`, which may have been changed. Modules stay as they are. */
export function taint(flow: FlowState, node: PythonNode, labels: Labels, source: ScriptSource): void {
  let root = node;
  for (;;) {
    const inner = root.childForFieldName('object') ?? root.childForFieldName('value') ?? root.childForFieldName('function');
    if (inner === null) break;
    root = inner;
  }
  if (root.type !== 'identifier') return;
  const key = bindingOf(flow.scopes, source, root, root.text);
  if (key === null || flow.scopes.imports.has(key)) return;
  grow(flow, flow.bindings, key, labels);
}
