import { walkPython, type PythonNode } from '@reenact/code-index';
import { canonicalOf } from './flow-queries.js';
import { callKind } from './known-calls.js';
import { FROM_SOURCE, FROM_SUBJECT, has } from './labels.js';
import { answerOnce, type NamedFlow } from './name-values.js';
import type { ScriptSource } from './script-scopes.js';

/** More elements, or steps, than any small input of a test has. */
export const MANY_ELEMENTS = 65_536;
/**
 * What a script has ready by itself: `quantity` where it is or is made of a number other than 0, 1 and -1, of several
 * elements, or code of its own; `constant` where it is a switch, a text or nothing; null where something else has a say.
 */
export type OwnValue = 'quantity' | 'constant' | null;

interface Within {
  script: NamedFlow;
  source: ScriptSource;
}

/** The strongest of the parts, or null where one part is not the script's own. */
function combine(parts: readonly OwnValue[]): OwnValue {
  if (parts.includes(null)) return null;
  return parts.includes('quantity') ? 'quantity' : 'constant';
}

/** Judges an expression by what it is written of; names by what they are bound to, whatever decides over the binding. */
export function ownValueOf(script: NamedFlow, node: PythonNode, source: ScriptSource): OwnValue {
  return ownValue({ script, source }, node);
}

function ownValue(within: Within, node: PythonNode | null): OwnValue {
  if (node === null) return null;
  const asked = { question: 'own', node, source: within.source, whileOpen: 'constant' as OwnValue };
  return answerOnce(within.script, asked, () => ownValueHere(within, node));
}

function ownValueHere(inner: Within, node: PythonNode): OwnValue {
  const all = (): OwnValue => combine(partsOf(node).map((part) => ownValue(inner, part)));
  switch (node.type) {
    case 'integer':
    case 'float':
      return [0, 1].includes(Number(node.text.replaceAll('_', ''))) ? 'constant' : 'quantity';
    case 'string':
      return ownText(inner, node);
    case 'true':
    case 'false':
    case 'none':
    case 'ellipsis':
      return 'constant';
    case 'lambda':
      return 'quantity';
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
      return all() !== null && node.namedChildCount > 1 ? 'quantity' : all();
    case 'dictionary':
    case 'pair':
    case 'parenthesized_expression':
    case 'unary_operator':
    case 'not_operator':
    case 'binary_operator':
    case 'boolean_operator':
    case 'comparison_operator':
    case 'conditional_expression':
    case 'subscript':
    case 'slice':
    case 'list_splat':
    case 'concatenated_string':
    case 'list_comprehension':
    case 'generator_expression':
    case 'set_comprehension':
      return all();
    case 'for_in_clause':
      return ownValue(inner, node.childForFieldName('right'));
    case 'call':
      return ownCall(inner, node);
    case 'attribute':
      return canBeLibrary(inner, node) ? 'constant' : null;
    case 'identifier':
      return ownName(inner, node);
    default:
      return null;
  }
}

function partsOf(node: PythonNode): PythonNode[] {
  return node.namedChildren.filter((child): child is PythonNode => child !== null && child.type !== 'comment');
}

/** A text of digits is a number; one that is put together is what its parts are. */
function ownText(within: Within, node: PythonNode): OwnValue {
  const parts = node.namedChildren.filter((part) => part?.type === 'interpolation');
  if (parts.length > 0)
    return combine(parts.map((part) => ownValue(within, part?.childForFieldName('expression') ?? part?.namedChild(0) ?? null)));
  const text = node.text.replace(/^\w*["']+|["']+$/g, '');
  return /^-?[\d_.]+(?:e\d+)?$/i.test(text) && !/^[01]$/.test(text) ? 'quantity' : 'constant';
}

/** Functions that are not the subject's, given what is the script's own. */
function ownCall(within: Within, node: PythonNode): OwnValue {
  const callee = node.childForFieldName('function');
  const given = node.childForFieldName('arguments');
  if (callee === null || given === null || isForeign(within, callee)) return null;
  const name = canonicalOf(within.script.flow, callee, within.source);
  if (name !== null && /^(?:launches|opens|reads-source|examines)$/.test(callKind(name))) return null;
  if (given.type !== 'argument_list') return ownValue(within, given);
  const parts = partsOf(given).map((part) => ownValue(within, part.type === 'keyword_argument' ? part.childForFieldName('value') : part));
  const object = callee.type === 'attribute' && !canBeLibrary(within, callee) ? [ownValue(within, callee.childForFieldName('object'))] : [];
  return combine([...object, ...parts]);
}

function canBeLibrary(within: Within, node: PythonNode): boolean {
  let root = node;
  while (root.type === 'attribute') root = root.childForFieldName('object') ?? node;
  return root.type === 'identifier' && within.script.names.of(root, within.source).length === 0 && !isForeign(within, node);
}

function isForeign(within: Within, node: PythonNode): boolean {
  return has(within.script.flow.labelsOf(node, within.source), FROM_SUBJECT | FROM_SOURCE);
}

function ownName(within: Within, node: PythonNode): OwnValue {
  if (within.script.flow.scopes.byName.has(node.text)) return 'quantity';
  const values = within.script.names.of(node, within.source);
  if (values.length === 0) return isForeign(within, node) ? null : 'constant';
  return combine(values.map(({ value, source }) => ownValue({ ...within, source }, value)));
}

/** Product of the numbers in an expression and in what its names are bound to; a power counts as much. */
export function elementsIn(script: NamedFlow, node: PythonNode, source: ScriptSource): number {
  return answerOnce(script, { question: 'elements', node, source, whileOpen: 1 }, () => {
    let product = 1;
    for (const inner of walkPython(node)) {
      if (inner.type === 'integer' || inner.type === 'float') product *= Math.max(1, Number(inner.text.replaceAll('_', '')) || 1);
      else if (inner.type === 'binary_operator' && /^(?:\*\*|<<)$/.test(inner.childForFieldName('operator')?.text ?? ''))
        product *= MANY_ELEMENTS;
      else if (inner.type === 'identifier')
        product *= Math.max(1, ...script.names.of(inner, source).map((bound) => elementsIn(script, bound.value, bound.source)));
    }
    return product;
  });
}
