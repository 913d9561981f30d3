import { walkPython, type PythonNode } from '@reenact/code-index';
import type { ChoiceQuery } from './choice-query.js';
import type { ScriptSource } from './script-scopes.js';
import { isTruth } from './truth-values.js';

/**
 * Whether the condition around an expression asks about the very thing that the expression uses: `if out is not None:
 * kept.append(out)`. The answer to another question, kept in a name, is no such thing.
 */
export function isAskedAbout(query: ChoiceQuery, used: PythonNode, source: ScriptSource): boolean {
  const names = new Set([...walkPython(used)].filter((node) => isThing(query, node, source)).map(({ text }) => text));
  for (let outer = used.parent; outer !== null; outer = outer.parent) {
    const condition = outer.type === 'if_statement' ? outer.childForFieldName('condition') : null;
    if (condition === null) continue;
    return [...walkPython(condition)].some((node) => node.type === 'identifier' && names.has(node.text));
  }
  return false;
}

function isThing(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  return node.type === 'identifier' && !isTruth(query, node, source);
}

/** Ways to ask for something that may not be there. */
const LOOKS_FOR = /getattr|\.get\(|\bvars\b|__dict__|\bnext\(/;

/** `if loss is not None:` around a place: only that there is a result is asked, and nothing was looked for. */
export function isAskedForResult(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (outer.type !== 'if_statement') continue;
    const condition = outer.childForFieldName('condition');
    const asked = condition?.namedChild(0);
    if (condition?.type !== 'comparison_operator' || asked?.type !== 'identifier' || condition.namedChild(1)?.type !== 'none') return false;
    const isNot = condition.childForFieldName('operators')?.text === 'is not';
    return isNot && query.names.of(asked, source).every(({ value }) => !LOOKS_FOR.test(value.text));
  }
  return false;
}
