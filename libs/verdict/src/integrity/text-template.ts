import { walkPython, type PythonNode } from '@reenact/code-index';
import type { Labels } from './labels.js';
import type { ScriptFlow } from './script-flow.js';
import { choicesOf } from './literal-choices.js';
import { bindingOf, targetOf, type ScriptSource } from './script-scopes.js';

/** Placeholders of computed parts: characters of the private use area, one per hole. */
export const HOLE = { first: '\ue000', last: '\uf8ff' } as const;
const HOLES_LIMIT = 6_000;
const DEPTH_LIMIT = 8;

/** A text of the script as far as the script itself fixes it. */
export interface Template {
  /** Literal text with one placeholder character per computed part. */
  text: string;
  holes: Hole[];
}

/** A computed part: where it comes from, and its possible values where they are all literals of the script. */
export interface Hole {
  labels: Labels;
  choices: readonly string[];
}

const LITERALS = new Set(['integer', 'float', 'true', 'false', 'none', 'unary_operator']);

/** Folds an expression to the text that it gives when printed: literals, f-strings, `+`, `%`, format, join, str. */
export function templateOf(flow: ScriptFlow, node: PythonNode, source: ScriptSource, depth = 0): Template {
  const hole = (): Template => ({
    text: HOLE.first,
    holes: [{ labels: flow.labelsOf(node, source), choices: choicesOf(flow.scopes, node, source) }],
  });
  if (depth > DEPTH_LIMIT) return hole();
  const fold = (inner: PythonNode | null): Template => (inner === null ? hole() : templateOf(flow, inner, source, depth + 1));
  // Python prints a whole number in tens, however it is written.
  if (node.type === 'integer' && /^(?:0[xob])?[\da-f_]+$/i.test(node.text))
    return { text: String(BigInt(node.text.replaceAll('_', ''))), holes: [] };
  if (LITERALS.has(node.type) && !/[A-Za-z_(]/.test(node.text.replace(/^(?:True|False|None)$|[eEjJ]/g, '')))
    return { text: node.text, holes: [] };
  switch (node.type) {
    case 'string':
      return foldString(node, fold);
    case 'concatenated_string':
      return joinTemplates(node.namedChildren.map(fold), '');
    case 'parenthesized_expression':
      return fold(node.namedChild(0));
    case 'binary_operator':
      return foldOperator(node, fold, hole);
    case 'call':
      return foldCall(node, fold, hole);
    case 'identifier':
      return foldName(flow, node, source, { fold, hole });
    default:
      return hole();
  }
}

type Fold = (node: PythonNode | null) => Template;

/** Sticks templates together and numbers their holes anew. */
export function joinTemplates(parts: readonly Template[], separator: string): Template {
  const joined: Template = { text: '', holes: [] };
  parts.forEach((part, index) => {
    const shift = joined.holes.length;
    if (shift + part.holes.length > HOLES_LIMIT) return;
    const text = [...part.text].map((character) =>
      character >= HOLE.first && character <= HOLE.last ? String.fromCharCode(character.charCodeAt(0) + shift) : character,
    );
    joined.text += (index > 0 ? separator : '') + text.join('');
    joined.holes.push(...part.holes);
  });
  return joined;
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', '0': '\0', '\n': '' };

function foldString(node: PythonNode, fold: Fold): Template {
  const isRaw = /^[A-Za-z]*r/i.test(node.namedChildren[0]?.text ?? '');
  const parts: Template[] = [];
  for (const child of node.namedChildren) {
    if (child?.type === 'interpolation') parts.push(foldInterpolation(child, fold));
    else if (child?.type === 'string_content') {
      const text = isRaw ? child.text : child.text.replace(/\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\([\s\S])/g, unescape);
      parts.push({
        text: text
          .replaceAll('{{', '{')
          .replaceAll('}}', '}')
          .replace(/[\ue000-\uf8ff]/g, '?'),
        holes: [],
      });
    }
  }
  return joinTemplates(parts, '');
}

function unescape(whole: string, byte: string | undefined, unit: string | undefined, character: string | undefined): string {
  const code = byte ?? unit;
  return code !== undefined ? String.fromCharCode(parseInt(code, 16)) : (ESCAPES[character ?? ''] ?? whole);
}

/** A number format changes the text of a literal number, not where it comes from. */
function foldInterpolation(node: PythonNode, fold: Fold): Template {
  return fold(node.childForFieldName('expression') ?? node.namedChild(0));
}

function foldOperator(node: PythonNode, fold: Fold, hole: () => Template): Template {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const operator = node.childForFieldName('operator')?.text;
  const isText = (side: PythonNode | null): boolean => side !== null && [...walkPython(side)].some((child) => child.type === 'string');
  if (operator === '+' && (isText(left) || isText(right))) return joinTemplates([fold(left), fold(right)], '');
  if (operator === '%' && isText(left)) {
    const values = right?.type === 'tuple' ? right.namedChildren : [right];
    return fillPlaces(fold(left), /%(?:\([^)]{0,80}\))?[-+ #0-9.*]{0,12}[a-zA-Z]/g, values.map(fold));
  }
  return hole();
}

function foldCall(node: PythonNode, fold: Fold, hole: () => Template): Template {
  const callee = node.childForFieldName('function');
  const given = (node.childForFieldName('arguments')?.namedChildren ?? []).filter((child) => child !== null);
  const method = callee?.childForFieldName('attribute')?.text;
  const object = callee?.childForFieldName('object') ?? null;
  if (callee?.type === 'identifier' && ['str', 'repr', 'float', 'int', 'bool'].includes(callee.text) && given.length === 1)
    return fold(given[0] ?? null);
  if (method === 'format' && object !== null) {
    return fillPlaces(
      fold(object),
      /\{[^{}]{0,80}\}/g,
      given.map((argument) => fold(argument.childForFieldName('value') ?? argument)),
    );
  }
  if (method === 'join' && object?.type === 'string' && (given[0]?.type === 'list' || given[0]?.type === 'tuple')) {
    const separator = fold(object);
    return joinTemplates(
      given[0].namedChildren.map(fold).flatMap((part, index) => (index > 0 ? [separator, part] : [part])),
      '',
    );
  }
  if (method === 'encode' || method === 'strip' || method === 'dedent') return fold(method === 'dedent' ? (given[0] ?? null) : object);
  return hole();
}

/** Puts values into the places of a format text in order; with too few, the last one stands for all. */
function fillPlaces(format: Template, places: RegExp, values: readonly Template[]): Template {
  const pieces = format.text.split(places);
  const parts: Template[] = [];
  pieces.forEach((piece, index) => {
    parts.push(pieceOf(format, piece));
    const value = values[Math.min(index, values.length - 1)];
    if (index < pieces.length - 1 && value !== undefined) parts.push(value);
  });
  const filled = joinTemplates(parts, '');
  const ofPlaces = pieceOf(format, (format.text.match(places) ?? []).join(''));
  return { text: filled.text, holes: [...filled.holes, ...ofPlaces.holes] };
}

/** A piece of a template's text with the holes that are in it, and no other. */
function pieceOf(template: Template, text: string): Template {
  const holes: Hole[] = [];
  const first = HOLE.first.charCodeAt(0);
  const characters = [...text].map((character) => {
    const hole = template.holes[character.charCodeAt(0) - first];
    return hole === undefined ? character : String.fromCharCode(first + holes.push(hole) - 1);
  });
  return { text: characters.join(''), holes };
}

/** A name that is bound once, to a value that can be folded. */
function foldName(flow: ScriptFlow, node: PythonNode, source: ScriptSource, with_: { fold: Fold; hole: () => Template }): Template {
  const key = bindingOf(flow.scopes, source, node, node.text);
  if (key === null) return with_.hole();
  let value: PythonNode | null = null;
  for (const other of walkPython(source.root)) {
    const target = targetOf(other);
    if (target === null || !target.text.includes(node.text)) continue;
    const names = [...walkPython(target)].filter((child) => child.type === 'identifier' && child.text === node.text);
    if (!names.some((child) => bindingOf(flow.scopes, source, child, child.text) === key)) continue;
    if (value !== null || other.type !== 'assignment' || target.type !== 'identifier') return with_.hole();
    value = other.childForFieldName('right');
  }
  const isParameter = [...flow.scopes.functions.values()].some(
    (fn) => key === `${fn.key}/${node.text}` && fn.parameters.includes(node.text),
  );
  if (value === null || isParameter) return with_.hole();
  const folded = with_.fold(value);
  // What decides over the assignment decides over the text.
  const labels = flow.labelsOf(node, source);
  if (folded.holes.length === 0 && labels !== 0) return { text: HOLE.first, holes: [{ labels, choices: [] }] };
  // A list or table may be filled after it was bound; of a longer text no part may borrow what another part comes from.
  const [only] = folded.holes;
  return folded.text === HOLE.first && only !== undefined ? { ...folded, holes: [{ ...only, labels: only.labels | labels }] } : folded;
}
