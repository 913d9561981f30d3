import { walkPython, type PythonNode } from '@reenact/code-index';
import { canonicalOf } from '../flow-queries.js';
import { FROM_SUBJECT, has, IMITATION, NAMESPACE } from '../labels.js';
import type { RuleInput } from '../rule.js';
import { isOtherFunction } from './library-functions.js';
import type { CallSite, StatementSite } from '../script-flow.js';
import type { ScriptSource } from '../script-scopes.js';

/** Attributes by which a function, frame or cell gets other code; nobody assigns them to set something. */
const INTERNALS = /^(?:__code__|__defaults__|__kwdefaults__|__globals__|__builtins__|__bases__|__closure__|cell_contents|f_lineno)$/;
const WRITERS = /^(?:update|setdefault|pop|popitem|clear|__setitem__|__delitem__)$/;
const CHANGERS =
  /^(?:append|extend|insert|remove|pop|clear|update|setdefault|sort|reverse|fill_?|zero_|mul_|add_|copy_|__setattr__|__setitem__)$/;
/** Functions of the interpreter's own interface that change objects, frames or threads. */
const INTERPRETER = /^ctypes\.(?:pythonapi\.(?!Py_|PyGILState|PyErr_Check)\w+|PyDLL)/;
const MEMORY = /(?:^|\.)(?:from_address|memmove|memset|cast)$/;

/** A place where a script changes code, names or memory of others by the inside of the interpreter. */
export interface InternalWrite {
  target: string;
  node: PythonNode;
  source: ScriptSource;
}

/** Writes past the names: code objects, namespaces, frames and addresses. */
export function internalWrites(input: RuleInput): InternalWrite[] {
  const statements = input.script.statements.filter((site) => assignsInternal(input, site));
  const calls = input.script.calls.filter((call) => callsInternal(input, call));
  return [
    ...statements.map(({ node, source }) => ({ target: node.childForFieldName('left')?.text ?? '', node, source })),
    ...calls.map(({ node, source }) => ({ target: node.childForFieldName('function')?.text ?? '', node, source })),
  ];
}

function assignsInternal(input: RuleInput, { node, source, labels }: StatementSite): boolean {
  const left = node.childForFieldName('left');
  if (left === null) return false;
  if (left.type === 'attribute') {
    const attribute = left.childForFieldName('attribute')?.text ?? '';
    if (INTERNALS.test(attribute)) return true;
    if (attribute === '__class__')
      return has(input.script.labelsOf(left, source), FROM_SUBJECT) && (!has(labels, FROM_SUBJECT) || has(labels, IMITATION));
    return reachesFrame(left) || /\bfrom_address\(\s*id\(/.test(left.text);
  }
  if (left.type !== 'subscript') return false;
  const space = left.childForFieldName('value');
  if (space !== null && reachesFrame(space)) return true;
  return (
    space !== null && has(input.script.labelsOf(space, source), NAMESPACE) && holdsCode(input, node.childForFieldName('right'), source)
  );
}

function callsInternal(input: RuleInput, call: CallSite): boolean {
  const callee = call.node.childForFieldName('function');
  const given = call.node.childForFieldName('arguments');
  if (callee === null || given === null) return false;
  const method = callee.childForFieldName('attribute')?.text ?? '';
  const object = callee.childForFieldName('object');
  if (INTERPRETER.test(call.name ?? '') || (MEMORY.test(call.name ?? callee.text) && /\bid\(/.test(given.text))) return true;
  if (call.name === 'builtins.setattr') return setsInternal(input, call, given);
  if (object === null) return false;
  if (CHANGERS.test(method) && reachesFrame(object)) return true;
  return WRITERS.test(method) && has(input.script.labelsOf(object, call.source), NAMESPACE) && holdsCode(input, given, call.source);
}

/** `setattr` with a name that is put together, on a module, or with the name of an internal. */
function setsInternal(input: RuleInput, call: CallSite, given: PythonNode): boolean {
  const [object, name, value] = given.namedChildren.filter((child) => child !== null);
  if (object === undefined || name === undefined) return false;
  if (reachesFrame(object)) return true;
  if (name.type === 'string' && !name.namedChildren.some((part) => part?.type === 'interpolation'))
    return INTERNALS.test(name.text.replace(/^\w*["']+|["']+$/g, ''));
  const isModule = has(input.script.labelsOf(object, call.source), FROM_SUBJECT) && canonicalOf(input.script, object, call.source) !== null;
  return isModule && name.type !== 'identifier' && holdsCode(input, value ?? null, call.source);
}

/** Local names of a running function: changed by a trace function, they spoil what the subject works on. */
function reachesFrame(node: PythonNode): boolean {
  return [...walkPython(node)].some((inner) => inner.type === 'attribute' && inner.childForFieldName('attribute')?.text === 'f_locals');
}

function holdsCode(input: RuleInput, node: PythonNode | null, source: ScriptSource): boolean {
  if (node === null) return false;
  return [...walkPython(node)].some(
    (inner) =>
      inner.type === 'lambda' ||
      /^(?:Magic)?Mock$|^partial$/.test(inner.text) ||
      isHandedFunction(input, inner, source) ||
      (inner.type === 'identifier' && canonicalOf(input.script, inner, source) === null && isDefined(input, inner.text)),
  );
}

/** A function of a library by its name, and not the value of a call of it: what it is put in the place of is another one. */
function isHandedFunction(input: RuleInput, node: PythonNode, source: ScriptSource): boolean {
  const isCalled = node.parent?.type === 'call' && node.parent.childForFieldName('function')?.id === node.id;
  return node.type === 'attribute' && !isCalled && isOtherFunction(input, '', { node, source });
}

/** A function, a class, or a name that holds a lambda. */
function isDefined(input: RuleInput, name: string): boolean {
  if (input.script.scopes.byName.has(name)) return true;
  return input.script.sources.some(({ root }) =>
    root
      .descendantsOfType(['class_definition', 'assignment'])
      .some((node) =>
        node?.type === 'assignment'
          ? node.childForFieldName('left')?.text === name && node.childForFieldName('right')?.type === 'lambda'
          : node?.childForFieldName('name')?.text === name,
      ),
  );
}
