import type { LineRange } from './split-lines.js';
import type { ResolvedImport } from './imports.js';
import type { PythonNode } from './python-syntax.js';
import { PROJECT_ORIGIN, UNKNOWN_ORIGIN } from './receiver-origins.js';
import type { CallSite, TrainingRule } from './training-rules.js';
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
  /** Name of the class of a method; empty otherwise. */
  className: string;
  rules: Set<TrainingRule>;
  range: LineRange & { file: string; name: string; text: string };
  /** The holder that it calls, where it has no step of its own. */
  inner: StepHolder | null;
}

/** Receivers with these words have a `step` or an `update` of another kind. */
const OTHER_RECEIVER = /env|sched|metric|meter|bar$|tqdm|progress|writer|logger|dict|conf|kwargs|stats|counter|clock|timer/i;

/** Kind and class of a definition by what is around it. */
export function placeOf(definition: PythonNode): Pick<StepHolder, 'kind' | 'className'> {
  let around = definition.parent;
  while (around !== null && !isDefinition(around)) around = around.parent;
  if (around === null) return { kind: 'function', className: '' };
  if (around.type === 'function_definition') return { kind: 'nested', className: '' };
  return { kind: 'method', className: definedName(around) };
}

/**
 * Whether a call of a file means the holder: a function by its name, as imported where it lies in another file; a method by a receiver
 * that may be of its class. `from` is the calling file.
 */
export function callsHolder(call: CallSite, holder: StepHolder, from: { file: string; imports: ResolvedImport[] }): boolean {
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
function mayBeOf(call: CallSite, holder: StepHolder): boolean {
  if (call.receiver === 'self' || call.receiver === 'cls') return true;
  const ends = call.origins.map((origin) => ({ top: origin.split('.', 1)[0] ?? '', last: lastPart(origin) }));
  if (ends.some(({ last }) => last === holder.className)) return true;
  const open = ends.filter(({ top, last }) => [UNKNOWN_ORIGIN, PROJECT_ORIGIN].includes(top) && /^_*\p{Ll}/u.test(last));
  return (ends.length === 0 || open.length > 0) && !OTHER_RECEIVER.test(call.receiver);
}
