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
import type { TrainingHit, TrainingSurvey } from './training-loops.js';
import { surveyTraining } from './training-loops.js';
import type { TrainingRule } from './training-rules.js';
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
  /** Functions that the loop calls and that hold the training step. */
  helpers: (LineRange & { file: string; name: string; text: string })[];
}

/** Words one of which every rule needs; only files with one are searched for loops (retrieval.md section 3.4). */
const WORDS =
  /\b(?:backward|zero_grad|step|fit|fit_generator|train_on_batch|fit_one_cycle|fine_tune|fit_flat_cos|apply_gradients|minimize|GradientTape|training_step|train_step|apply_updates|init_process_group|all_reduce|all_gather\w*|reduce_scatter|all_to_all|broadcast|barrier|reduce|train_and_evaluate)\s{0,9}\(|loss\w{0,40}\.item\(|loader\w{0,40}\.(?:to|cuda)\(/i;
/** Words that count only where a module is in reach, since they are everywhere. */
const WORDS_OF_MODULES: [modules: string[], words: RegExp][] = [
  [['jax', 'optax'], /\.update\(/],
  [['tensorflow', 'keras', 'ignite'], /\.run\(/],
];

function mayTrain(text: string, reached: Set<string>): boolean {
  if (WORDS.test(text) || (text.includes('.train(') && text.includes('Trainer'))) return true;
  return WORDS_OF_MODULES.some(([modules, words]) => modules.some((module) => reached.has(module)) && words.test(text));
}

interface Helper {
  file: string;
  /** The name by which it is called. */
  call: string;
  rules: Set<TrainingRule>;
  range: LineRange & { file: string; name: string; text: string };
}

/** All training loops, by file and line. A step in a function counts when a loop of the same file, or of an importing one, calls it. */
export async function findTrainingLoops(
  syntax: PythonSyntax,
  files: SourceFile[],
  imports: Map<string, ResolvedImport[]>,
): Promise<TrainingLoop[]> {
  const helpers: Helper[] = [];
  const loops: TrainingLoop[] = [];
  for (const source of files) {
    if (!mayTrain(source.text, reachedModules(source.file, imports))) continue;
    withSurvey(syntax, source, imports, (survey) => {
      loops.push(...loopsOf(source, survey.hits));
      for (const item of survey.pending) noteHelper(helpers, source, item);
    });
    await nextTurn();
  }
  const byFile = Map.groupBy(helpers, (helper) => helper.file);
  for (const source of files) {
    const imported = new Set(
      (imports.get(source.file) ?? []).flatMap((item) => (item.file === null || item.file === source.file ? [] : [item.file])),
    );
    const called = [...imported].flatMap((file) => byFile.get(file) ?? []).filter((helper) => source.text.includes(`${helper.call}(`));
    if (called.length > 0) withSurvey(syntax, source, imports, (survey) => mergeLoops(loops, callingLoops(source, survey, called)));
  }
  return loops.sort((left, right) => compareText(left.file, right.file) || left.startLine - right.startLine);
}

function withSurvey(
  syntax: PythonSyntax,
  source: SourceFile,
  imports: Map<string, ResolvedImport[]>,
  use: (survey: TrainingSurvey) => void,
): void {
  const tree = syntax.parse(source.text);
  try {
    const own = imports.get(source.file) ?? [];
    use(surveyTraining(tree.rootNode, readOrigins(tree.rootNode, own), reachedModules(source.file, imports)));
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
  const helpers = [...new Map(hits.flatMap((hit) => (hit.helper === null ? [] : [[hit.helper.id, hit.helper] as const]))).values()];
  return {
    file: source.file,
    name: first.scope === null ? moduleName(source.file) : qualifiedName(first.scope),
    rules: [...new Set(hits.map((hit) => hit.rule))].sort(compareText),
    ...sliceLoop(first.anchor, first.scope, lines),
    function: first.scope === null ? null : rangeText(first.scope, lines),
    helpers: helpers.map((helper) => ({ file: source.file, name: qualifiedName(helper), ...rangeText(helper, lines) })),
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

function noteHelper(helpers: Helper[], source: SourceFile, item: TrainingSurvey['pending'][number]): void {
  const name = qualifiedName(item.function);
  const same = helpers.find((helper) => helper.file === source.file && helper.range.name === name);
  if (same !== undefined) {
    same.rules.add(item.rule);
    return;
  }
  const range = { file: source.file, name, ...rangeText(item.function, source.text.split('\n')) };
  helpers.push({ file: source.file, call: definedName(item.function), rules: new Set([item.rule]), range });
}

function callingLoops(source: SourceFile, survey: TrainingSurvey, found: Helper[]): TrainingLoop[] {
  return found.flatMap((helper) => {
    const call = survey.loopCalls.get(helper.call);
    if (call === undefined) return [];
    const hits = [...helper.rules].map((rule) => ({ rule, ...call, helper: null }));
    return [{ ...makeLoop(source, hits), helpers: [helper.range] }];
  });
}

function mergeLoops(loops: TrainingLoop[], added: TrainingLoop[]): void {
  for (const loop of added) {
    const same = loops.find((other) => other.file === loop.file && other.name === loop.name);
    if (same === undefined) {
      loops.push(loop);
      continue;
    }
    same.rules = [...new Set([...same.rules, ...loop.rules])].sort(compareText);
    same.helpers.push(...loop.helpers);
  }
}
