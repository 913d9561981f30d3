import { walkPython, type PythonNode } from '@reenact/code-index';
import type { Facet } from '@reenact/domain';
import { matchMessage } from '../signature/message-match.js';
import { claimsException, textMatchers } from './claimed-signal.js';
import { canonicalOf } from './flow-queries.js';
import { answerOnce, collectNameValues, type NamedFlow } from './name-values.js';
import type { CallSite, ScriptFlow } from './script-flow.js';
import type { ScriptSource } from './script-scopes.js';
import { callsSubject, givenTo } from './subject-calls.js';
import { HOLE, templateOf } from './text-template.js';

/** They raise what they are told to. */
const RAISERS = /^torch\._(?:check|assert)\w*$/;
/** A text of fewer words may be a key, a name or a path that a message quotes. */
const LEAST_WORDS = 3;
const TEXT_LIMIT = 2_000;
/** Names that are put together from one another give texts without end; a script that hands over words needs few. */
const MOST_TEXTS = 200;

/** A text of the script that holds the claimed words and is handed to code that may say them. */
export interface LentWords {
  call: CallSite;
  text: string;
}

/** Where the script hands the words of a claimed exception to the subject, to an exception that another raises, or to what raises for it. */
export function lentMessages(flow: ScriptFlow, facet: Facet): LentWords[] {
  if (facet.oracles.every(({ kind }) => kind !== 'exception')) return [];
  return lent(
    flow,
    (text) => text.split(/[^A-Za-z]+/).filter((word) => word.length > 1).length >= LEAST_WORDS && isMessage(facet, text),
    facet,
  );
}

/** Where it hands the whole of a claimed line to the subject: one with the number that is looked for, or several at once. */
export function lentLines(flow: ScriptFlow, facet: Facet): LentWords[] {
  const matchers = textMatchers(facet);
  const isLine = facet.oracles.every(({ kind }) => kind === 'printed' || kind === 'output');
  if (!isLine || matchers.length === 0) return [];
  const isPrinted = facet.oracles.some(({ kind }) => kind === 'printed');
  return lent(
    flow,
    (text) =>
      matchers.every((matches) => matches(text)) &&
      (isPrinted || text.split('\n').filter((line) => matchers.every((matches) => matches(line))).length > 1),
    facet,
  );
}

function isMessage(facet: Facet, text: string): boolean {
  return facet.oracles.some(
    (oracle) => oracle.kind === 'exception' && oracle.message !== undefined && matchMessage(text, oracle.message) !== 'none',
  );
}

function lent(flow: ScriptFlow, holds: (text: string) => boolean, facet: Facet): LentWords[] {
  const script: NamedFlow = { flow, names: collectNameValues(flow), answers: new Map() };
  return flow.calls.flatMap((call) => {
    if (!hands(flow, call, facet)) return [];
    const text = givenTo(call)
      .flatMap((argument) => textsOf(script, argument, call.source))
      .find(holds);
    return text === undefined ? [] : [{ call, text }];
  });
}

/** The subject gets it, or an exception of the claimed type that is neither raised here nor compared with. */
function hands(flow: ScriptFlow, call: CallSite, facet: Facet): boolean {
  if (callsSubject(call)) return true;
  const name = call.name ?? '';
  if (RAISERS.test(name)) return true;
  const isType = facet.oracles.some(({ kind }) => kind === 'exception') && claimsException(facet, name, null) === 'type';
  if (!isType || canonicalOf(flow, call.node.childForFieldName('function'), call.source) === null) return false;
  for (let outer = call.node.parent; outer !== null && !/_statement$|^block$|^module$/.test(outer.type); outer = outer.parent)
    if (outer.type === 'comparison_operator') return false;
  return call.node.parent?.type !== 'raise_statement';
}

/** Texts that an expression may give, with a 0 for what is computed; names by what they are bound to. */
function textsOf(script: NamedFlow, node: PythonNode, source: ScriptSource): string[] {
  return answerOnce<string[]>(script, { question: 'texts', node, source, whileOpen: [] }, () => {
    if (node.type === 'keyword_argument') return textsOf(script, node.childForFieldName('value') ?? node, source);
    const whole = filled(templateOf(script.flow, node, source).text);
    const parts = [...walkPython(node)].flatMap((inner) => {
      if (/^(?:string|concatenated_string|binary_operator|call)$/.test(inner.type))
        return [filled(templateOf(script.flow, inner, source).text)];
      if (inner.type !== 'identifier') return [];
      return script.names.of(inner, source).flatMap((bound) => textsOf(script, bound.value, bound.source));
    });
    return [...new Set([whole, ...parts].map((text) => text.slice(0, TEXT_LIMIT)))].slice(0, MOST_TEXTS);
  });
}

function filled(text: string): string {
  return [...text].map((character) => (character >= HOLE.first && character <= HOLE.last ? '0' : character)).join('');
}
