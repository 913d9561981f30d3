import { walkPython, type PythonNode } from '@reenact/code-index';
import { isDecided, isQuantity, type ChoiceQuery } from './choice-query.js';
import { answerOnce } from './name-values.js';
import type { ScriptSource } from './script-scopes.js';

const QUESTIONS =
  /^(?:bool|hasattr|isinstance|issubclass|callable|any|all|isclose|allclose|array_equal|equal|isnan|isinf|isfinite|startswith|endswith|issubset)$/;
const CONVERSIONS = /^(?:int|float|sum)$/;
/** They give how much or where of something: a whole number, whatever it is about. */
const COUNTS = /^(?:len|sum|int|ord|hash|id|index|count|find|getsizeof|bit_length|__len__|__sizeof__|active_count|crc32|adler32)$/;

/** Whether an expression is the answer to a question, or how often one is answered by yes. */
export function isTruth(query: ChoiceQuery, node: PythonNode | null, source: ScriptSource): boolean {
  if (node === null) return false;
  return answerOnce(query, { question: 'truth', node, source, whileOpen: false }, () => isTruthHere(query, node, source));
}

function isTruthHere(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  switch (node.type) {
    case 'comparison_operator':
    case 'not_operator':
      return true;
    case 'parenthesized_expression':
    case 'generator_expression':
    case 'list_comprehension':
      return isTruth(query, node.namedChild(0), source);
    case 'call': {
      const callee = node.childForFieldName('function');
      const name = callee?.childForFieldName('attribute')?.text ?? callee?.text ?? '';
      const given = node.childForFieldName('arguments');
      const first = given?.type === 'argument_list' ? given.namedChild(0) : (given ?? null);
      return QUESTIONS.test(name) || (CONVERSIONS.test(name) && isTruth(query, first, source));
    }
    case 'identifier':
      return query.names.of(node, source).some((bound) => isTruth(query, bound.value, bound.source));
    default:
      return false;
  }
}

/** Whether a part of an expression is put together of a number of the script and a count of something that is not the script's. */
export function isShifted(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  return [...walkPython(node)].some((inner) => {
    if (inner.type !== 'binary_operator') return false;
    const [left, right] = [inner.childForFieldName('left'), inner.childForFieldName('right')];
    return (
      (isCount(query, left, source) && isQuantity(query, right, source)) ||
      (isCount(query, right, source) && isQuantity(query, left, source))
    );
  });
}

/** Whether an expression is a count, a length or a place of something that is not the script's. */
export function isCount(query: ChoiceQuery, node: PythonNode | null, source: ScriptSource): boolean {
  if (node === null || !isDecided(query, node, source)) return false;
  return answerOnce(query, { question: 'count', node, source, whileOpen: false }, () => isCountHere(query, node, source));
}

function isCountHere(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (node.type === 'parenthesized_expression') return isCount(query, node.namedChild(0), source);
  if (node.type === 'identifier') return query.names.of(node, source).some((bound) => isCount(query, bound.value, bound.source));
  const callee = node.type === 'call' ? node.childForFieldName('function') : null;
  return COUNTS.test(callee?.childForFieldName('attribute')?.text ?? callee?.text ?? '');
}
