import { walkPython, type PythonNode } from '@reenact/code-index';
import { bindingOf, targetOf, type Scopes, type ScriptSource } from './script-scopes.js';

const DEPTH_LIMIT = 6;
const CONVERSIONS = /^(?:float|int|round|str|abs)$/;

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
    case 'identifier':
      return all(bindingsOf({ scopes, source, depth }, node));
    default:
      return [];
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
