import type { PythonNode } from '@reenact/code-index';
import { isTracer, labelsOfQuestion, markTracer } from './asked-of-code.js';
import { addParameter, assign, grow, taint } from './bindings.js';
import { callKind, listsFolder, type CallKind } from './known-calls.js';
import {
  EDITED,
  FROM_SOURCE,
  FROM_SUBJECT,
  has,
  IMITATION,
  IMPURE,
  NAMES_SOURCE,
  NAMES_SUBJECT,
  NAMESPACE,
  type Labels,
} from './labels.js';
import { namespaceOfAttribute, namespaceOfCall } from './namespaces.js';
import { makesLyingType } from './own-classes.js';
import type { FlowState } from './script-flow.js';
import { editedBy, labelsOfCodeAttribute, labelsOfCodeName, showsText } from './source-access.js';
import { isScalarName } from './scalar-names.js';
import { bindingOf, functionKey, type ScriptFunction, type ScriptSource } from './script-scopes.js';
import { isSubjectModule } from './subject-listing.js';
import { labelsOfText } from './text-labels.js';

/** Labels of an expression's value; calls and walrus targets pass their labels on as they are met. */
export function labelsOf(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  switch (node.type) {
    case 'identifier':
      return labelsOfName(flow, node, source);
    case 'string':
    case 'concatenated_string':
      return labelsOfText(node.text, flow.subject) | labelsOfCodeName(node.text) | labelsOfChildren(flow, node, source);
    case 'attribute':
      return labelsOfAttribute(flow, node, source);
    case 'call':
      return labelsOfCall(flow, node, source);
    case 'keyword_argument':
      return labelsOfField(flow, node, 'value', source);
    case 'named_expression': {
      const labels = labelsOfField(flow, node, 'value', source);
      assign(flow, node.childForFieldName('name') ?? node, labels | flow.context, source);
      return labels;
    }
    case 'for_in_clause': {
      const labels = labelsOfField(flow, node, 'right', source);
      assign(flow, node.childForFieldName('left') ?? node, labels | flow.context, source);
      return labels;
    }
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return labelsOfComprehension(flow, node, source);
    case 'comparison_operator':
      return labelsOfChildren(flow, node, source) | labelsOfAsking(flow, node, source);
    case 'lambda':
      return labelsOfField(flow, node, 'body', source);
    default: {
      const labels = labelsOfChildren(flow, node, source);
      // What is made of a namespace is a copy of it.
      const copied = node.type === 'parenthesized_expression' || node.type === 'conditional_expression' ? 0 : NAMESPACE;
      return (labels | editedBy(node, labels)) & ~copied;
    }
  }
}

function labelsOfChildren(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  return node.namedChildren.reduce((sum, child) => (child === null ? sum : sum | labelsOf(flow, child, source)), 0);
}

function labelsOfField(flow: FlowState, node: PythonNode, field: string, source: ScriptSource): Labels {
  const child = node.childForFieldName(field);
  return child === null ? 0 : labelsOf(flow, child, source);
}

function labelsOfAsking(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  return labelsOfQuestion(flow, node, source, (inner) => canonicalName(flow, inner, source));
}

/** Clauses first: they bind the names that the body uses. */
function labelsOfComprehension(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const [body, ...clauses] = node.namedChildren;
  const labels = clauses.reduce((sum, child) => (child === null ? sum : sum | labelsOf(flow, child, source)), 0);
  return (body ? labels | labelsOf(flow, body, source) : labels) & ~NAMESPACE;
}

function labelsOfName(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const key = bindingOf(flow.scopes, source, node, node.text);
  if (key === null) return labelsOfUnbound(flow, node.text, source);
  const imported = flow.scopes.imports.get(key);
  const labels = flow.bindings.get(key) ?? 0;
  if (imported === undefined || !isFromSubject(flow, imported)) return labels;
  flow.reachesSubject = true;
  return labels | FROM_SUBJECT;
}

/** A name that only a star import can have brought. */
function labelsOfUnbound(flow: FlowState, name: string, source: ScriptSource): Labels {
  if (name === '__builtins__') return NAMESPACE;
  for (const module of flow.scopes.stars.get(source) ?? []) {
    if (!isFromSubject(flow, { module, member: null })) continue;
    flow.reachesSubject = true;
    const file = flow.subject.modules.get(module);
    const outline = file === undefined ? undefined : flow.subject.outlines.get(file);
    const defines =
      outline === undefined || [...outline.names, ...outline.classes, ...outline.functions.map((fn) => fn.name)].includes(name);
    if (defines) return FROM_SUBJECT;
  }
  return 0;
}

/** A helper beside the script wins over a module of the subject only where the subject has none of that name. */
function isFromSubject(flow: FlowState, imported: { module: string; member: string | null }): boolean {
  if (imported.module === '') return false;
  if (isSubjectModule(flow.subject, imported.module)) return true;
  return imported.member !== null && flow.subject.modules.has(`${imported.module}.${imported.member}`);
}

function labelsOfAttribute(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const object = labelsOfField(flow, node, 'object', source) & ~NAMESPACE;
  const space = namespaceOfAttribute(flow, node, source);
  if (space) return object | NAMESPACE;
  const ofCode = labelsOfCodeAttribute(node.childForFieldName('attribute')?.text ?? '', object);
  if (ofCode !== null) return ofCode;
  const name = canonicalName(flow, node, source);
  // The subject's folder comes first on the path.
  if (name === 'sys.path') return NAMES_SUBJECT;
  // Attributes of modules are not those of objects that share the name.
  if (name !== null && !name.startsWith('builtins.')) return object;
  return object | (flow.attributes.get(node.childForFieldName('attribute')?.text ?? '') ?? 0);
}

/**
 * Name of a callee by the script's imports: `np.mean` is `numpy.mean`, `print` is `builtins.print`.
 * @returns null for local names and for anything that is no dotted name
 */
export function canonicalName(flow: Pick<FlowState, 'scopes'>, node: PythonNode | null, source: ScriptSource): string | null {
  if (node === null) return null;
  if (node.type === 'attribute') {
    const object = canonicalName(flow, node.childForFieldName('object'), source);
    return object === null ? null : `${object}.${node.childForFieldName('attribute')?.text ?? ''}`;
  }
  if (node.type !== 'identifier') return null;
  const key = bindingOf(flow.scopes, source, node, node.text);
  if (key === null) return `builtins.${node.text}`;
  const imported = flow.scopes.imports.get(key);
  if (imported === undefined) return null;
  return imported.member === null ? imported.module : `${imported.module}.${imported.member}`;
}

function labelsOfCall(flow: FlowState, node: PythonNode, source: ScriptSource): Labels {
  const calleeNode = node.childForFieldName('function');
  const argumentNode = node.childForFieldName('arguments');
  if (calleeNode === null || argumentNode === null) return 0;
  const callee = labelsOf(flow, calleeNode, source);
  const given = argumentNode.type === 'argument_list' ? labelsOfChildren(flow, argumentNode, source) : labelsOf(flow, argumentNode, source);
  const name = canonicalName(flow, calleeNode, source);
  const kind = name === null ? methodKind(calleeNode) : callKind(name);
  const local = localFunctions(flow, calleeNode, source);
  let labels = callLabels(flow, {
    kind,
    callee,
    given,
    edited: editedBy(node, callee | given),
    toFolder: name === 'os.path.dirname',
    showsText: showsText(argumentNode, given),
    isLocal: local.length > 0,
    isMethod: name === null && calleeNode.type === 'attribute',
  });
  labels = (labels & ~NAMESPACE) | namespaceOfCall(flow, node, name, source);
  if (has(given | callee, NAMES_SUBJECT) && listsSources(node, name)) labels |= NAMES_SOURCE;
  if (name === 'builtins.type' && makesLyingType(node)) labels |= IMITATION;
  if (name === 'builtins.hasattr') labels |= labelsOfAsking(flow, node, source);
  for (const fn of local) {
    passArguments(flow, fn, { node: argumentNode, isMethod: calleeNode.type === 'attribute' }, source);
    labels |= flow.returns.get(fn.key) ?? 0;
  }
  spread(flow, { calleeNode, argumentNode, kind, callee, labels, given }, source);
  if (isTracer(name)) for (const fn of functionsIn(flow, argumentNode, source)) markTracer(flow, fn);
  if (flow.collecting) flow.calls.push({ node, source, name, kind, callee, arguments: given, context: flow.context });
  flow.seen |= labels;
  return labels;
}

/** The folder of the subject listed as a whole or by a pattern of sources; a pattern of outputs names none. */
function listsSources(node: PythonNode, name: string | null): boolean {
  if (!listsFolder(name, node.childForFieldName('function')?.childForFieldName('attribute')?.text ?? '')) return false;
  if (name !== null && /^(?:shutil|zipfile|tarfile)\./.test(name)) return true;
  const words = node.descendantsOfType('string_content').map((word) => word?.text ?? '');
  return words.every((word) => /^(?:PROJECT_DIR|[*?/.]*|.*\.pyc?|__pycache__)$/.test(word));
}

function methodKind(callee: PythonNode): CallKind {
  const method = callee.childForFieldName('attribute')?.text ?? '';
  if (['stat', 'lstat'].includes(method)) return 'examines';
  return ['read_text', 'read_bytes', 'open'].includes(method) ? 'opens' : 'other';
}

interface CallParts {
  kind: CallKind;
  callee: Labels;
  given: Labels;
  edited: Labels;
  toFolder: boolean;
  showsText: boolean;
  isLocal: boolean;
  isMethod: boolean;
}

function callLabels(flow: FlowState, call: CallParts): Labels {
  const labels = call.callee | call.given | call.edited;
  switch (call.kind) {
    case 'launches':
      return launchLabels(flow, labels, call.showsText);
    case 'reads-source':
      return has(labels, FROM_SUBJECT | NAMES_SUBJECT | FROM_SOURCE) ? FROM_SOURCE : labels | IMPURE;
    case 'opens':
      if (has(labels, NAMES_SOURCE)) return (labels | FROM_SOURCE) & ~FROM_SUBJECT;
      return flow.reachesSubject ? labels | FROM_SUBJECT : labels | IMPURE;
    case 'examines':
      return has(labels, NAMES_SOURCE) ? FROM_SOURCE : labels | IMPURE;
    case 'other':
      // What the subject makes of a setting is its own doing, whatever the setting was chosen by.
      if (has(call.callee, FROM_SUBJECT) && !has(call.callee, FROM_SOURCE)) return (labels & ~(FROM_SOURCE | EDITED)) | IMPURE;
      return call.isLocal || (call.isMethod && call.callee === 0) ? labels : labels | IMPURE;
    default:
      return call.toFolder ? labels & ~NAMES_SOURCE : labels;
  }
}

/** An interpreter that runs the subject; a tool that shows its text; or code that the script made out of that text. */
function launchLabels(flow: FlowState, labels: Labels, showsTextOnly: boolean): Labels {
  if (showsTextOnly) return FROM_SOURCE;
  if (has(labels, EDITED)) return labels & ~(NAMES_SUBJECT | NAMES_SOURCE | FROM_SUBJECT);
  // A text that could not be followed in a script that names the subject may be the subject's.
  if (!has(labels, NAMES_SUBJECT | FROM_SUBJECT | FROM_SOURCE)) return labels | IMPURE;
  flow.reachesSubject = true;
  return (labels | FROM_SUBJECT) & ~(NAMES_SUBJECT | NAMES_SOURCE | FROM_SOURCE);
}

/** Functions and methods of the script that a callee may mean, also through another file's import. */
function localFunctions(flow: FlowState, callee: PythonNode, source: ScriptSource): ScriptFunction[] {
  if (callee.type === 'lambda' || callee.type === 'parenthesized_expression') return [];
  const name =
    callee.type === 'attribute' ? callee.childForFieldName('attribute')?.text : callee.type === 'identifier' ? callee.text : undefined;
  if (name === undefined) return [];
  const imported = flow.scopes.imports.get(bindingOf(flow.scopes, source, callee, name) ?? '');
  const fromHelper = imported !== undefined && flow.sources.some((other) => other.file.path === `${imported.module}.py`);
  if (callee.type === 'identifier' && imported !== undefined && !fromHelper) return [];
  return flow.scopes.byName.get(imported?.member ?? name) ?? [];
}

function passArguments(flow: FlowState, fn: ScriptFunction, given: { node: PythonNode; isMethod: boolean }, source: ScriptSource): void {
  grow(flow, flow.entries, fn.key, flow.context);
  const skipsSelf = given.isMethod && (fn.parameters[0] === 'self' || fn.parameters[0] === 'cls');
  const parameters = skipsSelf ? fn.parameters.slice(1) : fn.parameters;
  let position = 0;
  for (const argument of given.node.namedChildren) {
    if (argument === null || argument.type === 'comment') continue;
    const labels = labelsOf(flow, argument, source) | flow.context;
    if (argument.type === 'keyword_argument') {
      const name = argument.childForFieldName('name')?.text ?? '';
      addParameter(flow, fn, name, labels);
    } else if (argument.type.endsWith('_splat')) parameters.forEach((name) => addParameter(flow, fn, name, labels));
    else addParameter(flow, fn, parameters[position++] ?? parameters.at(-1) ?? '', labels);
  }
}

interface Spreading {
  calleeNode: PythonNode;
  argumentNode: PythonNode;
  kind: CallKind;
  callee: Labels;
  labels: Labels;
  given: Labels;
}

/** A call may change its object and its arguments: a container takes what is put in, the subject changes what it gets. */
function spread(flow: FlowState, call: Spreading, source: ScriptSource): void {
  const { calleeNode, argumentNode, kind, callee, labels, given } = call;
  if (calleeNode.type === 'attribute') taint(flow, calleeNode, given | (flow.context & (FROM_SUBJECT | FROM_SOURCE)), source);
  const edited = labels & EDITED;
  const fromSubject =
    has(callee, FROM_SUBJECT) || (kind === 'launches' && has(labels, FROM_SUBJECT)) || (kind === 'other' && has(given, FROM_SUBJECT));
  const gives = kind === 'launches' && edited !== 0 ? FROM_SOURCE | EDITED : fromSubject ? FROM_SUBJECT : 0;
  if (gives === 0) return;
  for (const argument of argumentNode.namedChildren) {
    const value = argument?.type === 'keyword_argument' ? argument.childForFieldName('value') : argument;
    if (!value) continue;
    // A number is handed over by value: nobody changes the script's own.
    if (!isScalarName(flow.scopes, value, source)) taint(flow, value, gives, source);
    callBack(flow, value, source);
  }
}

function functionsIn(flow: FlowState, argumentNode: PythonNode, source: ScriptSource): ScriptFunction[] {
  return argumentNode.namedChildren.flatMap((value) => (value === null ? [] : handedFunctions(flow, value, source)));
}

function handedFunctions(flow: FlowState, value: PythonNode, source: ScriptSource): ScriptFunction[] {
  if (value.type !== 'lambda') return localFunctions(flow, value, source);
  const fn = flow.scopes.functions.get(functionKey(source, value));
  return fn === undefined ? [] : [fn];
}

/** A function that is handed to the subject is called by it: a hook, a worker, a callback. */
function callBack(flow: FlowState, value: PythonNode, source: ScriptSource): void {
  for (const fn of handedFunctions(flow, value, source)) for (const name of fn.parameters) addParameter(flow, fn, name, FROM_SUBJECT);
}
