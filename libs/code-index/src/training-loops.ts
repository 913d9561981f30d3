import { dottedName } from './receiver-origins.js';
import type { Origins } from './receiver-origins.js';
import type { PythonNode } from './python-syntax.js';
import type { CallSite, RuleHit, TrainingRule } from './training-rules.js';
import { rulesOfCall, rulesOfMethod, STEP_RULES } from './training-rules.js';
import { definedName, firstLine, visitPython } from './visit-python.js';

/** Where a rule fired. Nodes live as long as their tree. */
export interface TrainingHit {
  rule: TrainingRule;
  /** The outermost loop around the call in its function, or the call's statement where no loop is needed. */
  anchor: PythonNode;
  /** The function around the anchor; null at module level. */
  scope: PythonNode | null;
  /** Line of the call or definition that the rule fired for, from 1. */
  line: number;
}

/** A call by name, where it stands. */
export interface CallPlace extends CallSite {
  /** The outermost loop around the call in its function; its statement where there is none. */
  anchor: PythonNode;
  scope: PythonNode | null;
  line: number;
  inLoop: boolean;
}

/** What a file says about training, before the calls between files are known. */
export interface TrainingSurvey {
  hits: TrainingHit[];
  /** Steps outside any loop, by the function that holds them: some count only when a loop calls it, the others are shown with it then. */
  pending: { rule: TrainingRule; function: PythonNode }[];
  /** Calls by the callee's last name, in source order; the first ones in loops and the first ones outside. */
  calls: Map<string, CallPlace[]>;
  /** Functions that a name stands for by a wrapper such as `jax.jit`. */
  wrapped: Map<string, Set<string>>;
}

interface Scope {
  node: PythonNode | null;
  loops: PythonNode[];
}

/** Hits taken from one file: no hand-written file has more, and each costs a look at its surroundings. */
const MOST_HITS = 500;
/** Calls kept of one name, in loops and outside each. */
const MOST_CALLS_OF_NAME = 8;

/** Functions that give back the function that they are given, made faster or with some arguments filled in. */
const WRAPPERS = /^(?:jit|pjit|pmap|vmap|xmap|shard_map|partial|function|compile|script|checkpoint|remat|wraps)$/;

const LOOPS = new Set([
  'for_statement',
  'while_statement',
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);

/** Applies the rules of `training-rules.ts` to a file's tree. `reached` are the top modules within one import of the file. */
export function surveyTraining(root: PythonNode, origins: Origins, reached: Set<string>): TrainingSurvey {
  const survey: TrainingSurvey = { hits: [], pending: [], calls: new Map(), wrapped: new Map() };
  const scopes: Scope[] = [{ node: null, loops: [] }];
  const classes: PythonNode[] = [];
  let tapes = 0;
  visitPython(root, {
    enter(node, parent) {
      const scope = scopes.at(-1) ?? { node: null, loops: [] };
      if (LOOPS.has(node.type)) scope.loops.push(node);
      else if (opensTape(node)) tapes++;
      else if (node.type === 'class_definition') classes.push(node);
      else if (node.type === 'assignment') noteWrapper(survey, node);
      else if (node.type === 'function_definition') {
        if (isMethod(node, parent)) noteMethod(survey, node, classes.at(-1), reached);
        scopes.push({ node, loops: [] });
      } else if (node.type === 'call') noteCall(survey, scope, node, callSite(node, { origins, reached, inTape: tapes > 0 }));
    },
    leave(node) {
      if (LOOPS.has(node.type)) scopes.at(-1)?.loops.pop();
      else if (opensTape(node)) tapes--;
      else if (node.type === 'class_definition') classes.pop();
      else if (node.type === 'function_definition') scopes.pop();
    },
  });
  return survey;
}

/** True for a function directly in the body of a class; asked only for names that a rule knows, since parents are slow. */
function isMethod(node: PythonNode, parent: PythonNode | null): boolean {
  if (!/train/.test(definedName(node))) return false;
  const body = parent?.type === 'decorated_definition' ? parent.parent : parent;
  return body?.parent?.type === 'class_definition';
}

function opensTape(node: PythonNode): boolean {
  if (node.type !== 'with_statement') return false;
  const clause = node.namedChildren.find((child) => child?.type === 'with_clause');
  return clause !== undefined && clause !== null && /\bGradientTape\s*\(/.test(clause.text.slice(0, 500));
}

function noteMethod(survey: TrainingSurvey, node: PythonNode, around: PythonNode | undefined, reached: Set<string>): void {
  const bases = around?.childForFieldName('superclasses')?.namedChildren.map((base) => base?.text ?? '') ?? [];
  for (const { rule } of rulesOfMethod(definedName(node), bases, reached))
    survey.hits.push({ rule, anchor: node, scope: node, line: firstLine(node) });
}

function noteCall(survey: TrainingSurvey, scope: Scope, node: PythonNode, call: CallSite): void {
  const loop = scope.loops[0];
  const inLoop = loop !== undefined;
  const same = survey.calls.get(call.method) ?? [];
  const isKept = same.filter((other) => other.inLoop === inLoop).length < MOST_CALLS_OF_NAME;
  const hits = survey.hits.length + survey.pending.length >= MOST_HITS ? [] : rulesOfCall(call);
  if (!isKept && hits.length === 0) return;
  const place = { anchor: statementOf(loop ?? node), scope: scope.node, line: firstLine(node) };
  if (isKept) survey.calls.set(call.method, [...same, { ...call, ...place, inLoop }]);
  for (const name of survey.wrapped.get(call.method) ?? []) noteWrapped(survey, name, { ...call, method: name, ...place, inLoop });
  for (const hit of hits) noteHit(survey, hit, place, inLoop);
}

function noteWrapped(survey: TrainingSurvey, name: string, place: CallPlace): void {
  const same = survey.calls.get(name) ?? [];
  if (same.length < 2 * MOST_CALLS_OF_NAME) survey.calls.set(name, [...same, place]);
}

/** Notes `fast = jax.jit(step)` and `self.fast = partial(step, 3)`: a call of `fast` is one of `step`. */
function noteWrapper(survey: TrainingSurvey, assignment: PythonNode): void {
  const right = assignment.childForFieldName('right');
  const name = lastName(assignment.childForFieldName('left'));
  if (right?.type !== 'call' || name === '' || !WRAPPERS.test(lastName(right))) return;
  const names = new Set<string>();
  for (let call: PythonNode | null = right; call !== null;) {
    const given: PythonNode | null = call.childForFieldName('arguments')?.namedChild(0) ?? null;
    call = given?.type === 'call' ? given : null;
    if (call === null && lastName(given) !== '') names.add(lastName(given));
  }
  survey.wrapped.set(name, names);
}

function noteHit(survey: TrainingSurvey, hit: RuleHit, place: Omit<TrainingHit, 'rule'>, inLoop: boolean): void {
  if (inLoop || !hit.needsLoop) survey.hits.push({ rule: hit.rule, ...place });
  const isStep = hit.needsLoop || STEP_RULES.has(hit.rule);
  if (!inLoop && isStep && place.scope !== null) survey.pending.push({ rule: hit.rule, function: place.scope });
}

function statementOf(node: PythonNode): PythonNode {
  let current = node;
  while (current.parent !== null && current.parent.type !== 'block' && current.parent.type !== 'module') current = current.parent;
  return current;
}

function callSite(node: PythonNode, file: { origins: Origins; reached: Set<string>; inTape: boolean }): CallSite {
  const callee = node.childForFieldName('function');
  const isMethod = callee?.type === 'attribute';
  const object = isMethod ? callee.childForFieldName('object') : callee;
  const method = isMethod ? (callee.childForFieldName('attribute')?.text ?? '') : (callee?.text.slice(0, 100) ?? '');
  const inner = node.childForFieldName('arguments')?.namedChildren ?? [];
  return {
    method,
    receiver: isMethod ? lastName(object) : '',
    origins: file.origins.of(object),
    isMethod,
    inTape: file.inTape,
    argumentNames: inner.slice(0, 8).map((argument) => lastName(argument)),
    reached: file.reached,
  };
}

function lastName(expression: PythonNode | null): string {
  return dottedName(expression)?.split('.').at(-1) ?? '';
}
