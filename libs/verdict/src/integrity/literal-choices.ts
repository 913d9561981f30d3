import { walkPython, type PythonNode } from '@reenact/code-index';
import { bindingOf, targetOf, type Scopes, type ScriptSource } from './script-scopes.js';

const DEPTH_LIMIT = 6;
const CONVERSIONS = /^(?:float|int|round|str|abs)$/;
const ARITHMETIC = /^(?:\+|-|\*|\/|\/\/|%|\*\*)$/;
const CHOICES_LIMIT = 16;

/**
 * The numbers of which a value is one, where the script itself writes all of them: `3.3 if a else 0.9`, an entry of a
 * table, a name that is bound to a number in each branch. Whatever chooses among them measures nothing.
 * @returns an empty list for anything that is computed
 */
export function choicesOf(scopes: Scopes, node: PythonNode, source: ScriptSource, depth = 0): string[] {
  if (depth > DEPTH_LIMIT) return [];
  const all = (nodes: readonly (PythonNode | null)[]): string[] => {
    const found = nodes.map((inner) => (inner === null ? [] : choicesOf(scopes, inner, source, depth + 1)));
    return found.some((choices) => choices.length === 0) ? [] : [...new Set(found.flat())];
  };
  switch (node.type) {
    case 'integer':
    case 'float':
      return [node.text];
    case 'unary_operator':
      return /^-[\d.eE+-]+$/.test(node.text) ? [node.text] : [];
    case 'parenthesized_expression':
      return all([node.namedChild(0)]);
    case 'conditional_expression':
      return all([node.namedChild(0), node.namedChild(2)]);
    case 'subscript':
      return all(entriesOf(node.childForFieldName('value')));
    case 'call':
      return CONVERSIONS.test(node.childForFieldName('function')?.text ?? '')
        ? all([node.childForFieldName('arguments')?.namedChild(0) ?? null])
        : [];
    case 'binary_operator':
      return weighed(scopes, node, source, depth);
    case 'identifier':
      return (
        onceFor({ scopes, source, depth }, { question: 'choices', node }, () => all(bindingsOf({ scopes, source, depth }, node))) ?? []
      );
    default:
      return [];
  }
}

const known = new WeakMap<Scopes, Map<string, string[] | null>>();

/** Answers a question about a name once: names that refer to each other would be asked again and again. Null for one asked within itself. */
function onceFor(
  { scopes, source }: Within,
  { question, node }: { question: string; node: PythonNode },
  work: () => string[] | null,
): string[] | null {
  const answers = known.get(scopes) ?? new Map<string, string[] | null>();
  known.set(scopes, answers);
  const key = `${question} ${bindingOf(scopes, source, node, node.text)}`;
  if (answers.has(key)) return answers.get(key) ?? null;
  answers.set(key, null);
  const found = work();
  answers.set(key, found);
  return found;
}

/**
 * `0.9 + 11.6 * (a > b)`: numbers of the script, put together with the answer to a question. Shares in per cent are left out:
 * `100 * (a == b)` is a rate of one.
 */
function weighed(scopes: Scopes, node: PythonNode, source: ScriptSource, depth: number): string[] {
  const operator = node.childForFieldName('operator')?.text ?? '';
  const sides = [node.childForFieldName('left'), node.childForFieldName('right')].map((side) =>
    side === null ? [] : (answersOf(scopes, side, source) ?? choicesOf(scopes, side, source, depth + 1)),
  );
  if (!ARITHMETIC.test(operator) || sides.some((choices) => choices.length === 0)) return [];
  const [left = [], right = []] = sides;
  if (left.length * right.length < 2 || left.length * right.length > CHOICES_LIMIT) return [];
  const numbers = left.flatMap((a) => right.map((b) => compute(operator, Number(a), Number(b)))).filter(Number.isFinite);
  const isCountOrShare = numbers.every((value) => Number.isInteger(value) && (Math.abs(value) < 1.5 || value === 100));
  return isCountOrShare || isCountOfAnswers(node) ? [] : [...new Set(numbers.map(String))];
}

/** `0` and `1` for the answer to a question, as a number or as it is; null for anything else. */
function answersOf(scopes: Scopes, node: PythonNode, source: ScriptSource, depth = 0): string[] | null {
  if (/^(?:comparison_operator|not_operator|true|false)$/.test(node.type)) return ['0', '1'];
  const inner =
    node.type === 'parenthesized_expression'
      ? node.namedChild(0)
      : node.type === 'call' && /^(?:int|float|bool)$/.test(node.childForFieldName('function')?.text ?? '')
        ? (node.childForFieldName('arguments')?.namedChild(0) ?? null)
        : null;
  if (depth > DEPTH_LIMIT) return null;
  if (inner !== null) return answersOf(scopes, inner, source, depth + 1);
  if (node.type !== 'identifier') return null;
  const within = { scopes, source, depth };
  return onceFor(within, { question: 'answers', node }, () => {
    const isAnswer = (value: PythonNode | null): boolean => value !== null && answersOf(scopes, value, source, depth + 1) !== null;
    return bindingsOf(within, node).every(isAnswer) ? ['0', '1'] : null;
  });
}

/** Nothing but answers, added up. */
function isCountOfAnswers(node: PythonNode): boolean {
  return ![...walkPython(node)].some((inner) => /^(?:integer|float)$/.test(inner.type) && inner.parent?.type === 'binary_operator');
}

function compute(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '//':
      return Math.floor(a / b);
    case '%':
      return a % b;
    default:
      return a ** b;
  }
}

function entriesOf(table: PythonNode | null): (PythonNode | null)[] {
  if (table?.type === 'dictionary') return table.namedChildren.map((pair) => pair?.childForFieldName('value') ?? null);
  return table?.type === 'list' || table?.type === 'tuple' ? table.namedChildren : [null];
}

/** Where a name is looked up, and how deep the search is by now. */
interface Within {
  scopes: Scopes;
  source: ScriptSource;
  depth: number;
}

/** What a name is assigned; null among them where it is bound in another way. */
function bindingsOf(within: Within, node: PythonNode): (PythonNode | null)[] {
  const { scopes, source } = within;
  const key = bindingOf(scopes, source, node, node.text);
  if (key === null || [...scopes.functions.values()].some((fn) => key === `${fn.key}/${node.text}` && fn.parameters.includes(node.text)))
    return [null];
  const found: (PythonNode | null)[] = [];
  for (const other of walkPython(source.root)) {
    const target = targetOf(other);
    if (target === null || !target.text.includes(node.text)) continue;
    const names = [...walkPython(target)].filter((child) => child.type === 'identifier' && child.text === node.text);
    if (!names.some((child) => bindingOf(scopes, source, child, child.text) === key)) continue;
    found.push(...boundValues(within, other, node.text));
  }
  return found.length > 0 ? found : [null];
}

/** What one binding gives a name: the right side of an assignment, or every element of the table that a loop goes through. */
function boundValues(within: Within, binding: PythonNode, name: string): (PythonNode | null)[] {
  const target = targetOf(binding);
  const right = binding.childForFieldName('right');
  if (binding.type === 'assignment') return [target?.type === 'identifier' ? right : null];
  if (!/^for_(?:statement|in_clause)$/.test(binding.type) || target === null) return [null];
  if (target.type === 'identifier') return elementsOf(within, right);
  const position = target.namedChildren.findIndex((child) => child?.type === 'identifier' && child.text === name);
  const callee = right?.type === 'call' ? right.childForFieldName('function')?.text : null;
  const given = right?.childForFieldName('arguments')?.namedChildren ?? [];
  if (callee === 'zip') return elementsOf(within, given[position] ?? null);
  return callee === 'enumerate' && position === 1 ? elementsOf(within, given[0] ?? null) : [null];
}

/** The elements of every list or tuple that an expression may be; null among them for anything else. */
function elementsOf(within: Within, table: PythonNode | null): (PythonNode | null)[] {
  if (table === null || within.depth > DEPTH_LIMIT) return [null];
  const inner = { ...within, depth: within.depth + 1 };
  switch (table.type) {
    case 'list':
    case 'tuple':
      return table.namedChildren;
    case 'parenthesized_expression':
      return elementsOf(inner, table.namedChild(0));
    case 'conditional_expression':
      return [...elementsOf(inner, table.namedChild(0)), ...elementsOf(inner, table.namedChild(2))];
    case 'identifier':
      return bindingsOf(inner, table).flatMap((bound) => elementsOf(inner, bound));
    default:
      return [null];
  }
}
