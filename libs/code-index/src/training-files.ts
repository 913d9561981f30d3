import { compareText, joinLines } from './chunk.js';
import type { ResolvedImport } from './imports.js';
import type { LoopSlice } from './loop-slice.js';
import { sliceLoop } from './loop-slice.js';
import { moduleName } from './module-name.js';
import { nextTurn } from './next-turn.js';
import type { PythonNode, PythonSyntax } from './python-syntax.js';
import { readOrigins } from './receiver-origins.js';
import type { SourceFile } from './source-files.js';
import type { LineRange } from './split-lines.js';
import type { StepHolder } from './training-calls.js';
import { baseFiles, callsHolder, namesOfHolder, placeOf } from './training-calls.js';
import type { CallPlace, TrainingHit, TrainingSurvey } from './training-loops.js';
import { surveyTraining } from './training-loops.js';
import type { TrainingRule } from './training-rules.js';
import { mayTrain } from './training-words.js';
import { definedName, firstLine, isDefinition, lastLine, withDecorators } from './visit-python.js';

/** A training loop of the project. */
export interface TrainingLoop extends LoopSlice {
  file: string;
  /** Qualified name of the function around it; the module's name at module level. */
  name: string;
  /** The rules that fired, sorted; more rules mean more certainty. */
  rules: TrainingRule[];
  /** The whole function (with decorators) around the loop; null at module level. */
  function: (LineRange & { text: string }) | null;
  /** Functions that the loop calls, itself or through another one, and that hold the training step; the one with the step last. */
  helpers: (LineRange & { file: string; name: string; text: string })[];
}

/** Calls between a loop and its step: the loop calls a function that calls the one with the step. */
const LONGEST_CHAIN = 2;
/** Holders of one project; more come from generated code. */
const MOST_HOLDERS = 2000;

interface Search {
  syntax: PythonSyntax;
  files: SourceFile[];
  imports: Map<string, ResolvedImport[]>;
  loops: TrainingLoop[];
  /** By file and qualified name. */
  holders: Map<string, StepHolder>;
}

/**
 * All training loops, by file and line. A step in a function counts when a loop calls the function, in the same file or in one that
 * imports it (through packages too), itself or through one more function.
 */
export async function findTrainingLoops(
  syntax: PythonSyntax,
  files: SourceFile[],
  imports: Map<string, ResolvedImport[]>,
): Promise<TrainingLoop[]> {
  const search: Search = { syntax, files, imports, loops: [], holders: new Map() };
  for (const source of files) {
    if (!mayTrain(source.text, reachedModules(source.file, imports))) continue;
    withSurvey(search, source, (survey) => {
      mergeLoops(search.loops, loopsOf(source, survey.hits));
      for (const item of survey.pending) noteHolder(search, source, item.function, { rules: [item.rule], inner: null });
    });
    await nextTurn();
  }
  let latest = [...search.holders.values()];
  for (let length = 0; length < LONGEST_CHAIN && latest.length > 0; length++) {
    const known = search.holders.size;
    await followCalls(search, latest);
    latest = [...search.holders.values()].slice(known);
  }
  return withoutCoveredSteps(search.loops).sort((left, right) => compareText(left.file, right.file) || left.startLine - right.startLine);
}

/** Steps that a loop of their own file shows as its helper need no place of their own. */
function withoutCoveredSteps(loops: TrainingLoop[]): TrainingLoop[] {
  const covered = new Set(loops.flatMap((loop) => loop.helpers.map((helper) => `${loop.file}\n${helper.file}\n${helper.name}`)));
  return loops.filter((loop) => loop.helpers.length > 0 || !covered.has(`${loop.file}\n${loop.file}\n${loop.name}`));
}

/** Finds the calls of holders: those in a loop make it a training loop, those in a function make it a holder. */
async function followCalls(search: Search, holders: StepHolder[]): Promise<void> {
  const byFile = Map.groupBy(holders, (holder) => holder.file);
  const byBase = new Map<string, StepHolder[]>();
  for (const holder of holders)
    for (const file of baseFiles(holder, search.imports.get(holder.file) ?? [])) byBase.set(file, [...(byBase.get(file) ?? []), holder]);
  for (const source of search.files) {
    const near = new Set([source.file, ...filesNear(source.file, search.imports)].flatMap((file) => byFile.get(file) ?? []));
    for (const holder of byBase.get(source.file) ?? []) near.add(holder);
    const imports = search.imports.get(source.file) ?? [];
    const called = [...near].filter((holder) => namesOfHolder(holder, imports).some((name) => source.text.includes(`${name}(`)));
    if (called.length === 0) continue;
    withSurvey(search, source, (survey) => {
      for (const holder of called) followHolder(search, { source, survey, imports }, holder);
    });
    await nextTurn();
  }
}

function followHolder(
  search: Search,
  { source, survey, imports }: { source: SourceFile; survey: TrainingSurvey; imports: ResolvedImport[] },
  holder: StepHolder,
): void {
  const from = { file: source.file, imports };
  const places = namesOfHolder(holder, imports).flatMap((name) => survey.calls.get(name) ?? []);
  const calls = places.filter((place) => isOtherFunction(place, source, holder) && callsHolder(place, holder, from));
  const looped = calls.find((place) => place.inLoop);
  if (looped !== undefined) {
    const hits = [...holder.rules].map((rule) => ({ rule, anchor: looped.anchor, scope: looped.scope, line: looped.line }));
    mergeLoops(search.loops, [{ ...makeLoop(source, hits), helpers: chainOf(holder).map((item) => item.range) }]);
  }
  for (const { inLoop, scope } of calls) {
    if (!inLoop && scope !== null && holder.inner === null) noteHolder(search, source, scope, { rules: [...holder.rules], inner: holder });
  }
}

function isOtherFunction(place: CallPlace, source: SourceFile, holder: StepHolder): boolean {
  return place.scope === null || source.file !== holder.file || qualifiedName(place.scope) !== holder.name;
}

function chainOf(holder: StepHolder): StepHolder[] {
  return holder.inner === null ? [holder] : [holder, ...chainOf(holder.inner)];
}

/** Files that a file imports, and those that the packages among them import: where a name that a package hands on is defined. */
function filesNear(file: string, imports: Map<string, ResolvedImport[]>): Set<string> {
  const near = new Set<string>();
  for (const { file: target } of imports.get(file) ?? []) {
    if (target === null || target === file) continue;
    near.add(target);
    if (!target.endsWith('__init__.py')) continue;
    for (const { file: inner } of imports.get(target) ?? []) if (inner !== null && inner !== file) near.add(inner);
  }
  return near;
}

function withSurvey(search: Search, source: SourceFile, use: (survey: TrainingSurvey) => void): void {
  const tree = search.syntax.parse(source.text);
  try {
    const own = search.imports.get(source.file) ?? [];
    use(surveyTraining(tree.rootNode, readOrigins(tree.rootNode, own), reachedModules(source.file, search.imports)));
  } finally {
    tree.delete();
  }
}

/** Top modules that a file, or a file that it imports, imports from outside the project. */
function reachedModules(file: string, imports: Map<string, ResolvedImport[]>): Set<string> {
  const own = imports.get(file) ?? [];
  const near = own.flatMap((item) => (item.file === null ? [] : (imports.get(item.file) ?? [])));
  return new Set([...own, ...near].filter((item) => item.file === null).map((item) => item.module.split('.')[0] ?? ''));
}

function loopsOf(source: SourceFile, hits: TrainingHit[]): TrainingLoop[] {
  const groups = Map.groupBy(hits, (hit) => hit.scope?.id ?? -1);
  return [...groups.values()].map((group) => makeLoop(source, group));
}

function makeLoop(source: SourceFile, hits: TrainingHit[]): TrainingLoop {
  const lines = source.text.split('\n');
  const byAnchor = Map.groupBy(hits, (hit) => hit.anchor.id);
  const rulesOf = (group: TrainingHit[]): number => new Set(group.map((hit) => hit.rule)).size;
  // The first of the groups with most rules: a warm-up or clean-up loop beside the real one has fewer.
  const best = [...byAnchor.values()].reduce((left, right) => (rulesOf(right) > rulesOf(left) ? right : left));
  const [first] = best;
  if (first === undefined) throw new Error('a training loop without a hit');
  return {
    file: source.file,
    name: first.scope === null ? moduleName(source.file) : qualifiedName(first.scope),
    rules: [...new Set(hits.map((hit) => hit.rule))].sort(compareText),
    ...sliceLoop(first.anchor, first.scope, { lines, hitLines: best.map((hit) => hit.line) }),
    function: first.scope === null ? null : rangeText(first.scope, lines),
    helpers: [],
  };
}

function rangeText(definition: PythonNode, lines: string[]): LineRange & { text: string } {
  const outer = withDecorators(definition);
  const range = { startLine: firstLine(outer), endLine: lastLine(outer) };
  return { ...range, text: joinLines(lines, range.startLine, range.endLine) };
}

function qualifiedName(definition: PythonNode): string {
  const names: string[] = [];
  for (let node: PythonNode | null = definition; node !== null; node = node.parent)
    if (isDefinition(node)) names.unshift(definedName(node));
  return names.join('.');
}

function noteHolder(
  search: Search,
  source: SourceFile,
  definition: PythonNode,
  { rules, inner }: { rules: TrainingRule[]; inner: StepHolder | null },
): void {
  const name = qualifiedName(definition);
  const key = `${source.file}\n${name}`;
  const known = search.holders.get(key);
  if (known !== undefined) {
    for (const rule of rules) known.rules.add(rule);
    return;
  }
  if (search.holders.size >= MOST_HOLDERS) return;
  const range = { file: source.file, name, ...rangeText(definition, source.text.split('\n')) };
  const place = placeOf(definition);
  search.holders.set(key, { file: source.file, name, call: definedName(definition), ...place, rules: new Set(rules), range, inner });
}

function mergeLoops(loops: TrainingLoop[], added: TrainingLoop[]): void {
  for (const loop of added) {
    const same = loops.find((other) => other.file === loop.file && other.name === loop.name);
    if (same === undefined) {
      loops.push(loop);
      continue;
    }
    same.rules = [...new Set([...same.rules, ...loop.rules])].sort(compareText);
    const isNew = (helper: TrainingLoop['helpers'][number]): boolean =>
      !same.helpers.some((other) => other.file === helper.file && other.name === helper.name);
    same.helpers.push(...loop.helpers.filter(isNew));
  }
}
