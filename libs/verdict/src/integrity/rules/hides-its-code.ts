import { walkPython, type PythonNode } from '@reenact/code-index';
import { notShown, shownTrials, trialsOf } from '../arm-facts.js';
import { canonicalOf } from '../flow-queries.js';
import { answered, type ConfirmInput, placeOf, type Rule, type RuleInput, suspicion } from '../rule.js';
import type { CallSite } from '../script-flow.js';
import { targetOf, type ScriptSource } from '../script-scopes.js';

const CODE = 'hides-its-code';
/** They run or load what their first argument holds. */
const RUNS = /^(?:builtins\.(?:exec|eval|compile)|(?:c?pickle|marshal|dill|cloudpickle)\.loads?)$/;
/** They reach something by a name: the place of the name among the arguments. */
const NAMED: Record<string, number> = {
  'builtins.getattr': 1,
  'builtins.setattr': 1,
  'builtins.hasattr': 1,
  'builtins.delattr': 1,
  'builtins.__import__': 0,
  'importlib.import_module': 0,
};
/** Ways to write a text so that it cannot be read. */
const UNREADABLE =
  /\bchr\(|\bchr\b,|fromhex|\bb(?:16|32|64|85)decode|a85decode|rot_?13|unhexlify|["']\s*\[::-1\]|\.translate\(|swapcase|zlib\.decompress/;
/** Arrays are turned round as well: only what is run at once is a text for sure. */
const TURNED_ROUND = /\[::-1\]|\breversed\(/;
/** Names that only somebody who looks into code needs. */
const INSIDE = /^(?:__\w+__|co_\w+|f_\w+|tb_\w+|func_code)$/;
/** Start options by which an interpreter leaves the environment, and the probe, behind. */
const ISOLATED = /^["']-[bBdIEOqsSuvx]*[IES][bBdIEOqsSuvx]*["']$/;
const NAMES_LIMIT = 3;

/** Code or names that are written so that nobody can read them, or a child that nobody can watch. */
export const hidesItsCode: Rule = {
  code: CODE,
  check(input) {
    return [
      ...input.script.calls.flatMap((call) => {
        const reason = reasonOf(input, call);
        return reason === null ? [] : [suspicion(CODE, reason, placeOf(call))];
      }),
      ...input.script.sources.flatMap((source) =>
        source.root
          .descendantsOfType('identifier')
          .filter((node): node is PythonNode => node !== null && isRunnerAsValue(input, node, source))
          .map((node) => suspicion(CODE, 'a function that runs texts is handed on as a value', placeOf({ node, source }))),
      ),
    ];
  },
  confirm(finding, input) {
    if (shownTrials(input, undefined).length === 0) return notShown(finding);
    return answered(finding, 'finding', 'what this line does cannot be read, and a signal was shown');
  },
  observe(input) {
    if (shownTrials(input, undefined).length === 0 || mentionsInside(input)) return [];
    const seen = trialsOf(input, 'candidate')
      .flatMap(({ records }) => records)
      .find((record) => record.kind === 'notice' && (record.code === 'code-read' || record.code === 'code-write'));
    if (seen?.kind !== 'notice') return [];
    const message = `the script reached code of the subject, and its text does not say so: ${seen.message}`;
    return [{ rule: CODE, level: 'finding', message, evidence: `record ${seen.seq}` }];
  },
};

function reasonOf(input: RuleInput, call: CallSite): string | null {
  const given = (call.node.childForFieldName('arguments')?.namedChildren ?? []).filter((child): child is PythonNode => child !== null);
  const [first] = given;
  if (first !== undefined && RUNS.test(call.name ?? '') && isUnreadable(input, call, first)) return 'the code that is run is encoded';
  const named = given[NAMED[call.name ?? ''] ?? -1];
  if (named !== undefined && (isUnreadable(input, call, named) || isAssembledInside(named)))
    return 'a name is put together so that it cannot be read';
  if (call.kind !== 'launches') return null;
  const words = [...walkPython(call.node)].filter((node) => node.type === 'string').map((node) => node.text);
  return /\bsys\.executable\b|python/.test(call.node.text) && words.some((word) => ISOLATED.test(word))
    ? 'a child is started apart from its environment, where no probe runs'
    : null;
}

/** How far the names of an expression were followed. */
interface Trail {
  depth: number;
  seen: Set<string>;
}

/** Whether the text of an expression, or of what its names were bound to, is encoded. */
function isUnreadable(input: RuleInput, call: CallSite, node: PythonNode, trail: Trail = { depth: 0, seen: new Set() }): boolean {
  const { depth, seen } = trail;
  if (UNREADABLE.test(node.text) || (depth === 0 && TURNED_ROUND.test(node.text))) return true;
  if (depth >= NAMES_LIMIT) return false;
  // A name is looked at once: its bindings may name it again.
  const names = new Set(
    [...walkPython(node)].flatMap((inner) => (inner.type === 'identifier' && !seen.has(inner.text) ? [inner.text] : [])),
  );
  if (names.size === 0) return false;
  for (const name of names) seen.add(name);
  const bound = [...walkPython(call.source.root)].filter((other) => {
    const target = other.type === 'assignment' ? targetOf(other) : null;
    return target?.type === 'identifier' && names.has(target.text);
  });
  return bound.some((other) => {
    const right = other.childForFieldName('right');
    return right !== null && isUnreadable(input, call, right, { depth: depth + 1, seen });
  });
}

/** `"__co" + "de__"`: there is no reason to write it in parts. */
function isAssembledInside(node: PythonNode): boolean {
  if (node.type === 'string' || node.type === 'identifier') return false;
  const parts = [...walkPython(node)].filter((inner) => inner.type === 'string_content').map((inner) => inner.text);
  return parts.length > 1 && (INSIDE.test(parts.join('')) || INSIDE.test(parts.slice(1).join(parts[0] ?? '')));
}

/** The builtin `eval` as a value: given to a pickle, a map, a partial. */
function isRunnerAsValue(input: RuleInput, node: PythonNode, source: ScriptSource): boolean {
  if (node.text !== 'eval' && node.text !== 'exec') return false;
  const parent = node.parent;
  if (parent === null || ['call', 'attribute', 'keyword_argument', 'dotted_name'].includes(parent.type)) return false;
  return canonicalOf(input.script, node, source) === `builtins.${node.text}` && !/parameter|_definition$/.test(parent.type);
}

/** Where the text of the script names the code of a function, the flow of its values tells more than the probe. */
function mentionsInside(input: ConfirmInput): boolean {
  return input.script.sources.some(({ file }) => /\b(?:__code__|__defaults__|__kwdefaults__|co_\w+)\b/.test(file.text));
}
