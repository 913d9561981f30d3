import { walkPython, type PythonNode } from '@reenact/code-index';
import { callKind } from './known-calls.js';
import { canonicalName, labelsOf } from './expression-labels.js';
import { FROM_SUBJECT, IMITATION, type Labels } from './labels.js';
import { givesOwnAnswers } from './own-classes.js';
import type { FlowState } from './script-flow.js';
import { addBinding, assign } from './bindings.js';
import type { ScriptSource } from './script-scopes.js';

/**
 * Labels only grow, so that this ends by itself; a round takes what is found through one more call of a function that stands
 * before the one it calls. The bound is for chains that nobody writes.
 */
const ROUNDS_LIMIT = 400;

/** Runs every block of the script until no label changes, then once more to collect calls and statements. */
export function runScript(flow: FlowState): (node: PythonNode, source: ScriptSource) => Labels {
  for (let round = 0; round < ROUNDS_LIMIT; round++) {
    flow.changed = false;
    runAll(flow);
    if (!flow.changed) break;
  }
  flow.collecting = true;
  runAll(flow);
  flow.collecting = false;
  return (node, source) => labelsOf(flow, node, source);
}

function runAll(flow: FlowState): void {
  for (const source of flow.sources) {
    Object.assign(flow, { context: 0, function: null });
    runBlock(flow, source.root, source);
  }
  for (const fn of flow.scopes.functions.values()) {
    const body = fn.node.childForFieldName('body');
    if (fn.node.type !== 'function_definition' || body === null) continue;
    Object.assign(flow, { context: flow.entries.get(fn.key) ?? 0, function: fn.key });
    runBlock(flow, body, fn.source);
  }
}

function runBlock(flow: FlowState, block: PythonNode, source: ScriptSource): void {
  const outer = flow.context;
  for (const statement of block.namedChildren) {
    if (statement === null) continue;
    const decides = runStatement(flow, statement, source);
    // What follows a branch that leaves the block depends on that branch.
    if (decides !== 0 && leavesBlock(flow, statement, source)) flow.context |= decides;
  }
  flow.context = outer;
}

const LEAVING = new Set(['return_statement', 'raise_statement', 'break_statement', 'continue_statement', 'assert_statement']);

function leavesBlock(flow: FlowState, statement: PythonNode, source: ScriptSource): boolean {
  for (const node of walkPython(statement)) {
    if (LEAVING.has(node.type)) return true;
    if (node.type !== 'call') continue;
    const name = canonicalName(flow, node.childForFieldName('function'), source);
    if (name !== null && callKind(name) === 'exits') return true;
  }
  return false;
}

/** Runs blocks below a statement whose condition carries `labels`. */
function under(flow: FlowState, labels: Labels, run: () => void): void {
  const outer = flow.context;
  flow.context |= labels;
  run();
  flow.context = outer;
}

/** @returns labels that decide which of the statement's blocks run; 0 for a statement without blocks */
function runStatement(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  switch (node.type) {
    case 'if_statement':
      return runIf(flow, node, source);
    case 'for_statement':
    case 'while_statement':
      return runLoop(flow, node, source);
    case 'try_statement':
      return runTry(flow, node, source);
    case 'with_statement':
      return runWith(flow, node, source);
    case 'match_statement':
      return runMatch(flow, node, source);
    case 'decorated_definition':
      for (const child of node.namedChildren) {
        if (child?.type === 'decorator') labelsOf(flow, child, source);
        else if (child !== null) runStatement(flow, child, source);
      }
      return 0;
    case 'function_definition':
      return 0;
    case 'class_definition':
      return runClass(flow, node, source);
    default:
      return runSimple(flow, node, source);
  }
}

function runSimple(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const labels = node.namedChildren.reduce((sum, child) => (child === null ? sum : sum | runExpression(flow, child, source)), 0);
  if (node.type === 'return_statement' && flow.function !== null) addReturn(flow, flow.function, labels | flow.context);
  const isSite = node.type === 'raise_statement' || node.type === 'assert_statement' || node.type === 'delete_statement';
  if (isSite && flow.collecting) flow.statements.push({ node, source, labels, context: flow.context });
  return node.type === 'assert_statement' ? labels : 0;
}

function runExpression(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  if (node.type !== 'assignment' && node.type !== 'augmented_assignment') {
    const labels = labelsOf(flow, node, source);
    if (node.type === 'yield' && flow.function !== null) addReturn(flow, flow.function, labels | flow.context);
    return labels;
  }
  const right = node.childForFieldName('right');
  if (right === null) return 0;
  const labels = runExpression(flow, right, source);
  const left = node.childForFieldName('left');
  if (left === null) return labels;
  assign(flow, left, labels | flow.context, source);
  const isPlace = left.type === 'attribute' || left.type === 'subscript';
  if (isPlace && flow.collecting) flow.statements.push({ node, source, labels, context: flow.context });
  return labels;
}

function addReturn(flow: FlowState, key: string, labels: Labels): void {
  const before = flow.returns.get(key) ?? 0;
  if ((before | labels) === before) return;
  flow.returns.set(key, before | labels);
  flow.changed = true;
}

function runIf(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  let decides = fieldLabels(flow, node, 'condition', source);
  under(flow, decides, () => runField(flow, node, 'consequence', source));
  for (const clause of node.namedChildren) {
    if (clause?.type === 'elif_clause') {
      decides |= fieldLabels(flow, clause, 'condition', source);
      under(flow, decides, () => runField(flow, clause, 'consequence', source));
    } else if (clause?.type === 'else_clause') under(flow, decides, () => runField(flow, clause, 'body', source));
  }
  return decides;
}

function runLoop(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const decides = fieldLabels(flow, node, node.type === 'for_statement' ? 'right' : 'condition', source);
  const left = node.childForFieldName('left');
  if (left !== null) assign(flow, left, decides | flow.context, source);
  if (flow.collecting) flow.statements.push({ node, source, labels: decides, context: flow.context });
  under(flow, decides, () => runField(flow, node, 'body', source));
  for (const clause of node.namedChildren)
    if (clause?.type === 'else_clause') under(flow, decides, () => runField(flow, clause, 'body', source));
  return decides;
}

function runTry(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const decides = labelsSeen(flow, () => runField(flow, node, 'body', source));
  for (const clause of node.namedChildren) {
    if (clause === null || clause.id === node.childForFieldName('body')?.id) continue;
    const labels = clause.type === 'finally_clause' ? 0 : decides;
    under(flow, labels, () => runClause(flow, clause, labels, source));
  }
  return decides;
}

function runClause(flow: FlowState, clause: PythonNode, labels: Labels, source: ScriptSource): void {
  for (const child of clause.namedChildren) {
    if (child === null) continue;
    if (child.type === 'block') runBlock(flow, child, source);
    else if (child.type === 'as_pattern') assign(flow, child.childForFieldName('alias') ?? child, labels, source);
    else labelsOf(flow, child, source);
  }
}

function labelsSeen(flow: FlowState, run: () => void): Labels {
  const outer = flow.seen;
  flow.seen = 0;
  run();
  const seen = flow.seen;
  flow.seen |= outer;
  return seen;
}

/** Names of context managers after which the code runs only if the body raised, or although it did. */
const CATCHING = /raises|suppress|assertwarns|warns/i;

function runWith(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const items = [...walkPython(node.namedChildren[0] ?? node)].filter((child) => child.type === 'with_item');
  for (const item of items) {
    const value = item.childForFieldName('value') ?? item;
    const pattern = value.type === 'as_pattern' ? value : null;
    const labels = labelsOf(flow, pattern?.namedChildren[0] ?? value, source) | flow.context;
    const alias = pattern?.childForFieldName('alias');
    if (alias) assign(flow, alias, labels, source);
  }
  const decides = labelsSeen(flow, () => runField(flow, node, 'body', source));
  // What a redirected stream or a warnings list holds afterwards comes out of the body.
  for (const item of items) {
    for (const child of walkPython(item)) if (child.type === 'identifier') addBinding(flow, child, decides & FROM_SUBJECT, source);
  }
  return items.some((item) => CATCHING.test(item.text)) ? decides : 0;
}

function runMatch(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const decides = fieldLabels(flow, node, 'subject', source);
  for (const clause of walkPython(node.childForFieldName('body') ?? node)) {
    if (clause.type !== 'case_clause') continue;
    for (const pattern of clause.namedChildren) if (pattern?.type === 'case_pattern') assign(flow, pattern, decides | flow.context, source);
    under(flow, decides, () => runField(flow, clause, 'consequence', source));
  }
  return decides;
}

function runClass(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const bases = fieldLabels(flow, node, 'superclasses', source);
  const name = node.childForFieldName('name');
  if (name !== null) addBinding(flow, name, bases | (givesOwnAnswers(node) ? IMITATION : 0), source);
  // An instance of a class that is derived from the subject's is the subject's.
  for (const fn of flow.scopes.functions.values()) {
    const own = fn.parameters[0];
    const inClass = fn.node.startIndex > node.startIndex && fn.node.endIndex <= node.endIndex && fn.source === source;
    const first = fn.node.childForFieldName('parameters');
    if (inClass && own !== undefined && first !== null) addBinding(flow, first.namedChildren[0] ?? first, bases, source);
  }
  runField(flow, node, 'body', source);
  return 0;
}

function fieldLabels(flow: FlowState, node: PythonNode, field: string, source: ScriptSource): Labels {
  const child = node.childForFieldName(field);
  return child === null ? 0 : labelsOf(flow, child, source);
}

function runField(flow: FlowState, node: PythonNode, field: string, source: ScriptSource): void {
  const block = node.childForFieldName(field);
  if (block !== null) runBlock(flow, block, source);
}
