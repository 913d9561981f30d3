import { walkPython, type PythonNode } from '@reenact/code-index';
import { conditionalOf, isDecided, isQuantity, type ChoiceQuery } from './choice-query.js';
import { conditionalAt } from './deciding-conditions.js';
import { FROM_SUBJECT, has } from './labels.js';
import { answerOnce, type NameValue } from './name-values.js';
import { ownValueOf } from './own-quantities.js';
import { bindingOf, functionAround, type ScriptFunction, type ScriptSource } from './script-scopes.js';
import { isTruth } from './truth-values.js';

const ARITHMETIC = /^(?:\*\*?|\+|-|<<|\/\/?|\||\^|%)$/;
const LOOKUPS = /^(?:get|pop|setdefault|__getitem__|index|itemgetter)$/;

/**
 * Whether a part of an expression is a quantity of the script that something else chose: `9 if hasattr(x, "a") else 1`, an
 * entry of a table of its own, a name that a branch sets, a number times the answer to a question.
 */
export function isChosen(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  // A value that depends on itself is chosen only if another part of it is.
  return answerOnce(
    query,
    { question: 'chosen', node, source, whileOpen: false },
    () => isChosenHere(query, node, source) || partsOf(query, node, source).some((part) => isChosen(query, part, source)),
  );
}

function isChosenHere(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  switch (node.type) {
    case 'conditional_expression':
      return isDecided(query, node.namedChild(1), source) && [0, 2].some((at) => isQuantity(query, node.namedChild(at), source));
    case 'boolean_operator':
      return isChosenByTruth(query, node, source);
    case 'subscript':
      return isEntry(query, node, source);
    case 'binary_operator':
      return ARITHMETIC.test(node.childForFieldName('operator')?.text ?? '') && isWeighed(query, node, source);
    case 'identifier':
      return isChosenName(query, node, source);
    case 'call':
      return isChosenByCall(query, node, source);
    case 'list_comprehension':
    case 'generator_expression':
      return isFiltered(query, node, source);
    default:
      return false;
  }
}

/** An entry of a table of its own; arguments that are gathered by their names are none: `{name: given[name] for name in names}`. */
function isEntry(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  const index = node.childForFieldName('subscript');
  const isByName = node.parent?.type === 'pair' && node.parent.childForFieldName('key')?.text === index?.text;
  return !isByName && isDecided(query, index, source) && isQuantity(query, node.childForFieldName('value'), source);
}

/** `flag and 5`; `flag or 5` only where the flag itself is no quantity that may be meant. */
function isChosenByTruth(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
  if (!isDecided(query, left, source) || !isQuantity(query, right, source)) return false;
  return node.childForFieldName('operator')?.text === 'and' || isTruth(query, left, source);
}

/** A quantity of the script, times or plus the answer to a question. */
function isWeighed(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  const sides = [node.childForFieldName('left'), node.childForFieldName('right')];
  return [0, 1].some((at) => {
    const truth = sides[at] ?? null;
    if (!isTruth(query, truth, source) || !isDecided(query, truth, source)) return false;
    return isQuantity(query, sides[1 - at] ?? null, source) || isOneBeside(query, node, { truth, other: sides[1 - at] ?? null }, source);
  });
}

/** `1 + flag`: one more where the answer is yes. How often something was counted is no such answer. */
function isOneBeside(
  query: ChoiceQuery,
  node: PythonNode,
  { truth, other }: { truth: PythonNode | null; other: PythonNode | null },
  source: ScriptSource,
): boolean {
  if (!/^[+-]$/.test(node.childForFieldName('operator')?.text ?? '') || Number(other?.text) !== 1) return false;
  return truth?.type !== 'identifier' || query.names.of(truth, source).every(({ isAdded }) => !isAdded);
}

/** Several values of its own, of which a condition lets one be taken; or one that was chosen before. */
function isChosenName(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  const values = query.names.of(node, source);
  if (values.some((bound) => isChosen(query, bound.value, bound.source))) return true;
  const ready = values.filter((bound) => ownValueOf(query, bound.value, bound.source) !== null);
  const isChanged = ({ isAdded, at, source: where }: NameValue): boolean => isAdded && conditionalOf(query, at, where) === 'branch';
  if (ready.some((bound) => !bound.isAdded && isQuantity(query, bound.value, bound.source)) && values.some(isChanged)) return true;
  if (new Set(ready.map(({ value }) => value.text)).size < 2 || !ready.some((bound) => isQuantity(query, bound.value, bound.source)))
    return false;
  return ready.some((bound) => conditionalOf(query, bound.at, bound.source) !== null);
}

function isChosenByCall(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  const callee = node.childForFieldName('function');
  const given = node.childForFieldName('arguments');
  if (callee === null || given === null) return false;
  const method = callee.childForFieldName('attribute')?.text ?? '';
  if (LOOKUPS.test(method) && isQuantity(query, callee.childForFieldName('object'), source) && isDecided(query, given, source)) return true;
  return ownFunctions(query, callee, source).some((fn) => returnsChoice(query, fn));
}

function ownFunctions(query: ChoiceQuery, callee: PythonNode, source: ScriptSource): ScriptFunction[] {
  const { scopes } = query.flow;
  const name = callee.childForFieldName('attribute')?.text ?? callee.text;
  const isImported = callee.type === 'identifier' && scopes.imports.has(bindingOf(scopes, source, callee, name) ?? '');
  return isImported ? [] : (scopes.byName.get(name) ?? []);
}

function returnsChoice(query: ChoiceQuery, fn: ScriptFunction): boolean {
  const returned = [...walkPython(fn.node)].flatMap((node) => {
    const value = node.type === 'return_statement' || node.type === 'yield' ? node.namedChild(0) : null;
    return value !== null && functionAround(query.flow.scopes, fn.source, node)?.key === fn.key ? [value] : [];
  });
  if (returned.some((value) => isChosen(query, value, fn.source))) return true;
  const ready = returned.filter((value) => ownValueOf(query, value, fn.source) !== null);
  return (
    ready.length > 1 &&
    ready.some((value) => isQuantity(query, value, fn.source)) &&
    ready.some((value) => conditionalAt(query, value, fn.source) !== null)
  );
}

/** `(n for n, flag in ((9, True), (1, False)) if flag == asked)`: quantities that a condition lets through. */
function isFiltered(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  const clauses = node.namedChildren.filter((part) => part?.type === 'for_in_clause');
  const conditions = node.namedChildren.filter((part) => part?.type === 'if_clause');
  return (
    conditions.some((part) => isDecided(query, part, source)) &&
    clauses.every((part) => isQuantity(query, part?.childForFieldName('right') ?? null, source))
  );
}

/** Parts from which an expression takes what it is; what the subject makes of its input is its own doing. */
function partsOf(query: ChoiceQuery, node: PythonNode, source: ScriptSource): PythonNode[] {
  const part = (field: string): PythonNode[] => [node.childForFieldName(field)].filter((child) => child !== null);
  if (node.type === 'keyword_argument') return part('value');
  if (node.type === 'attribute') return part('object');
  // The condition itself is not what is chosen.
  if (node.type === 'comparison_operator' || node.type === 'not_operator') return [];
  if (node.type === 'call' && has(query.flow.labelsOf(part('function')[0] ?? node, source), FROM_SUBJECT)) return [];
  return node.namedChildren.filter((child) => child !== null);
}
