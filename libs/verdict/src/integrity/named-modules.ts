import { walkPython, type PythonNode } from '@reenact/code-index';
import { canonicalName } from './expression-labels.js';
import type { FlowState } from './script-flow.js';
import { bindingOf, targetOf, type ScriptSource } from './script-scopes.js';
import { unquoted } from './source-access.js';

const IMPORTERS = /^(?:importlib\.import_module|builtins\.__import__)$/;

/**
 * Canonical name of a module, class or member that an expression stands for, also where a name of the script holds it:
 * `np.linalg`, `sys.modules["numpy"]`, `__import__("numpy").linalg`, `m` after `m = np`.
 * @returns null for anything else, and for names that are bound to several things
 */
export function heldName(flow: Pick<FlowState, 'scopes'>, node: PythonNode | null, source: ScriptSource): string | null {
  if (node === null) return null;
  const direct = canonicalName(flow, node, source);
  if (direct !== null) return direct;
  switch (node.type) {
    case 'parenthesized_expression':
      return heldName(flow, node.namedChild(0), source);
    case 'attribute': {
      const object = heldName(flow, node.childForFieldName('object'), source);
      return object === null ? null : `${object}.${node.childForFieldName('attribute')?.text ?? ''}`;
    }
    case 'subscript':
      return canonicalName(flow, node.childForFieldName('value'), source) === 'sys.modules'
        ? moduleText(node.childForFieldName('subscript'))
        : null;
    case 'call':
      return IMPORTERS.test(canonicalName(flow, node.childForFieldName('function'), source) ?? '')
        ? moduleText(node.childForFieldName('arguments')?.namedChild(0) ?? null)
        : null;
    case 'identifier':
      return nameOfBound(flow, node, source);
    default:
      return null;
  }
}

function moduleText(node: PythonNode | null): string | null {
  const text = node?.type === 'string' ? unquoted(node.text) : '';
  return /^[A-Za-z_][\w.]{0,200}$/.test(text) ? text : null;
}

/** A name that is assigned once; a name that holds itself is nobody's. */
function nameOfBound(flow: Pick<FlowState, 'scopes'>, node: PythonNode, source: ScriptSource): string | null {
  const key = bindingOf(flow.scopes, source, node, node.text);
  const bindings = [...walkPython(source.root)].filter((other) => {
    const target = targetOf(other);
    return target?.text === node.text && key !== null && bindingOf(flow.scopes, source, target, node.text) === key;
  });
  const value = bindings.length === 1 && bindings[0]?.type === 'assignment' ? bindings[0].childForFieldName('right') : null;
  if (value === null || [...walkPython(value)].some((inner) => inner.type === 'identifier' && inner.text === node.text)) return null;
  return value.type === 'identifier' ? canonicalName(flow, value, source) : heldName(flow, value, source);
}
