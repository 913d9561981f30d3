import type { Candidate, LaunchStep } from '@reenact/domain';
import { repairArguments } from './entry-arguments.js';
import type { PortfolioInput } from './from-report.js';
import { buildCandidate, buildLaunch, withoutDuplicates } from './launch-building.js';
import { mentionedArguments } from './mentioned-arguments.js';
import { hasMainGuard, importedModules } from './python-source.js';
import { isScript } from './report-snippets.js';
import type { SubjectTree } from './subject-tree.js';
import { openTree } from './subject-tree.js';

interface Scored {
  file: string;
  source: string;
  score: number;
  why: string[];
}

const USUAL_ENTRY = /(?:^|\/)(?:main|train|run|demo|app|cli|__main__|evaluate|eval|example)\.py$/;
const FIRST_ENTRY = /(?:^|\/)(?:main|train|run)\.py$/;
const TEST_FILE = /(?:^|\/)(?:test_[^/]{1,100}|[^/]{1,100}_test)\.py$/;
const NOT_AN_ENTRY =
  /(?:^|\/)(?:setup|conftest|conf|__init__|noxfile|fabfile|versioneer)\.py$|(?:^|\/)(?:docs?|benchmarks?|\.[^/]+|node_modules|site-packages)\//;
const MAX_FILES = 3000;
const MAX_ENTRIES = 5;
const MAX_TESTS = 3;
const MAX_RANKS = 8;

/**
 * Candidates out of the project: files that start something, ranked by nearness to the symptom (named in the report,
 * claimed frames and symbols, usual names), then test files near it. `pytestAvailable` says whether the environment can
 * import pytest; without it unittest runs the tests that it can run. Deterministic.
 */
export function proposeFromProject(input: PortfolioInput, options: { pytestAvailable?: boolean } = {}): Candidate[] {
  const tree = openTree(input.treeDirectory, input.treeFiles);
  const sources = readSources(tree);
  const scored = sources.map((source) => scoreFile(source, input)).sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1));
  const entries = scored.filter(({ file, source, why }) => isEntry(file, source, why)).slice(0, MAX_ENTRIES);
  const tests = scored.filter(({ file, score }) => TEST_FILE.test(file) && score > 0).slice(0, MAX_TESTS);
  return withoutDuplicates([
    ...entries.flatMap((entry) => entryCandidates(entry, input)),
    ...tests.map((test) => testCandidate(test, input, options.pytestAvailable ?? true)).filter((test): test is Candidate => test !== null),
  ]);
}

function readSources(tree: SubjectTree): { file: string; source: string }[] {
  return tree.files
    .filter((file) => file.endsWith('.py'))
    .slice(0, MAX_FILES)
    .flatMap((file) => {
      const source = tree.read(file);
      return source === null ? [] : [{ file, source }];
    });
}

function isEntry(file: string, source: string, why: string[]): boolean {
  if (TEST_FILE.test(file) || NOT_AN_ENTRY.test(file)) return false;
  return hasMainGuard(source) || ((USUAL_ENTRY.test(file) || why.includes('named in the report')) && isScript(source));
}

/** Points for nearness; the weights only order the list: a name in the report beats a frame, a frame beats a symbol. */
function scoreFile({ file, source }: { file: string; source: string }, input: PortfolioInput): Scored {
  const why: string[] = [];
  let score = 0;
  const add = (points: number, reason: string): void => {
    score += points;
    why.push(reason);
  };
  const base = file.split('/').at(-1)!;
  const text = input.report.text.slice(0, 200_000);
  if (text.includes(file) || new RegExp(`(?<![\\w/-])${base.replace(/[.\\-]/g, '\\$&')}(?![\\w])`).test(text))
    add(8, 'named in the report');
  const frames = input.claim.frames.map((frame) => frame.file.split('/').at(-1)!);
  if (frames.includes(base)) add(6, 'in the trace');
  const frameModules = new Set(frames.map((name) => name.replace(/\.py$/, '')));
  if (importedModules(source).some((name) => frameModules.has(name))) add(3, 'imports a module of the trace');
  const symbols = input.claim.symbols.map((symbol) => symbol.split('.').at(-1)!).filter((symbol) => symbol.length > 2);
  const named = symbols.filter((symbol) => source.includes(symbol)).length;
  if (named > 0) add(Math.min(4, named * 2), 'uses a name of the report');
  if (USUAL_ENTRY.test(file)) add(FIRST_ENTRY.test(file) ? 3 : 2, 'usual entry name');
  if (!file.includes('/')) add(1, 'at the top');
  // Tests gain only by nearness to the symptom; a usual name says nothing about them.
  if (TEST_FILE.test(file) && !why.some((reason) => /report|trace/.test(reason))) score = 0;
  return { file, source, score, why };
}

/** The entry point with the options that the report speaks of, and without them. */
function entryCandidates({ file, source, why }: Scored, input: PortfolioInput): Candidate[] {
  const mentioned = mentionedArguments(source, input.report.text);
  const variants = mentioned.args.length > 0 ? [mentioned, { args: [], repairs: [] }] : [mentioned];
  return variants.flatMap((variant) => {
    const { args, repairs, complete } = repairArguments(source, variant.args, input.report.text);
    if (!complete) return [];
    const about = {
      origin: 'entry-point' as const,
      source: `entry point ${file}: ${why.join(', ')}`,
      repairs: [...variant.repairs, ...repairs],
    };
    return [
      fromStep({ argv: ['python', file, ...args], ranks: ranksFor(source, input.claim.worldSize), continueOnError: false }, about, input),
    ];
  });
}

/** A program that takes its rank from the launcher's variables, and starts no processes itself, needs as many copies as the report names. */
function ranksFor(source: string, worldSize: number | null): number {
  const fromLauncher =
    /["'](?:RANK|LOCAL_RANK|WORLD_SIZE)["']|["']env:\/\//.test(source) && !/\b(?:spawn|Process|start_processes)\(/.test(source);
  return fromLauncher ? Math.min(MAX_RANKS, Math.max(1, worldSize ?? 1)) : 1;
}

function testCandidate({ file, source, why }: Scored, input: PortfolioInput, pytestAvailable: boolean): Candidate | null {
  const about = { origin: 'project-test' as const, source: `test ${file}: ${why.join(', ')}`, repairs: [] };
  if (pytestAvailable)
    return fromStep(
      { argv: ['python', '-m', 'pytest', '-x', '-q', '-p', 'no:cacheprovider', file], ranks: 1, continueOnError: false },
      about,
      input,
    );
  if (!importedModules(source).includes('unittest')) return null;
  return fromStep({ argv: ['python', '-m', 'unittest', file], ranks: 1, continueOnError: false }, about, input);
}

function fromStep(step: LaunchStep, about: Pick<Candidate, 'origin' | 'source' | 'repairs'>, input: PortfolioInput): Candidate {
  return buildCandidate({ ...about, files: [], launch: buildLaunch([step], {}, input.claim) });
}
