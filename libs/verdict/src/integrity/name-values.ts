import { walkPython, type PythonNode } from '@reenact/code-index';
import type { ScriptFlow } from './script-flow.js';
import { bindingOf, targetNames, targetOf, type ScriptFunction, type ScriptSource } from './script-scopes.js';

/** One place at which a name gets a value. */
export interface NameValue {
  /** What it gets, or what a loop takes it from. */
  value: PythonNode;
  /** The statement, clause or argument by which it gets it: what decides over this place decides over the value. */
  at: PythonNode;
  source: ScriptSource;
  /** `+=` and its like: the value goes on top of another one. */
  isAdded: boolean;
}

/** Every value that each name of a script may get: assignments, loops, and arguments and defaults for parameters. */
export interface NameValues {
  of(name: PythonNode, source: ScriptSource): readonly NameValue[];
  /** Calls of a function of the script by its plain name. */
  callsOf(fn: ScriptFunction): readonly { node: PythonNode; source: ScriptSource }[];
}

/** A followed script with the values of its names. */
export interface NamedFlow {
  flow: ScriptFlow;
  names: NameValues;
  /** Answers by question, file and node: every question is asked of a node once, however its names refer to each other. */
  answers: Map<string, unknown>;
}

/** The answer to a question about a node, worked out once; `whileOpen` is the answer where it comes down to itself. */
export function answerOnce<T>(
  script: NamedFlow,
  asked: { question: string; node: PythonNode; source: ScriptSource; whileOpen: T },
  find: () => T,
): T {
  const key = `${asked.question} ${asked.source.file.path}#${asked.node.id}`;
  if (script.answers.has(key)) return script.answers.get(key) as T;
  script.answers.set(key, asked.whileOpen);
  const answer = find();
  script.answers.set(key, answer);
  return answer;
}

/** Walks a followed script once. */
export function collectNameValues(flow: ScriptFlow): NameValues {
  const values = new Map<string, NameValue[]>();
  const calls = new Map<string, { node: PythonNode; source: ScriptSource }[]>();
  const add = (key: string | null, value: NameValue): void => {
    if (key !== null) values.set(key, [...(values.get(key) ?? []), value]);
  };
  for (const source of flow.sources) {
    for (const node of walkPython(source.root)) {
      for (const bound of [...boundIn(node), ...putInto(node)]) add(bindingOf(flow.scopes, source, node, bound.name), { ...bound, source });
      if (node.type !== 'call') continue;
      const callee = node.childForFieldName('function');
      const name = callee?.childForFieldName('attribute')?.text ?? callee?.text ?? '';
      calls.set(name, [...(calls.get(name) ?? []), { node, source }]);
    }
  }
  for (const fn of flow.scopes.functions.values()) {
    for (const { name, ...value } of defaultsOf(fn)) add(`${fn.key}/${name}`, { ...value, source: fn.source });
    for (const { node, source } of fn.name === '' ? [] : (calls.get(fn.name) ?? []))
      for (const { name, ...value } of argumentsFor(fn, node)) add(`${fn.key}/${name}`, { ...value, source });
  }
  return {
    of: (name, source) => values.get(bindingOf(flow.scopes, source, name, name.text) ?? '') ?? [],
    callsOf: (fn) => (fn.name === '' ? [] : (calls.get(fn.name) ?? [])),
  };
}

interface Bound extends Omit<NameValue, 'source'> {
  name: string;
}

function boundIn(node: PythonNode): Bound[] {
  const target = targetOf(node);
  const value = node.childForFieldName('right') ?? node.childForFieldName('value');
  if (target === null || value === null) return [];
  const isAdded = node.type === 'augmented_assignment';
  const parts = target.type === 'identifier' ? [] : target.namedChildren;
  const given = value.namedChildren;
  // `a, b = 1, 2` gives each its own.
  if (/^(?:expression_list|tuple)$/.test(value.type) && parts.length === given.length)
    return parts.flatMap((part, index) =>
      part?.type === 'identifier' ? [{ name: part.text, value: given[index] ?? value, at: node, isAdded }] : [],
    );
  return targetNames(target).map((name) => ({ name, value, at: node, isAdded }));
}

const PUTTING = /^(?:append|appendleft|extend|add|insert|update|setdefault|__setitem__)$/;

/** What is put into something that a name holds: `rows[0] = 3`, `rows.append(3)`. */
function putInto(node: PythonNode): Bound[] {
  if (node.type === 'call') {
    const callee = node.childForFieldName('function');
    const object = callee?.childForFieldName('object');
    const value = node.childForFieldName('arguments')?.namedChildren.at(-1);
    if (object?.type !== 'identifier' || !value || !PUTTING.test(callee?.childForFieldName('attribute')?.text ?? '')) return [];
    return [{ name: object.text, value, at: node, isAdded: true }];
  }
  const left = /assignment$/.test(node.type) ? node.childForFieldName('left') : null;
  const value = node.childForFieldName('right');
  const object = left?.childForFieldName('value') ?? left?.childForFieldName('object');
  if (left === null || value === null || object?.type !== 'identifier' || isAskedFor(left)) return [];
  return [{ name: object.text, value, at: node, isAdded: true }];
}

/** `if "momentum" in known: given["momentum"] = 0.9`: an argument is given where there is such a parameter. */
function isAskedFor(target: PythonNode): boolean {
  const key = target.childForFieldName('subscript');
  if (key?.type !== 'string') return false;
  for (let outer = target.parent; outer !== null; outer = outer.parent)
    if (outer.type === 'if_statement') return outer.childForFieldName('condition')?.text.includes(key.text) === true;
  return false;
}

function defaultsOf(fn: ScriptFunction): Bound[] {
  return (fn.node.childForFieldName('parameters')?.namedChildren ?? []).flatMap((parameter) => {
    const value = parameter?.childForFieldName('value');
    const name = parameter?.childForFieldName('name')?.text;
    return value && parameter && name !== undefined ? [{ name, value, at: parameter, isAdded: false }] : [];
  });
}

function argumentsFor(fn: ScriptFunction, call: PythonNode): Bound[] {
  const isMethod = call.childForFieldName('function')?.type === 'attribute';
  const names = isMethod && /^(?:self|cls)$/.test(fn.parameters[0] ?? '') ? fn.parameters.slice(1) : fn.parameters;
  let position = 0;
  return (call.childForFieldName('arguments')?.namedChildren ?? []).flatMap((argument) => {
    if (argument === null || argument.type === 'comment') return [];
    const value = argument.childForFieldName('value');
    if (argument.type === 'keyword_argument' && value !== null)
      return [{ name: argument.childForFieldName('name')?.text ?? '', value, at: argument, isAdded: false }];
    return [{ name: names[position++] ?? '', value: argument, at: argument, isAdded: false }];
  });
}
