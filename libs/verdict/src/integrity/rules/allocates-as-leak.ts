import { walkPython, type PythonNode } from '@reenact/code-index';
import type { Facet, Finding, Oracle } from '@reenact/domain';
import { notShown, shownTrials } from '../arm-facts.js';
import { conditionalOf, createChoiceQuery, isDecided, isQuantity, type ChoiceQuery } from '../choice-query.js';
import { isAskedAbout } from '../asked-about.js';
import { isChosen } from '../chosen-values.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { elementsIn, MANY_ELEMENTS, ownValueOf } from '../own-quantities.js';
import { answered, placeOf, type Rule, type ScriptPlace, suspicion } from '../rule.js';
import type { ScriptSource } from '../script-scopes.js';
import { callsSubject } from '../subject-calls.js';
import { isCount, isShifted, isTruth } from '../truth-values.js';

const CODE = 'allocates-as-leak';
const ALLOCATORS =
  /^(?:bytearray|bytes|list|tuple|set|dict|range|(?:np|numpy|torch|tf|tensorflow|jnp|cupy|cp|pd|array|os|mmap|random|secrets|ctypes|itertools|io|collections|shared_memory)\..*|deque|urandom|randbytes|BytesIO|StringIO|repeat|mmap)$/;
const GROWING =
  /^(?:append|appendleft|extend|extendleft|add|insert|update|setdefault|push|put|write|writelines|resize|ljust|rjust|zfill|center|repeat|tile|expand|fromlist|frombytes)$/;

/** Memory is claimed, and the script itself holds it on one tree and not on the other. */
export const allocatesAsLeak: Rule = {
  code: CODE,
  check(input) {
    const facets = input.facets.filter((facet) => facet.oracles.some(claimsMemory));
    if (facets.length === 0) return [];
    const query = createChoiceQuery(input.script);
    const places = input.script.sources.flatMap((source) =>
      [...walkPython(source.root)].filter((node) => isBallast(query, node, source)).map((node) => ({ node, source })),
    );
    return facets.flatMap((facet) => places.map((place) => at(facet, place)));
  },
  confirm(finding, input) {
    if (shownTrials(input, finding.facet).length === 0) return notShown(finding);
    return answered(finding, 'finding', 'nothing tells the memory of the subject from what the script holds on this tree only');
  },
};

function claimsMemory(oracle: Oracle): boolean {
  return oracle.kind === 'memory_peak' || oracle.kind === 'oom' || (oracle.kind === 'trend' && (oracle.memory || oracle.of === 'rss'));
}

function at(facet: Facet, place: ScriptPlace): Finding {
  const message = 'what is found on the tree decides how much memory the script itself holds';
  return suspicion(CODE, message, { ...placeOf(place), facet: facet.id });
}

function isBallast(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (keepsOnOneTree(query, node, source)) return true;
  if (!isAllocation(query, node, source)) return false;
  if (isChosen(query, node, source) || (isShifted(query, node, source) && elementsIn(query, node, source) >= MANY_ELEMENTS)) return true;
  if (isDoubled(query, node, source)) return true;
  if (!isQuantity(query, node, source) || elementsIn(query, node, source) < MANY_ELEMENTS) return false;
  const around = conditionalOf(query, node, source);
  return around === 'branch' || (around === 'loose' && !reachesSubject(query, node, source));
}

/** `text = text + text * found`: it grows by itself, as often as it is found. */
function isDoubled(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (node.type !== 'binary_operator') return false;
  const sides = [node.childForFieldName('left'), node.childForFieldName('right')];
  return [0, 1].some((at) => {
    const [times, grown] = [sides[at] ?? null, sides[1 - at] ?? null];
    if (grown?.type !== 'identifier' || !isDecided(query, times, source)) return false;
    if (!isCount(query, times, source) && !isTruth(query, times, source)) return false;
    return query.names
      .of(grown, source)
      .some(({ value }) => [...walkPython(value)].some((inner) => inner.type === 'identifier' && inner.text === grown.text));
  });
}

/** A call that makes something as large as it is told to, a sequence that is repeated, or a list of many. */
function isAllocation(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (node.type === 'list_comprehension' || node.type === 'set_comprehension' || node.type === 'dictionary_comprehension') return true;
  if (node.type === 'binary_operator')
    return /^(?:\*|\+|%)$/.test(node.childForFieldName('operator')?.text ?? '') && holdsSequence(query, node, source);
  if (node.type !== 'call') return false;
  const callee = node.childForFieldName('function');
  if (callee === null || has(query.flow.labelsOf(callee, source), FROM_SUBJECT)) return false;
  if (ALLOCATORS.test(callee.text)) return true;
  const [method, object] = [callee.childForFieldName('attribute')?.text ?? '', callee.childForFieldName('object')];
  if (method === 'join') return object?.type === 'string';
  return GROWING.test(method) && (node.childForFieldName('arguments')?.namedChildCount ?? 0) > 0;
}

function holdsSequence(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  return ['left', 'right'].some((field) => {
    const side = node.childForFieldName(field);
    if (side === null) return false;
    if (/^(?:string|list|tuple|concatenated_string)$/.test(side.type)) return true;
    if (side.type === 'parenthesized_expression' || side.type === 'binary_operator' || side.type === 'call')
      return [...walkPython(side)].some((inner) => /^(?:string|list|tuple)$/.test(inner.type) || ALLOCATORS.test(calleeOf(inner)));
    return (
      side.type === 'identifier' &&
      query.names.of(side, source).some(({ value }) => /^(?:string|list|tuple)$/.test(value.type) || ALLOCATORS.test(calleeOf(value)))
    );
  });
}

function calleeOf(node: PythonNode): string {
  return node.type === 'call' ? (node.childForFieldName('function')?.text ?? '') : '';
}

/** Whether the name that it is given, or the call that it stands in, is handed to the subject: then it is its input. */
function reachesSubject(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  let name: string | null = null;
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (outer.type === 'assignment') name = outer.childForFieldName('left')?.text ?? null;
    if (/_statement$|^block$|^module$/.test(outer.type)) break;
  }
  return query.flow.calls.some(
    (call) =>
      call.source === source &&
      callsSubject(call) &&
      [...walkPython(call.node.childForFieldName('arguments') ?? call.node)].some(
        (inner) => inner.id === node.id || (inner.type === 'identifier' && inner.text === name),
      ),
  );
}

const COLLECTING = /^(?:list|tuple|set|dict|deque|collections\.deque)$/;
const SCALARS = /^(?:float|int|bool|str|repr|len|round|item|hexdigest)$/;

/** Results of the subject are kept under a condition that is not about them. */
function keepsOnOneTree(query: ChoiceQuery, node: PythonNode, source: ScriptSource): boolean {
  if (node.type !== 'call' || conditionalOf(query, node, source) !== 'branch') return false;
  const given = node.childForFieldName('arguments')?.namedChild(0) ?? null;
  const method = node.childForFieldName('function')?.childForFieldName('attribute')?.text ?? '';
  const isPath = /^(?:os\.|pathlib\.)/.test(calleeOf(node));
  const isKept = (GROWING.test(method) && !isPath) || (COLLECTING.test(calleeOf(node)) && isBound(node));
  if (!isKept || given === null || !has(query.flow.labelsOf(given, source), FROM_SUBJECT)) return false;
  const isSmall = ownValueOf(query, given, source) !== null || SCALARS.test(calleeOf(given).split('.').at(-1) ?? '');
  return !isSmall && !isAskedAbout(query, given, source);
}

/** Whether a value is bound as it is, or as one side of a choice. */
function isBound(node: PythonNode): boolean {
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (outer.type === 'assignment' || outer.type === 'named_expression') return true;
    if (!/^(?:conditional_expression|boolean_operator|parenthesized_expression|list|tuple)$/.test(outer.type)) return false;
  }
  return false;
}
