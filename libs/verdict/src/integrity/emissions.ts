import type { PythonNode } from '@reenact/code-index';
import { isEmittingMethod } from './known-calls.js';
import type { Labels } from './labels.js';
import type { CallSite, ScriptFlow } from './script-flow.js';
import { HOLE, joinTemplates, templateOf, type Template } from './text-template.js';

/** A place of the script that writes text: print, a stream, a logger, an exit message. */
export interface Emission {
  call: CallSite;
  template: Template;
  /** Labels of everything that decides over the text and over whether it is written. */
  labels: Labels;
}

/** A name and value that an emission observes; `name` is null where it is computed. */
export interface EmittedObservation {
  emission: Emission;
  name: string | null;
  /** The value as a literal, or null where it is computed. */
  literal: string | null;
  /** Labels of the value and of the branches around it. */
  labels: Labels;
  /** Numbers of the script itself of which the value is one; empty where it is anything else. */
  choices: readonly string[];
}

/** Every emission of a script, in source order. */
export function collectEmissions(flow: ScriptFlow): Emission[] {
  const emissions: Emission[] = [];
  for (const call of flow.calls) {
    if (!isEmission(call)) continue;
    const positional = textsOf(call);
    const separator = call.name === 'builtins.print' ? printSeparator(call.node) : ' ';
    const template = joinTemplates(
      positional.map((argument) => templateOf(flow, argument, call.source)),
      separator,
    );
    emissions.push({ call, template, labels: template.holes.reduce((sum, hole) => sum | hole.labels, call.context) });
  }
  return emissions;
}

/** The arguments that are written: a descriptor comes before them, category and place of a warning behind. */
function textsOf(call: CallSite): PythonNode[] {
  const given = argumentsOf(call.node).filter((argument) => argument.type !== 'keyword_argument');
  if (call.name === 'os.write') return given.slice(1);
  return call.name?.startsWith('warnings.') === true ? given.slice(0, 1) : given;
}

function isEmission(call: CallSite): boolean {
  if (call.kind === 'prints') return true;
  if (call.kind === 'exits') return argumentsOf(call.node).some((argument) => argument.type.includes('string'));
  const callee = call.node.childForFieldName('function');
  const method = callee?.childForFieldName('attribute')?.text ?? '';
  if (method === 'observe') return /reenact/.test(call.name ?? callee?.text ?? '');
  return isEmittingMethod(callee?.childForFieldName('object')?.text ?? '', method);
}

function argumentsOf(call: PythonNode): PythonNode[] {
  return (call.childForFieldName('arguments')?.namedChildren ?? []).filter(
    (child): child is PythonNode => child !== null && child.type !== 'comment',
  );
}

function printSeparator(call: PythonNode): string {
  const given = argumentsOf(call).find((argument) => argument.childForFieldName('name')?.text === 'sep');
  return /^["'](.*)["']$/.exec(given?.childForFieldName('value')?.text ?? '')?.[1] ?? ' ';
}

/** `OBS name=value` pairs of the emissions, and calls of `reenact.observe(name, value)`. */
export function collectObservations(emissions: readonly Emission[]): EmittedObservation[] {
  return emissions.flatMap((emission) => (isObserveCall(emission) ? [observedByCall(emission)] : observedByLine(emission)));
}

function isObserveCall(emission: Emission): boolean {
  return emission.call.node.childForFieldName('function')?.text.endsWith('observe') === true;
}

function observedByCall(emission: Emission): EmittedObservation {
  const [name = '', ...value] = emission.template.text.split(' ');
  return observation(emission, name, value.join(' '));
}

const PAIR = new RegExp(`([A-Za-z_${HOLE.first}-${HOLE.last}][\\w.${HOLE.first}-${HOLE.last}]{0,200})=(\\S*)`, 'g');

function observedByLine(emission: Emission): EmittedObservation[] {
  const found: EmittedObservation[] = [];
  for (const line of emission.template.text.split('\n')) {
    const start = /^\s*OBS\b/.exec(line);
    if (start === null) continue;
    const rest = line.slice(start[0].length);
    const pairs = [...rest.matchAll(PAIR)];
    for (const pair of pairs) found.push(observation(emission, pair[1] ?? '', pair[2] ?? ''));
    // The whole line comes from a value: it may hold any name.
    const bare = rest.replace(PAIR, '');
    if (hasHole(bare)) found.push(observation(emission, bare, bare));
  }
  const isAllHole = found.length === 0 && new RegExp(`^\\s*[${HOLE.first}-${HOLE.last}]`).test(emission.template.text);
  return isAllHole ? [observation(emission, emission.template.text, emission.template.text)] : found;
}

function observation(emission: Emission, name: string, value: string): EmittedObservation {
  const labels = holesOf(value, emission.template) | holesOf(name, emission.template) | emission.call.context;
  const hole = value.length === 1 && hasHole(value) ? emission.template.holes[value.charCodeAt(0) - HOLE.first.charCodeAt(0)] : undefined;
  return { emission, name: hasHole(name) ? null : name, literal: hasHole(value) ? null : value, labels, choices: hole?.choices ?? [] };
}

function hasHole(text: string): boolean {
  return [...text].some((character) => character >= HOLE.first && character <= HOLE.last);
}

function holesOf(text: string, template: Template): Labels {
  let labels: Labels = 0;
  for (const character of text) {
    if (character >= HOLE.first && character <= HOLE.last)
      labels |= template.holes[character.charCodeAt(0) - HOLE.first.charCodeAt(0)]?.labels ?? 0;
  }
  return labels;
}
