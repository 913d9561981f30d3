import { conditionalAt, decides, type Conditional } from './deciding-conditions.js';
import { answerOnce, collectNameValues, type NamedFlow } from './name-values.js';
import { ownValueOf } from './own-quantities.js';
import type { PythonNode } from '@reenact/code-index';
import type { ScriptFlow } from './script-flow.js';
import { functionAround, type ScriptSource } from './script-scopes.js';

/** A followed script, prepared for questions about which of its own quantities it takes, and who decides that. */
export type ChoiceQuery = NamedFlow;

/** Walks the script once for all questions. */
export function createChoiceQuery(flow: ScriptFlow): ChoiceQuery {
  return { flow, names: collectNameValues(flow), answers: new Map() };
}

/** Whether an expression is the script's own and more than a switch. */
export function isQuantity(query: ChoiceQuery, node: PythonNode | null, source: ScriptSource): boolean {
  return node !== null && ownValueOf(query, node, source) === 'quantity';
}

/** Whether something other than the script decides over an expression. */
export function isDecided(query: ChoiceQuery, node: PythonNode | null, source: ScriptSource): boolean {
  return node !== null && decides(query, node, source);
}

/** The condition around a place, and around the calls of the function that it stands in. */
export function conditionalOf(query: ChoiceQuery, node: PythonNode, source: ScriptSource): Conditional {
  return answerOnce<Conditional>(query, { question: 'conditional', node, source, whileOpen: null }, () => {
    const here = conditionalAt(query, node, source);
    if (here === 'branch') return here;
    const fn = functionAround(query.flow.scopes, source, node);
    const callers = fn === null ? [] : query.names.callsOf(fn).map((call) => conditionalOf(query, call.node, call.source));
    return callers.includes('branch') ? 'branch' : (here ?? (callers.includes('loose') ? 'loose' : null));
  });
}
