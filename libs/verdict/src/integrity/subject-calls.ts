import type { PythonNode } from '@reenact/code-index';
import { FROM_SUBJECT, has } from './labels.js';
import type { CallSite } from './script-flow.js';
import type { SubjectListing } from './subject-listing.js';

/** Methods by which a script waits for something, or collects in a container: the object may hold what is the subject's. */
const OWN_METHODS =
  /^(?:select|poll|wait|join|communicate|recv|acquire|settimeout|result|append|appendleft|extend|add|insert|update|setdefault|get|pop|remove|index|count|write|split|splitlines|format|startswith|endswith)$/;

/** Plain or canonical name of what is called. */
export function calledName(call: CallSite): string {
  return call.name ?? call.node.childForFieldName('function')?.childForFieldName('attribute')?.text ?? '';
}

/** Whether a call runs code of the subject, as far as its callee tells. */
export function callsSubject(call: CallSite): boolean {
  return has(call.callee, FROM_SUBJECT) && !(call.name === null && OWN_METHODS.test(calledName(call)));
}

/** Arguments that say what is done; how long is waited for it says nothing. */
export function givenTo(call: CallSite): PythonNode[] {
  const list = call.node.childForFieldName('arguments');
  if (list === null) return [];
  return (list.type === 'argument_list' ? list.namedChildren : [list]).filter(
    (argument): argument is PythonNode => argument !== null && argument.childForFieldName('name')?.text !== 'timeout',
  );
}

/** Name of the parameter of a function of the subject that gets a positional argument, by the function's plain name; null where it is not known. */
export function parameterAt(subject: SubjectListing, call: CallSite, position: number): string | null {
  const name = calledName(call).split('.').at(-1) ?? '';
  if (!/^\w{1,100}$/.test(name)) return null;
  for (const text of subject.texts.values()) {
    const start = text.indexOf(`def ${name}(`);
    if (start === -1) continue;
    const list = text.slice(start + name.length + 5, start + name.length + 2_000).split(')')[0] ?? '';
    const names = list.split(',').map((part) => /^\s*\**(\w+)/.exec(part)?.[1] ?? '');
    return (/^(?:self|cls)$/.test(names[0] ?? '') ? names.slice(1) : names)[position] ?? null;
  }
  return null;
}
