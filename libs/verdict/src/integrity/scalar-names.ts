import { walkPython, type PythonNode } from '@reenact/code-index';
import { bindingOf, targetNames, targetOf, type Scopes, type ScriptSource } from './script-scopes.js';

const SCALARS = /^(?:integer|float|string|true|false|none)$/;
const OPERATIONS = /^(?:unary_operator|binary_operator|parenthesized_expression|comparison_operator|not_operator)$/;
const MAKERS = /^(?:int|float|bool|str|len|round|abs|min|max|range)$/;

const known = new WeakMap<Scopes, Map<string, boolean>>();

/**
 * Whether a name of the script only ever holds numbers, texts and truths that it works out by itself: whoever is given such a
 * value cannot change it, since it is handed over by value.
 */
export function isScalarName(scopes: Scopes, node: PythonNode, source: ScriptSource): boolean {
  const key = node.type === 'identifier' ? bindingOf(scopes, source, node, node.text) : null;
  if (key === null || scopes.imports.has(key)) return false;
  const answers = known.get(scopes) ?? new Map<string, boolean>();
  known.set(scopes, answers);
  const answer = answers.get(key);
  if (answer !== undefined) return answer;
  // A name that is worked out of itself is what its other values are.
  answers.set(key, true);
  const found = bindsScalarsOnly(scopes, { name: node.text, key }, source);
  answers.set(key, found);
  return found;
}

function bindsScalarsOnly(scopes: Scopes, { name, key }: { name: string; key: string }, source: ScriptSource): boolean {
  let count = 0;
  for (const node of walkPython(source.root)) {
    const target = targetOf(node);
    if (target === null || !targetNames(target).includes(name) || bindingOf(scopes, source, node, name) !== key) continue;
    count += 1;
    const isPlain = target.type === 'identifier' && /^(?:assignment|augmented_assignment|for_statement)$/.test(node.type);
    const value = node.childForFieldName('right');
    if (!isPlain || value === null || !isScalar(scopes, value, source)) return false;
    if (node.type === 'for_statement' && !/^range\(/.test(value.text)) return false;
  }
  return count > 0;
}

function isScalar(scopes: Scopes, node: PythonNode, source: ScriptSource): boolean {
  if (SCALARS.test(node.type)) return !node.namedChildren.some((child) => child?.type === 'interpolation');
  if (OPERATIONS.test(node.type)) return node.namedChildren.every((child) => child !== null && isScalar(scopes, child, source));
  if (node.type === 'identifier') return isScalarName(scopes, node, source);
  if (node.type !== 'call' || !MAKERS.test(node.childForFieldName('function')?.text ?? '')) return false;
  return (node.childForFieldName('arguments')?.namedChildren ?? []).every((child) => child !== null && isScalar(scopes, child, source));
}
