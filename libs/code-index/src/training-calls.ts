import type { LineRange } from './split-lines.js';
import type { ResolvedImport } from './imports.js';
import type { PythonNode } from './python-syntax.js';
import { PROJECT_ORIGIN, UNKNOWN_ORIGIN } from './receiver-origins.js';
import type { CallPlace } from './training-loops.js';
import type { TrainingRule } from './training-rules.js';
import { definedName, isDefinition } from './visit-python.js';

/** A function that holds a training step outside of any loop: it makes a training loop of the loop that calls it. */
export interface StepHolder {
  file: string;
  /** Qualified name. */
  name: string;
  /** The name by which it is called. */
  call: string;
  /** A function of the module, a method, or a function inside of a function, which only its own file can call. */
  kind: 'function' | 'method' | 'nested';
  /** Name of the class of a method, and the names of its bases in the file; empty otherwise. */
  className: string;
  bases: string[];
  rules: Set<TrainingRule>;
  range: LineRange & { file: string; name: string; text: string };
  /** The holder that it calls, where it has no step of its own. */
  inner: StepHolder | null;
}

/** Receivers with these words have a `step` or an `update` of another kind. */
const OTHER_RECEIVER = /env|sched|metric|meter|bar$|tqdm|progress|writer|logger|dict|conf|kwargs|stats|counter|clock|timer/i;

/** Kind and class of a definition by what is around it. */
export function placeOf(definition: PythonNode): Pick<StepHolder, 'kind' | 'className' | 'bases'> {
  const around = definitionAround(definition);
  if (around?.type !== 'class_definition') return { kind: around === null ? 'function' : 'nested', className: '', bases: [] };
  const bases = (around.childForFieldName('superclasses')?.namedChildren ?? []).map((base) => lastPart(base?.text ?? ''));
  return { kind: 'method', className: definedName(around), bases };
}

function definitionAround(node: PythonNode): PythonNode | null {
  let around = node.parent;
  while (around !== null && !isDefinition(around)) around = around.parent;
  return around;
}

/**
 * Files that a holder's class takes a base from: a loop of the base that calls a method of itself means the method of the class
 * (`fit` of a base trainer calls `self.train_step`).
 */
export function baseFiles(holder: StepHolder, imports: ResolvedImport[]): string[] {
  return imports.flatMap((item) =>
    item.file !== null && item.file !== holder.file && holder.bases.includes(item.local) ? [item.file] : [],
  );
}

/**
 * Whether a call of a file means the holder: a function by its name, as imported where it lies in another file; a method by a receiver
 * that may be of its class. `from` is the calling file.
 */
export function callsHolder(call: CallPlace, holder: StepHolder, from: { file: string; imports: ResolvedImport[] }): boolean {
  const isOwnFile = from.file === holder.file;
  if (holder.kind === 'method') return call.isMethod && mayBeOf(call, holder);
  if (!call.isMethod) return isOwnFile || from.imports.some((item) => bindsFunction(item, call.method, holder));
  if (holder.kind === 'nested' || isOwnFile) return false;
  return from.imports.some((item) => item.isModule && lastPart(item.local) === call.receiver && item.file === holder.file);
}

/** Names by which a file may call a holder: its own and those that imports give it. */
export function namesOfHolder(holder: StepHolder, imports: ResolvedImport[]): string[] {
  const renamed = imports.filter((item) => item.imported === holder.call && item.local !== holder.call).map((item) => item.local);
  return holder.kind === 'function' ? [holder.call, ...renamed] : [holder.call];
}

function bindsFunction(item: ResolvedImport, name: string, holder: StepHolder): boolean {
  if (holder.kind !== 'function' || item.file === null) return false;
  if (item.imported === '*') return name === holder.call;
  return item.local === name && item.imported === holder.call;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** A receiver of another package or of another class is none; one that nothing is known of, or that a function gave, may be. */
function mayBeOf(call: CallPlace, holder: StepHolder): boolean {
  if (call.receiver === 'self' || call.receiver === 'cls') return isOfClass(call, holder);
  const ends = call.origins.map((origin) => ({ top: origin.split('.', 1)[0] ?? '', last: lastPart(origin) }));
  if (ends.some(({ last }) => last === holder.className)) return true;
  const open = ends.filter(({ top, last }) => [UNKNOWN_ORIGIN, PROJECT_ORIGIN].includes(top) && /^_*\p{Ll}/u.test(last));
  return (ends.length === 0 || open.length > 0) && !OTHER_RECEIVER.test(call.receiver);
}

/** A call of `self` means the holder in its class, and in a class that has no method of that name itself (a base, a subclass). */
function isOfClass(call: CallPlace, holder: StepHolder): boolean {
  let around = call.scope;
  while (around !== null && around.type !== 'class_definition') around = definitionAround(around);
  if (around === null || definedName(around) === holder.className) return true;
  const members = around.childForFieldName('body')?.namedChildren ?? [];
  const isOwn = members.some((member) => {
    const definition = member?.type === 'decorated_definition' ? member.childForFieldName('definition') : member;
    return definition?.type === 'function_definition' && definedName(definition) === holder.call && !isAbstract(definition);
  });
  return !isOwn;
}

/** A method of a base that only says what others must define. */
function isAbstract(definition: PythonNode): boolean {
  const statements = (definition.childForFieldName('body')?.namedChildren ?? []).filter((item) => item?.type !== 'comment');
  const last = statements.at(-1);
  return statements.length <= 2 && (last?.type === 'raise_statement' || last?.type === 'pass_statement' || last?.text === '...');
}
