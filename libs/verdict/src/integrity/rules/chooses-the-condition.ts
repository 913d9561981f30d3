import { walkPython, type PythonNode } from '@reenact/code-index';
import type { Facet, Finding } from '@reenact/domain';
import { notShown, shownTrials } from '../arm-facts.js';
import { isAskedAbout, isAskedForResult } from '../asked-about.js';
import { conditionalOf, createChoiceQuery, isDecided, isQuantity, type ChoiceQuery } from '../choice-query.js';
import { isChosen } from '../chosen-values.js';
import { isSearched, lastName } from '../searches.js';
import { targetNames, targetOf, type ScriptSource } from '../script-scopes.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { answerOnce } from '../name-values.js';
import { elementsIn, MANY_ELEMENTS, ownValueOf } from '../own-quantities.js';
import { answered, placeOf, type Rule, type ScriptPlace, suspicion } from '../rule.js';
import { calledName, callsSubject, givenTo, parameterAt } from '../subject-calls.js';
import type { CallSite } from '../script-flow.js';
import { isCount, isShifted, isTruth } from '../truth-values.js';

const CODE = 'chooses-the-condition';
/** Kinds whose signal grows with what the subject is given, or differs with the seed. */
const QUANTITIES = /^(?:memory_peak|oom|trend|slow|nondeterminism|distribution|differential|desync|roundtrip)$/;
const BY_SEED = /^(?:nondeterminism|distribution|desync)$/;
const BY_TIME = /^(?:slow|distribution)$/;
const BY_LINE = /^(?:output|printed|warning)$/;
const SEEDERS =
  /(?:^|\.)(?:seed|manual_seed(?:_all)?|set_seed|seed_everything|default_rng|RandomState|Random|PRNGKey|Generator|set_state)$/;
const PAUSES = /^(?:time\.sleep|asyncio\.sleep|select\.select|signal\.(?:alarm|setitimer))$|^(?:wait|join)$/;

const DRAWS = /(?:^|\.)(?:shuffle|randperm|permutation|permuted|sample|choices?|random|rand\w*|gauss|normal|normalvariate|uniform)$/;
/** Methods of handlers and streams that write a line. */
const WRITES = /^(?:handle|emit|write|writelines|echo)$/;

/**
 * What the script finds on the tree decides which of its own sizes, seeds, pauses or repeats it takes: the number that makes
 * the signal on one tree, another one on the other. A control takes the signal away then, whatever the fault is.
 */
export const choosesTheCondition: Rule = {
  code: CODE,
  check(input) {
    const query = createChoiceQuery(input.script);
    const always = [...chosenCalls(query), ...chosenLoops(query), ...chosenSettings(query)];
    const unsearched = always.filter((place) => !isOfSearch(query, place));
    return input.facets.flatMap((facet) => [
      ...(claims(facet, QUANTITIES) ? branchedCalls(query) : alternativeCalls(query)).map((place) => at(facet, place)),
      ...(claims(facet, BY_SEED) ? foundSeeds(query) : []).map((place) => at(facet, place)),
      ...(claims(facet, BY_TIME) ? ownDelays(query) : []).map((place) => at(facet, place)),
      ...(claims(facet, BY_LINE) ? repeatedLines(query) : []).map((place) => at(facet, place)),
      // A signal that grows with the number shows on whichever tree the search goes on for longer.
      ...(claims(facet, QUANTITIES) ? always : unsearched).map((place) => at(facet, place)),
    ]);
  },
  confirm(finding, input) {
    if (shownTrials(input, finding.facet).length === 0) return notShown(finding);
    // A control has the other tree choose the other number: it cannot refute.
    return answered(finding, 'finding', 'what the script found on the tree chose the number that gives the signal');
  },
};

function claims(facet: Facet, kinds: RegExp): boolean {
  return facet.oracles.some(({ kind }) => kinds.test(kind));
}

function at(facet: Facet, place: ScriptPlace): Finding {
  const message = 'what is found on the tree decides which of its own sizes, seeds, pauses or repeats the script takes';
  return suspicion(CODE, message, { ...placeOf(place), facet: facet.id });
}

/** The subject, a seed, a pause or code of the script itself gets a chosen number. */
function chosenCalls(query: ChoiceQuery): ScriptPlace[] {
  return query.flow.calls.filter((call) => {
    const callee = call.node.childForFieldName('function');
    if (call.kind === 'prints' || call.kind === 'exits') return false;
    const isOwnCode = callee !== null && callee.type !== 'attribute' && isChosen(query, callee, call.source);
    if (isOwnCode) return true;
    const matters = callsSubject(call) || call.kind === 'launches' || SEEDERS.test(calledName(call)) || PAUSES.test(calledName(call));
    return matters && givenTo(call).some((argument) => isChosen(query, argument, call.source));
  });
}

/** A call or loop whose numbers the script found by asking the subject about these very numbers. */
function isOfSearch(query: ChoiceQuery, { node, source }: ScriptPlace): boolean {
  if (node.type === 'while_statement') return isSearched(query, node.childForFieldName('condition') ?? node, source, null);
  const callee = node.type === 'call' ? node.childForFieldName('function') : null;
  const given = node.childForFieldName('arguments');
  return callee !== null && given !== null && isSearched(query, given, source, lastName(callee));
}

/** `for _ in range(9 if … else 1)`, `while done < wanted`, around anything that is called. */
function chosenLoops(query: ChoiceQuery): ScriptPlace[] {
  return query.flow.statements.filter(({ node, source }) => {
    const bound = node.type === 'for_statement' ? node.childForFieldName('right') : node.childForFieldName('condition');
    const isLoop = node.type === 'for_statement' || node.type === 'while_statement';
    if (!isLoop || bound === null || !callsSomething(query, node)) return false;
    const parts = bound.type === 'comparison_operator' ? bound.namedChildren : [bound];
    return parts.some((part) => part !== null && isChosen(query, part, source));
  });
}

function callsSomething(query: ChoiceQuery, loop: PythonNode): boolean {
  return query.flow.calls.some(({ node }) => isInside(node, loop.childForFieldName('body')));
}

function isInside(node: PythonNode, outer: PythonNode | null): boolean {
  return outer !== null && node.tree === outer.tree && node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** A chosen number is put into an object of the subject, or into the environment of its processes. */
function chosenSettings(query: ChoiceQuery): ScriptPlace[] {
  return query.flow.statements.filter(({ node, source }) => {
    const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
    if (left === null || right === null || !/^(?:attribute|subscript)$/.test(left.type)) return false;
    const object = left.childForFieldName('object') ?? left.childForFieldName('value') ?? left;
    const isSetting =
      (has(query.flow.labelsOf(object, source), FROM_SUBJECT) && !isOwnObject(query, object, source)) || /environ/.test(object.text);
    return isSetting && isChosen(query, right, source);
  });
}

/** A container or an object of a class of the script: what is put into it makes nothing of the subject. */
function isOwnObject(query: ChoiceQuery, object: PythonNode, source: ScriptSource): boolean {
  let root = object;
  while (root.type === 'attribute' || root.type === 'subscript')
    root = root.childForFieldName('object') ?? root.childForFieldName('value') ?? root;
  if (root.type !== 'identifier') return false;
  const bound = query.names.of(root, source).filter(({ isAdded }) => !isAdded);
  return root.text === 'self' || (bound.length > 0 && bound.every((one) => ownValueOf(query, one.value, one.source) !== null));
}

/** The subject is called with a number of the script on one tree and not on the other. */
function branchedCalls(query: ChoiceQuery): ScriptPlace[] {
  return query.flow.calls.filter((call) => callsSubject(call) && isBranched(query, call));
}

function isBranched(query: ChoiceQuery, call: CallSite): boolean {
  return (
    givenTo(call).some((argument) => isQuantity(query, argument.childForFieldName('value') ?? argument, call.source)) &&
    conditionalOf(query, call.node, call.source) === 'branch' &&
    !isAskedAbout(query, call.node.childForFieldName('arguments') ?? call.node, call.source) &&
    !isAskedForResult(query, call.node, call.source)
  );
}

/** It is called with one number on one tree, and with another on the other. */
function alternativeCalls(query: ChoiceQuery): ScriptPlace[] {
  const callee = (call: CallSite): string => call.node.childForFieldName('function')?.text ?? '';
  return branchedCalls(query).filter((place) =>
    query.flow.calls.some(
      (other) => other.node.id !== place.node.id && callee(other) === callee(place as CallSite) && other.node.text !== place.node.text,
    ),
  );
}

/** A seed that is worked out of what is found, and random numbers that are drawn on one tree only. */
function foundSeeds(query: ChoiceQuery): ScriptPlace[] {
  return query.flow.calls.filter((call) => {
    const isSeeder = SEEDERS.test(calledName(call));
    if ((isSeeder || DRAWS.test(calledName(call))) && conditionalOf(query, call.node, call.source) === 'branch') return true;
    if (!isSeeder && !callsSubject(call) && call.kind !== 'launches') return false;
    return givenTo(call).some((argument, position) => {
      if (isShifted(query, argument, call.source)) return true;
      const name = argument.childForFieldName('name')?.text ?? parameterAt(query.flow.subject, call, position) ?? '';
      return (
        (isSeeder || /seed|rng|random_state/i.test(name)) &&
        isWorkedOut(query, argument.childForFieldName('value') ?? argument, call.source)
      );
    });
  });
}

/** Anything of the subject but a value as it gives it: arithmetic, an element of a loop, the answer to a question. */
function isWorkedOut(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (!isDecided(query, node, source)) return false;
  return answerOnce(query, { question: 'worked-out', node, source, whileOpen: false }, () => isWorkedOutHere(query, node, source));
}

function isWorkedOutHere(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (node.type === 'identifier')
    return query.names
      .of(node, source)
      .some((bound) =>
        isLoopTarget(bound.at) ? isDecided(query, bound.value, bound.source) : isWorkedOut(query, bound.value, bound.source),
      );
  const isConversion = node.type === 'call' && /^(?:int|str|abs)$/.test(node.childForFieldName('function')?.text ?? '');
  if (isConversion) return isWorkedOut(query, node.childForFieldName('arguments')?.namedChild(0) ?? node, source);
  return !/^(?:attribute|subscript|call|string)$/.test(node.type);
}

function isLoopTarget(node: PythonNode): boolean {
  return node.type === 'for_statement' || node.type === 'for_in_clause';
}

/** Work or pauses of the script's own, on one tree only or by a count of what is found there. */
function ownDelays(query: ChoiceQuery): ScriptPlace[] {
  return query.flow.calls.filter((call) => {
    if (callsSubject(call) || !/^(?:pure|other)$/.test(call.kind)) return false;
    const isPause = PAUSES.test(calledName(call));
    if (isPause && givenTo(call).some((argument) => isShifted(query, argument, call.source))) return true;
    return (isPause || elementsIn(query, call.node, call.source) >= MANY_ELEMENTS) && isBranched(query, call);
  });
}

/** A line that is written as often as something is found, and does not tell which one it is about. */
function repeatedLines(query: ChoiceQuery): ScriptPlace[] {
  const written = query.flow.calls.filter((call) => call.kind === 'prints' || (call.name === null && WRITES.test(calledName(call))));
  return written.filter((call) => {
    if (givenTo(call).some((argument) => isRepeated(query, argument, call.source))) return true;
    if (written.some((other) => other.node.id !== call.node.id && other.node.text === call.node.text) && isBranchedLine(query, call))
      return true;
    return query.flow.statements.some(({ node, source }) => {
      const body = node.childForFieldName('body');
      if (source !== call.source || !/^(?:for|while)_statement$/.test(node.type) || !isInside(call.node, body)) return false;
      const bound = node.childForFieldName('right') ?? node.childForFieldName('condition');
      return isDecided(query, bound, source) && !dependsOnLoop(call.node, node);
    });
  });
}

/** A text times a count of what is found, or by a chosen number. */
function isRepeated(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (node.type !== 'string' && /\*|join/.test(node.text) && isChosen(query, node, source)) return true;
  return [...walkPython(node)].some((inner) => {
    if (inner.type !== 'binary_operator' || inner.childForFieldName('operator')?.text !== '*') return false;
    const sides = [inner.childForFieldName('left'), inner.childForFieldName('right')];
    return [0, 1].some((at) => {
      const [count, text] = [sides[at] ?? null, sides[1 - at] ?? null];
      const isAsked = count !== null && [...walkPython(count)].some((part) => isTruth(query, part, source) || isCount(query, part, source));
      return isDecided(query, count, source) && text !== null && (isText(text) || (isAsked && !isQuantity(query, text, source)));
    });
  });
}

function isText(node: PythonNode): boolean {
  return [...walkPython(node)].some((inner) => inner.type === 'string');
}

function isBranchedLine(query: ChoiceQuery, call: CallSite): boolean {
  return conditionalOf(query, call.node, call.source) === 'branch';
}

function dependsOnLoop(line: PythonNode, loop: PythonNode): boolean {
  const bound = [...walkPython(loop)].flatMap((node) => {
    const target = targetOf(node);
    return target === null ? [] : targetNames(target);
  });
  return [...walkPython(line)].some((node) => node.type === 'identifier' && bound.includes(node.text));
}
