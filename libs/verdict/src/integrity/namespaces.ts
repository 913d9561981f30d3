import type { PythonNode } from '@reenact/code-index';
import { NAMESPACE, type Labels } from './labels.js';
import { heldName } from './named-modules.js';
import type { FlowState } from './script-flow.js';
import type { ScriptSource } from './script-scopes.js';
import { isSubjectModule } from './subject-listing.js';

/** Attributes that always lead to the names which code sees. */
const CODE_SPACES = /^(?:__globals__|__builtins__|f_globals|f_locals|f_builtins|func_globals)$/;
/** What any subject computes with. */
const LIBRARIES = /^(?:builtins|numpy|torch|tensorflow|jax|random|math|json)\b/;

/** Whether `a.b` is a namespace that is not the script's own. */
export function namespaceOfAttribute(flow: FlowState, node: PythonNode, source: ScriptSource): boolean {
  const attribute = node.childForFieldName('attribute')?.text ?? '';
  if (CODE_SPACES.test(attribute)) return true;
  return attribute === '__dict__' && isForeign(flow, node.childForFieldName('object'), source);
}

/** `vars(module)`; of an instance it holds values, and those are settings. */
export function namespaceOfCall(flow: FlowState, node: PythonNode, name: string | null, source: ScriptSource): Labels {
  if (name !== 'builtins.vars') return 0;
  return isForeign(flow, node.childForFieldName('arguments')?.namedChild(0) ?? null, source) ? NAMESPACE : 0;
}

function isForeign(flow: FlowState, node: PythonNode | null, source: ScriptSource): boolean {
  if (node?.text === '__builtins__') return true;
  const name = heldName(flow, node, source);
  return name !== null && (LIBRARIES.test(name) || isSubjectModule(flow.subject, name));
}
