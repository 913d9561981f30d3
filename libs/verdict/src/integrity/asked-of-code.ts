import type { PythonNode } from '@reenact/code-index';
import { addParameter, grow } from './bindings.js';
import { FROM_SOURCE, type Labels } from './labels.js';
import type { FlowState } from './script-flow.js';
import type { ScriptFunction, ScriptSource } from './script-scopes.js';
import { unquoted } from './source-access.js';
import { isSubjectModule } from './subject-listing.js';

/** They have a function called for the steps of the code that runs: how many there are says how the code is written. */
const TRACERS =
  /^(?:sys\.(?:settrace|setprofile|monitoring\.register_callback)|threading\.(?:settrace|setprofile)(?:_all_threads)?|gc\.callbacks\.append)$/;
/** They list the names that code has. */
const LISTS_NAMES = /^(?:builtins\.(?:dir|vars)|inspect\.(?:getmembers|getmembers_static))$/;

/** Whether a call has its arguments called back for every step of the interpreter. */
export function isTracer(name: string | null): boolean {
  return name !== null && TRACERS.test(name);
}

/** What a trace function counts or keeps comes from how the subject is written, not from what it gives. */
export function markTracer(flow: FlowState, fn: ScriptFunction): void {
  grow(flow, flow.entries, fn.key, FROM_SOURCE);
  for (const name of fn.parameters) addParameter(flow, fn, name, FROM_SOURCE);
}

/**
 * `FROM_SOURCE` for a question whether the subject's code has a name that the script then has no use for:
 * `hasattr(train, "sys")`, `"sys" in dir(train)`. Whoever asks in order to use the name names it again.
 * @param nameOf canonical name of an expression by the script's imports, or null
 */
export function labelsOfQuestion(
  flow: FlowState,
  node: PythonNode,
  source: ScriptSource,
  nameOf: (node: PythonNode | null) => string | null,
): Labels {
  const asked = node.type === 'call' ? askedByCall(node, nameOf) : askedByMembership(node, nameOf);
  if (asked === null || !isOfSubject(flow, nameOf(asked.code))) return 0;
  return asked.name === null || !usesName(source, asked.name) ? FROM_SOURCE : 0;
}

interface Question {
  code: PythonNode | null;
  /** The name as the script writes it; null where it is put together. */
  name: string | null;
}

function askedByCall(node: PythonNode, nameOf: (node: PythonNode | null) => string | null): Question | null {
  if (nameOf(node.childForFieldName('function')) !== 'builtins.hasattr') return null;
  const given = node.childForFieldName('arguments')?.namedChildren ?? [];
  return { code: given[0] ?? null, name: literalOf(given[1] ?? null) };
}

function askedByMembership(node: PythonNode, nameOf: (node: PythonNode | null) => string | null): Question | null {
  const [left, right] = [node.namedChild(0), node.namedChild(1)];
  if (right === null || !/^(?:not )?in$/.test(node.childForFieldName('operators')?.text ?? '')) return null;
  if (right.type === 'attribute' && right.childForFieldName('attribute')?.text === '__dict__')
    return { code: right.childForFieldName('object'), name: literalOf(left) };
  if (right.type !== 'call' || !LISTS_NAMES.test(nameOf(right.childForFieldName('function')) ?? '')) return null;
  return { code: right.childForFieldName('arguments')?.namedChild(0) ?? null, name: literalOf(left) };
}

function isOfSubject(flow: FlowState, name: string | null): boolean {
  return name !== null && isSubjectModule(flow.subject, name);
}

function literalOf(node: PythonNode | null): string | null {
  if (node?.type !== 'string' || node.namedChildren.some((part) => part?.type === 'interpolation')) return null;
  return unquoted(node.text);
}

/** An attribute of that name, or the name as a text in a `getattr`, anywhere in the file. */
function usesName(source: ScriptSource, name: string): boolean {
  return source.root
    .descendantsOfType(['attribute', 'call'])
    .some((node) =>
      node?.type === 'attribute'
        ? node.childForFieldName('attribute')?.text === name
        : /getattr$/.test(node?.childForFieldName('function')?.text ?? '') &&
          literalOf(node?.childForFieldName('arguments')?.namedChild(1) ?? null) === name,
    );
}
