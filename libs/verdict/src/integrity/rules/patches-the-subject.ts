import { walkPython, type PythonNode } from '@reenact/code-index';
import type { Claim, Facet, Finding } from '@reenact/domain';
import { controlState, notShown, persistence, shownTrials, tripwireFacts } from '../arm-facts.js';
import { lastName } from '../claimed-signal.js';
import { conditionalOf, createChoiceQuery, type ChoiceQuery } from '../choice-query.js';
import { canonicalOf } from '../flow-queries.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { answered, type ConfirmInput, placeOf, type Rule, type RuleInput, suspicion } from '../rule.js';
import type { CallSite, StatementSite } from '../script-flow.js';
import { targetOf, type ScriptSource } from '../script-scopes.js';
import { isSubjectModule } from '../subject-listing.js';
import { heldName } from '../named-modules.js';
import { internalWrites } from './internal-writes.js';
import { BELOW_EVERYTHING, isOtherFunction } from './library-functions.js';

const CODE = 'patches-the-subject';

/** Members that move a value to a device; replaced to keep a run on the CPU, they change where and not what is computed. */
const TO_DEVICE = /^torch\.(?:Tensor|nn\.Module)\.(?:cuda|to|cpu|pin_memory)$/;
/** Builtins that a module of the subject gets another one of by a name of its own. */
const BUILTINS =
  /^(?:abs|all|any|bool|dict|divmod|enumerate|filter|float|hash|id|int|isinstance|iter|len|list|map|max|min|next|pow|range|round|set|sorted|str|sum|tuple|type|zip)$/;

/** Replaced to see or to silence what is printed: nothing is computed by these. */
const OUTPUT_ONLY = /^builtins\.(?:print|input|open|exit|quit)$/;

/** Functions of a subject that tell how far it is: replaced to see or silence that, they compute nothing. */
const TELLERS =
  /^(?:get_?logger|logger|setup_logging|init_logging|log_(?:metrics?|message|line|info)|progress(?:_?bar)?|tqdm|notify|plot\w*|savefig)$/i;

/** Asked before what a library lacks is added. */
const SHIM_CONDITION = /\bhasattr\(|\bversion(?:_info)?\b|__version__/;

/** A thing that a script replaces: its dotted name, where it is, and what takes its place. */
interface Patch {
  target: string;
  node: PythonNode;
  source: ScriptSource;
  replacement: PythonNode | null;
}

/** Assignment to, or `mock.patch` of, a function, method or class of the subject, or of a library function on its path. */
export const patchesTheSubject: Rule = {
  code: CODE,
  check(input) {
    const patches = [
      ...input.script.statements.flatMap((site) => patchByAssignment(input, site)),
      ...input.script.calls.flatMap((call) => patchByCall(input, call)),
    ];
    const internal = internalWrites(input).map(({ target, node, source }) =>
      suspicion(CODE, `${target} is changed by the inside of the interpreter`, {
        ...placeOf({ node, source }),
        detail: { target, internal: true },
      }),
    );
    if (patches.length === 0) return internal;
    // Walks the script: once for all patches.
    const query = createChoiceQuery(input.script);
    return [...internal, ...patches.flatMap((patch) => findingOf(input, query, patch))];
  },
  confirm: confirmPatch,
};

/** Shared with other rules about replaced code: a spy that calls the original is refuted, a replacement is not. */
export function confirmPatch(finding: Finding, input: ConfirmInput): Finding {
  const tripwire = tripwireFacts(input, undefined);
  const target = String(finding.detail?.['target'] ?? '');
  const isSuspect = input.suspects.some((suspect) => lastName(suspect.function) === lastName(target));
  const unnoticed = 'the suspected function was replaced: sabotaging the original goes unnoticed';
  if (shownTrials(input, undefined).length === 0)
    return isSuspect && tripwire.ran && !tripwire.tripped ? answered(finding, 'finding', unnoticed) : notShown(finding);
  if (finding.detail?.['internal'] === true)
    return answered(finding, 'finding', `${target} was changed: what ran is not what the subject says`);
  const persists = persistence(input, undefined);
  if (persists !== null) return answered(finding, 'finding', persists);
  if (tripwire.ran && !tripwire.tripped && isSuspect) return answered(finding, 'finding', unnoticed);
  if (decidesForSuspects(finding, target, input))
    return answered(finding, 'finding', `${target} was replaced, and what takes its place decides what the suspected code sees`);
  if (finding.detail?.['isDecided'] === true && !OUTPUT_ONLY.test(target) && !TO_DEVICE.test(target))
    return answered(
      finding,
      'finding',
      `${target} is replaced where something other than the script says so: a control need not run the same`,
    );
  if (controlState(input, undefined) === 'absent')
    return answered(finding, 'refuted', 'the signal is absent in the control arm with the same replacement');
  if (tripwire.tripped && finding.detail?.['callsOriginal'] === true)
    return answered(finding, 'refuted', 'the original still runs: its sentinel was seen, and the signal went with it');
  // A stub off the path lowers the grade; one beside the suspects decides what they see.
  const level = tripwire.tripped && !isBesideSuspects(target, input) ? 'suspicion' : 'finding';
  return answered(finding, level, `${target} was replaced, and no control shows that the subject still decides`);
}

/**
 * A definition in a suspected module, or something that every subject computes with, replaced by code that never calls the
 * original: then a control that runs the same replacement says nothing about the fault (verdict.md section 7: “on the
 * suspected function, module or frame path”).
 */
function decidesForSuspects(finding: Finding, target: string, input: ConfirmInput): boolean {
  if (finding.detail?.['callsOriginal'] === true || OUTPUT_ONLY.test(target) || TO_DEVICE.test(target)) return false;
  if (TELLERS.test(lastName(target)) && !input.facets.some(isAboutLines)) return false;
  return (finding.detail?.['isDefinition'] === true || BELOW_EVERYTHING.test(target)) && isBesideSuspects(target, input);
}

function isAboutLines(facet: Facet): boolean {
  return facet.oracles.some(({ kind }) => /^(?:output|printed|warning|file)$/.test(kind));
}

function isBesideSuspects(target: string, input: ConfirmInput): boolean {
  const parts = target.split('.');
  const files = parts.map((_, index) => input.subject.modules.get(parts.slice(0, index + 1).join('.')));
  return BELOW_EVERYTHING.test(target) || input.suspects.some((suspect) => files.includes(suspect.file));
}

/** A spy: what takes the place calls the subject itself, or is a mock that wraps it. */
function callsOriginal(input: RuleInput, patch: Patch): boolean {
  const { replacement, source } = patch;
  if (replacement === null) return false;
  if (/\bwraps\s*=|\bpartial\(/.test(patch.node.text)) return true;
  const bodies =
    replacement.type === 'identifier' ? (input.script.scopes.byName.get(replacement.text) ?? []).map((fn) => fn.node) : [replacement];
  const kept = keptOriginals(input, patch);
  return input.script.calls.some(
    (call) =>
      call.source === source &&
      ((has(call.callee, FROM_SUBJECT) && namesOriginal(call, patch.target)) ||
        kept.has(call.node.childForFieldName('function')?.text ?? '')) &&
      bodies.some((body) => call.node.startIndex >= body.startIndex && call.node.endIndex <= body.endIndex),
  );
}

/** Names that hold the original of a library and nothing else: `load = torch.load` before `torch.load` is replaced. */
function keptOriginals(input: RuleInput, { source, target }: Patch): Set<string> {
  const bound = new Map<string, (string | null)[]>();
  for (const node of walkPython(source.root)) {
    const left = targetOf(node);
    if (left?.type !== 'identifier') continue;
    const value = node.type === 'assignment' ? canonicalOf(input.script, node.childForFieldName('right'), source) : null;
    bound.set(left.text, [...(bound.get(left.text) ?? []), value]);
  }
  const holdsOriginal = (name: string, values: (string | null)[]) =>
    values.length === 1 && values[0] === target && !input.script.scopes.byName.has(name);
  return new Set([...bound].flatMap(([name, values]) => (holdsOriginal(name, values) ? [name] : [])));
}

/** The target by its own name, or a plain name that holds it; a method of a value that came from the subject is not it. */
function namesOriginal(call: CallSite, target: string): boolean {
  const callee = call.node.childForFieldName('function');
  return callee?.type === 'identifier' || lastName(call.name ?? callee?.text ?? '') === lastName(target);
}

function patchByAssignment(input: RuleInput, site: StatementSite): Patch[] {
  const left = site.node.childForFieldName('left');
  if (left?.type !== 'attribute') return [];
  const object = heldName(input.script, left.childForFieldName('object'), site.source);
  const member = left.childForFieldName('attribute')?.text ?? '';
  const replacement = site.node.childForFieldName('right');
  if (object !== null && !object.startsWith('builtins.'))
    return [{ target: `${object}.${member}`, node: site.node, source: site.source, replacement }];
  // An instance: only a function in the place of one of the subject's methods is a patch, a plain value is a setting.
  const isMethod = [...input.subject.outlines.values()].some((outline) =>
    outline.functions.some((fn) => lastName(fn.name) === member && fn.name.includes('.')),
  );
  const own = has(input.script.labelsOf(left, site.source), FROM_SUBJECT);
  const patch = { target: member, node: site.node, source: site.source, replacement };
  return own && isMethod && isCode(input, patch) ? [patch] : [];
}

function patchByCall(input: RuleInput, call: CallSite): Patch[] {
  const given = (call.node.childForFieldName('arguments')?.namedChildren ?? []).filter((child): child is PythonNode => child !== null);
  const [first, second] = given;
  const callee = call.node.childForFieldName('function')?.text ?? '';
  const name = call.name ?? callee;
  const text = (node: PythonNode | undefined): string | null =>
    node?.type === 'string' ? node.text.replace(/^\w*["']+|["']+$/g, '') : null;
  const isSetter = name === 'builtins.setattr' || /(?:^|\.)patch\.object$/.test(name) || /monkeypatch\.setattr$/.test(callee);
  if (isSetter && first !== undefined && text(second) !== null) {
    const object = heldName(input.script, first, call.source);
    if (object === null) return [];
    return [{ target: `${object}.${text(second) ?? ''}`, node: call.node, source: call.source, replacement: given[2] ?? null }];
  }
  const isPatch = /(?:^|\.)patch$/.test(name) || /monkeypatch\.setattr$/.test(callee);
  const target = text(first);
  return isPatch && target?.includes('.') ? [{ target, node: call.node, source: call.source, replacement: second ?? null }] : [];
}

/** Whether what takes a place is code: a lambda, a function or class of the script, a mock, another function of a library. */
function isCode(input: RuleInput, { target, replacement: node, source }: Omit<Patch, 'node'>): boolean {
  if (node === null || node.type === 'lambda') return true;
  if (node.type === 'keyword_argument') return isMockOf(input, { target, replacement: node, source });
  if (isOtherFunction(input, target, { node, source })) return true;
  const name = node.type === 'call' ? node.childForFieldName('function')?.text : node.text;
  const isFunction = node.type === 'identifier' && input.script.scopes.byName.has(node.text);
  return (
    isFunction ||
    /Mock|partial|wraps|MethodType/.test(name ?? '') ||
    (node.type === 'identifier' && canonicalOf(input.script, node, source) === null)
  );
}

function findingOf(input: RuleInput, query: ChoiceQuery, patch: Patch): Finding[] {
  const place = placeOf(patch);
  const member = patch.target.split('.').slice(1).join('.');
  const isDefinition = /__\w+__$/.test(member) || [...input.subject.outlines.values()].some((outline) => definedIn(outline, member));
  const below = isDefinition ? null : belowSubject(input, patch.target);
  const detail = {
    target: below ?? patch.target,
    callsOriginal: callsOriginal(input, patch),
    isDefinition,
    ...(isDecidedPatch(query, patch) ? { isDecided: true } : {}),
  };
  if (isSubjectModule(input.subject, patch.target)) {
    if (!isDefinition && !isCode(input, patch)) return [];
    return [suspicion(CODE, `${patch.target} of the subject is replaced`, { ...place, detail })];
  }
  if (!isCode(input, patch) || isHook(patch.target)) return [];
  if (/^torch\.(?:distributed|multiprocessing)\./.test(patch.target)) {
    return [{ ...suspicion('imitates-a-rank', `${patch.target} is replaced: ranks may not be real`, { ...place, detail }) }];
  }
  const onPath = namesOnPath(input.claim, input.facets).has(lastName(patch.target)) || BELOW_EVERYTHING.test(patch.target);
  // Without a module in front: a method of an object of the subject.
  if (onPath || !patch.target.includes('.'))
    return [suspicion(CODE, `${patch.target}, which the subject may go through, is replaced`, { ...place, detail })];
  if (patch.replacement?.type === 'keyword_argument') return [];
  return [{ ...suspicion(CODE, `${patch.target} is replaced`, { ...place, detail }), level: 'advice' }];
}

/** Whether the subject or another fact decides if a patch is made; what a version or a missing name asks for is a shim. */
function isDecidedPatch(query: ChoiceQuery, { node, source }: Patch): boolean {
  if (conditionalOf(query, node, source) !== 'branch') return false;
  for (let outer = node.parent; outer !== null; outer = outer.parent)
    if (SHIM_CONDITION.test(outer.childForFieldName('condition')?.text ?? '')) return false;
  return true;
}

/** What a module of the subject computes with, by its own name there: `m.random.Random`, `m.len`; else null. */
function belowSubject(input: RuleInput, target: string): string | null {
  for (const module of input.subject.modules.keys()) {
    if (!target.startsWith(`${module}.`)) continue;
    const member = target.slice(module.length + 1);
    if (BUILTINS.test(member)) return `builtins.${member}`;
    if (BELOW_EVERYTHING.test(member)) return member;
  }
  return null;
}

/** `patch("numpy.sum", side_effect=…)`: a mock that answers; what only describes the mock leaves one that answers nothing. */
function isMockOf(input: RuleInput, { target, replacement, source }: Omit<Patch, 'node'>): boolean {
  if (replacement?.childForFieldName('name')?.text !== 'new') return true;
  return isCode(input, { target, replacement: replacement.childForFieldName('value'), source });
}

/** Places that exist to be assigned. */
function isHook(target: string): boolean {
  return /^sys\.(?:stdout|stderr|stdin|argv|path|excepthook|exit)$|^warnings\.|^os\.environ/.test(target);
}

function definedIn(outline: { functions: { name: string }[]; classes: string[] }, member: string): boolean {
  const names = [...outline.functions.map((fn) => fn.name), ...outline.classes];
  return names.some((name) => member === name || member.endsWith(`.${name}`));
}

function namesOnPath(claim: Claim, facets: readonly Facet[]): Set<string> {
  const through = facets.flatMap((facet) =>
    facet.oracles.flatMap((oracle) =>
      oracle.kind === 'exception' ? [...oracle.through, ...oracle.frames.flatMap((frame) => frame.function ?? [])] : [],
    ),
  );
  return new Set(
    [...claim.symbols, ...claim.frames.flatMap((frame) => frame.function ?? []), ...through].map((name) =>
      lastName(name.replace(/\(.*$/s, '')),
    ),
  );
}
