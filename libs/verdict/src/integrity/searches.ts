import { walkPython, type PythonNode } from '@reenact/code-index';
import { conditionalOf, type ChoiceQuery } from './choice-query.js';
import { isChosen } from './chosen-values.js';
import { FROM_SUBJECT, has } from './labels.js';
import { answerOnce, type NameValue } from './name-values.js';
import type { ScriptFunction, ScriptSource } from './script-scopes.js';

const NESTING_LIMIT = 3;

/**
 * Whether a number was searched for by asking about the number itself, as in `while fits(n): n *= 2`: every condition that
 * lets it change hands it, or what it becomes, to the function of the subject that it is then used with. A number that another
 * fact decides over is no such thing, however it is looped.
 * @param callee name of the function of the subject that gets the number; null for any
 */
export function isSearched(query: ChoiceQuery, node: PythonNode, source: ScriptSource, callee: string | null): boolean {
  const chosen = identifiersIn(node).filter((name) => isChosen(query, name, source));
  return chosen.length > 0 && chosen.every((name) => isSearchedName(query, name, source, callee));
}

function identifiersIn(node: PythonNode): PythonNode[] {
  return [...walkPython(node)].filter((inner) => inner.type === 'identifier');
}

function isSearchedName(query: ChoiceQuery, name: PythonNode, source: ScriptSource, callee: string | null): boolean {
  return answerOnce(query, { question: `searched ${callee ?? ''}`, node: name, source, whileOpen: true }, () => {
    const bound = query.names.of(name, source);
    return bound.length > 0 && bound.every((one) => isFoundByAsking(query, name.text, { bound: one, siblings: bound }, callee));
  });
}

/** One binding of a name, with all of them: by these a name is told from another of the same spelling. */
interface Bound {
  bound: NameValue;
  siblings: readonly NameValue[];
}

function isFoundByAsking(query: ChoiceQuery, name: string, { bound, siblings }: Bound, callee: string | null): boolean {
  const held = identifiersIn(bound.value);
  if (isAskedAround(query, new Set([name, ...held.map(({ text }) => text)]), bound, callee)) return true;
  const conditional = conditionalOf(query, bound.at, bound.source);
  if (conditional === null && !isChosen(query, bound.value, bound.source)) return true;
  if (conditional === 'branch') return false;
  const others = held.filter((other) => query.names.of(other, bound.source) !== siblings);
  // Where none of them was chosen, something else decides, such as a fact about the subject: that is no search.
  const isFromChosen = others.some((other) => isChosen(query, other, bound.source));
  return isFromChosen && others.every((other) => isSearchedName(query, other, bound.source, callee));
}

/** Whether a condition around a place, or one before it that may leave its block, hands one of the names to the function that it is about. */
function isAskedAround(query: ChoiceQuery, names: ReadonlySet<string>, bound: NameValue, callee: string | null): boolean {
  for (let outer: PythonNode | null = bound.at; outer !== null; outer = outer.parent) {
    const conditions = [outer, ...leavingBefore(outer)].map((node) =>
      /^(?:if_statement|elif_clause|while_statement)$/.test(node.type) ? node.childForFieldName('condition') : null,
    );
    const asks = (condition: PythonNode | null): boolean =>
      condition !== null && asksAbout(query, { node: condition, source: bound.source, names }, callee);
    if (conditions.some(asks)) return true;
  }
  return false;
}

/** `if not fits(n): break` in front of a place of the same loop. */
function leavingBefore(node: PythonNode): PythonNode[] {
  if (node.parent?.type !== 'block') return [];
  return node.parent.namedChildren.filter(
    (other): other is PythonNode =>
      other?.type === 'if_statement' &&
      other.startIndex < node.startIndex &&
      [...walkPython(other)].some(({ type }) => /^(?:break|return|continue)_statement$/.test(type)),
  );
}

interface Asking {
  node: PythonNode;
  source: ScriptSource;
  names: ReadonlySet<string>;
}

/** A call of the subject with one of the names, in an expression or in the functions of the script that it hands the name to. */
function asksAbout(query: ChoiceQuery, asking: Asking, callee: string | null, depth = 0): boolean {
  return [...walkPython(asking.node)].some((node) => {
    if (node.type !== 'call') return false;
    const [called, given] = [node.childForFieldName('function'), node.childForFieldName('arguments')];
    if (called === null || given === null || !identifiersIn(given).some(({ text }) => asking.names.has(text))) return false;
    const isSubject = has(query.flow.labelsOf(called, asking.source), FROM_SUBJECT);
    if (isSubject && (callee === null || lastName(called) === callee)) return true;
    return depth < NESTING_LIMIT && ownFunctions(query, called).some((fn) => asksAbout(query, within(fn), callee, depth + 1));
  });
}

function within(fn: ScriptFunction): Asking {
  return { node: fn.node.childForFieldName('body') ?? fn.node, source: fn.source, names: new Set(fn.parameters) };
}

function ownFunctions(query: ChoiceQuery, called: PythonNode): ScriptFunction[] {
  return called.type === 'identifier' ? (query.flow.scopes.byName.get(called.text) ?? []) : [];
}

/** Plain name of what a call calls. */
export function lastName(called: PythonNode): string {
  return called.childForFieldName('attribute')?.text ?? called.text;
}
