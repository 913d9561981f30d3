import type { PythonNode } from '@reenact/code-index';
import type { RuleInput } from '../rule.js';
import { heldName } from '../named-modules.js';
import type { ScriptSource } from '../script-scopes.js';

/** What any subject computes with; asking for devices is left out, since it is set to keep a run on the CPU. */
export const BELOW_EVERYTHING =
  /^(?:builtins|numpy|torch|tensorflow|jax|random|math|cmath|json|pickle|struct|itertools|functools|operator|statistics|collections|copy|bisect|heapq|decimal|fractions|re)\.(?!cuda\.|backends\.)/;

/** Names that libraries took away, with what does the same: scripts of old are kept alive by them. */
const RENAMED: Readonly<Record<string, string>> = {
  in1d: 'isin',
  trapz: 'trapezoid',
  product: 'prod',
  cumproduct: 'cumprod',
  alltrue: 'all',
  sometrue: 'any',
  rowstack: 'vstack',
  unicode: 'str',
  infty: 'inf',
  gcd: 'gcd',
  getargspec: 'getfullargspec',
};

/**
 * Whether a value is a function of a library that does something else than the one it is put in the place of:
 * `np.mean = np.max`. The same under another name is none, nor is a name that the library lacks (`np.float = float`,
 * `if not hasattr(np, "in1d"): …`).
 * @param target canonical name of what is replaced
 */
export function isOtherFunction(input: RuleInput, target: string, value: { node: PythonNode | null; source: ScriptSource }): boolean {
  const { node, source } = value;
  if (node === null) return false;
  if (node.type === 'subscript' || node.type === 'conditional_expression' || node.type === 'parenthesized_expression')
    return partsOf(node).some((part) => isOtherFunction(input, target, { node: part, source }));
  if (node.type !== 'attribute' && node.type !== 'identifier') return false;
  const name = heldName(input.script, node, source);
  if (name === null || !BELOW_EVERYTHING.test(name) || name === target || isConstantName(name)) return false;
  return !isAlike(lastPart(target), lastPart(name)) && !isMissing(node, lastPart(target));
}

/** The elements of a table that is asked, and both values of a choice. */
function partsOf(node: PythonNode): PythonNode[] {
  const from = node.type === 'subscript' ? node.childForFieldName('value') : node;
  if (from === null || /^(?:identifier|attribute|call)$/.test(from.type)) return [];
  return from.namedChildren.flatMap((child) => {
    if (child === null) return [];
    return child.type === 'pair' ? [child.childForFieldName('value')].filter((part) => part !== null) : [child];
  });
}

function lastPart(dotted: string): string {
  return dotted.split('.').at(-1) ?? dotted;
}

/** Types, limits and switches: `np.nan`, `torch.float16`, `math.pi`. */
function isConstantName(name: string): boolean {
  return /\.(?:nan|inf|pi|e|newaxis|None|True|False|[A-Z][A-Z_]+)$/.test(name);
}

/** `float` for `np.float`, `float64` for `np.float_`: only digits and underscores that the old name lacks may be new. */
function isAlike(old: string, other: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replaceAll('_', '');
  const [from, to] = [plain(old), plain(other)];
  return from === to || RENAMED[from] === to || (!/\d/.test(from) && to.replace(/\d+$/, '') === from);
}

/** Only where the library has no such name: below `if not hasattr(…, "name")`, or in the handler of what asked for it. */
function isMissing(node: PythonNode, member: string): boolean {
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    const asked = outer.type === 'if_statement' ? (outer.childForFieldName('condition')?.text ?? '') : '';
    if (/^not hasattr\(/.test(asked) && asked.includes(`"${member}"`.replaceAll('"', asked.includes("'") ? "'" : '"'))) return true;
    const tried = outer.type === 'except_clause' ? (outer.parent?.childForFieldName('body')?.text ?? '') : '';
    if (/^except (?:AttributeError|ImportError)/.test(outer.text) && tried.trim().endsWith(`.${member}`)) return true;
  }
  return false;
}
