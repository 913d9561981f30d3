import { walkPython, type PythonNode } from '@reenact/code-index';
import { canonicalOf } from './flow-queries.js';
import { FROM_SOURCE, FROM_SUBJECT, has, IMPURE } from './labels.js';
import { answerOnce, type NamedFlow } from './name-values.js';
import type { ScriptSource } from './script-scopes.js';

/** Facts of the machine and of how the script was started: an honest script fits its sizes to them. */
const OF_THE_MACHINE = /is_available|device_count|environ|argv|platform|cpu_count|parse_args|\brandom\b|disable_gil/;
/** State of libraries that a subject leaves behind, and versions, which tell one environment from another. */
const LIBRARY_STATE =
  /^(?:logging|warnings|gc|threading|tracemalloc)\.|^sys\.(?:modules|flags|version|version_info|hexversion|implementation)\b|\.__version__$|\.version\./;
const FLOW_ENDS = new Set(['return_statement', 'raise_statement', 'break_statement', 'continue_statement']);
const DECIDERS = FROM_SUBJECT | FROM_SOURCE;

/**
 * How a condition that something other than the script decides over lies around a place: `branch` for an `if`, a handler
 * or a conditional expression; `loose` for a loop, for what follows something that may leave or raise before it.
 */
export type Conditional = 'branch' | 'loose' | null;

/** Whether the subject, its text, what it leaves behind or a version decides over an expression's value. */
export function decides(script: NamedFlow, node: PythonNode, source: ScriptSource): boolean {
  return answerOnce(script, { question: 'decides', node, source, whileOpen: false }, () => decidesHere(script, node, source));
}

function decidesHere(script: NamedFlow, node: PythonNode, source: ScriptSource): boolean {
  const labels = script.flow.labelsOf(node, source);
  if (has(labels, DECIDERS)) return true;
  if (has(labels, IMPURE) && !isOfTheMachine(script, node, source)) return true;
  return [...walkPython(node)].some(
    (inner) => inner.type === 'attribute' && LIBRARY_STATE.test(canonicalOf(script.flow, inner, source) ?? ''),
  );
}

/** Whether an expression, or what its names are bound to, tells of the machine. */
function isOfTheMachine(script: NamedFlow, node: PythonNode, source: ScriptSource): boolean {
  return answerOnce(script, { question: 'machine', node, source, whileOpen: false }, () => {
    if (OF_THE_MACHINE.test(node.text)) return true;
    return [...walkPython(node)].some(
      (inner) =>
        inner.type === 'identifier' &&
        script.names.of(inner, source).some(({ value, source: where }) => isOfTheMachine(script, value, where)),
    );
  });
}

/** Looks outwards from a place to the function or module that it stands in. */
export function conditionalAt(script: NamedFlow, node: PythonNode, source: ScriptSource): Conditional {
  let found: Conditional = null;
  for (let inner = node, outer = node.parent; outer !== null; inner = outer, outer = outer.parent) {
    if (outer.type === 'function_definition' || outer.type === 'lambda') break;
    const here = conditionalIn(script, outer, inner, source);
    if (here === 'branch') return 'branch';
    found = found ?? here;
  }
  return found;
}

function conditionalIn(script: NamedFlow, outer: PythonNode, inner: PythonNode, source: ScriptSource): Conditional {
  const asks = (field: string): boolean => {
    const condition = outer.childForFieldName(field);
    return condition !== null && condition.id !== inner.id && decides(script, condition, source);
  };
  switch (outer.type) {
    case 'if_statement':
    case 'elif_clause':
      return asks('condition') ? 'branch' : null;
    case 'match_statement':
      return asks('subject') ? 'branch' : null;
    case 'while_statement':
      return asks('condition') ? 'loose' : null;
    case 'for_statement':
      return asks('right') ? 'loose' : null;
    case 'conditional_expression':
      return inner.id !== outer.namedChild(1)?.id && decides(script, outer.namedChild(1) ?? outer, source) ? 'branch' : null;
    case 'boolean_operator':
      return inner.id === outer.childForFieldName('right')?.id && decides(script, outer.childForFieldName('left') ?? outer, source)
        ? 'branch'
        : null;
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return conditionalInClauses(script, outer, inner, source);
    case 'try_statement':
      return inner.type !== 'block' && inner.type !== 'finally_clause' && mayRaise(script, outer.childForFieldName('body'), source)
        ? 'branch'
        : null;
    case 'block':
    case 'module':
      return followsCondition(script, outer, inner, source) ? 'loose' : null;
    default:
      return null;
  }
}

/** The clauses around the body of a comprehension. */
function conditionalInClauses(script: NamedFlow, outer: PythonNode, inner: PythonNode, source: ScriptSource): Conditional {
  if (inner.id !== outer.namedChild(0)?.id) return null;
  const clauses = outer.namedChildren.slice(1).filter((clause): clause is PythonNode => clause !== null && decides(script, clause, source));
  if (clauses.some((clause) => clause.type === 'if_clause')) return 'branch';
  return clauses.length > 0 ? 'loose' : null;
}

/** Earlier statements of a block by which the later ones may not come: one that may leave, or one that may raise and be caught. */
function followsCondition(script: NamedFlow, block: PythonNode, inner: PythonNode, source: ScriptSource): boolean {
  const catches =
    (block.parent?.type === 'try_statement' && block.parent.namedChildren.some((clause) => clause?.type === 'except_clause')) ||
    (block.parent?.type === 'with_statement' && /suppress|raises/.test(block.parent.namedChild(0)?.text ?? ''));
  for (const statement of block.namedChildren) {
    if (statement === null || statement.id === inner.id) return false;
    if (catches && mayRaise(script, statement, source)) return true;
    if (statement.type === 'assert_statement' && decides(script, statement, source)) return true;
    if (statement.type !== 'if_statement' || !decides(script, statement.childForFieldName('condition') ?? statement, source)) continue;
    if ([...walkPython(statement)].some((child) => FLOW_ENDS.has(child.type) || /^(?:sys\.exit|exit|os\._exit)$/.test(calleeOf(child))))
      return true;
  }
  return false;
}

function calleeOf(node: PythonNode): string {
  return node.type === 'call' ? (node.childForFieldName('function')?.text ?? '') : '';
}

function mayRaise(script: NamedFlow, block: PythonNode | null, source: ScriptSource): boolean {
  if (block === null) return false;
  return answerOnce(script, { question: 'raises', node: block, source, whileOpen: false }, () => mayRaiseIn(script, block, source));
}

function mayRaiseIn(script: NamedFlow, block: PythonNode, source: ScriptSource): boolean {
  return [...walkPython(block)].some(
    (node) =>
      /^(?:call|attribute|subscript|assert_statement|import_from_statement|import_statement)$/.test(node.type) &&
      decides(script, node, source),
  );
}
