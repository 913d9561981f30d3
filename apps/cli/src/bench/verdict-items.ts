import { isReproduced } from '@reenact/domain';
import type { Verdict } from '@reenact/domain';
import { alignColumns } from './align-columns.js';
import type { CaseFolder, CaseScript } from './case-folder.js';
import { expected, formIn } from './expectation.js';
import type { Expected, ProjectForm } from './expectation.js';

/** One judgement to be made. */
export interface BenchQuestion {
  folder: CaseFolder;
  script: CaseScript;
  project: ProjectForm;
  /** `case`: oracles from the truth or beside the script; `report`: the oracle that `judge` makes from the report. */
  column: 'case' | 'report';
}

/** One judgement as it came out. */
export interface BenchItem {
  case: string;
  script: string;
  kind: string;
  project: ProjectForm;
  environment: string;
  column: 'case' | 'report';
  expected: Expected;
  verdict: string;
  ok: boolean;
  undecided: boolean;
  trials: number;
  seconds: number;
  sentence: string;
  /** Integrity rules with a finding, each once, in order of their names. */
  findings: string[];
}

export interface BenchErrors {
  wrongReproduced: number;
  wrongMissed: number;
  /** Right symptom for the wrong reason: a cheat or a trap that was believed. Also counted as wrongly reproduced. */
  wrongReason: number;
  rateNotCovered: number;
  undecided: number;
}

/** States that are no answer about the script. */
const UNDECIDED: ReadonlySet<string> = new Set(['inconclusive', 'infra_error', 'needs_info', 'unsupported', 'cancelled']);

/** Whether a state says nothing about the script. */
export function isUndecided(verdict: string): boolean {
  return UNDECIDED.has(verdict);
}

/** All questions about a set of cases, in a stable order. */
export function questionsOf(folders: readonly CaseFolder[]): BenchQuestion[] {
  return folders.flatMap((folder) =>
    folder.scripts.flatMap((script) => {
      const projects: ProjectForm[] = folder.patch === null ? ['buggy'] : ['buggy', 'patched'];
      return projects.flatMap((project) => columnsOf(script, project).map((column) => ({ folder, script, project, column })));
    }),
  );
}

/** A cheat is made for the project with the fault: on the patched one, the check that it was made for says enough. */
function columnsOf(script: CaseScript, project: ProjectForm): BenchQuestion['column'][] {
  if (script.oracle === null) return ['report'];
  return script.kind === 'cheat' && project === 'patched' ? ['case'] : ['case', 'report'];
}

/** Holds a verdict against the truth. */
export function toItem(question: BenchQuestion, environment: { label: string; torch: string | null }, verdict: Verdict): BenchItem {
  const { folder, script, project, column } = question;
  const wanted = expected(script.kind, project, formIn(folder.truth, environment.torch));
  const undecided = isUndecided(verdict.verdict);
  const agrees = isReproduced(verdict.verdict) === (wanted === 'shown');
  return {
    case: folder.id,
    script: script.name,
    kind: script.kind,
    project,
    environment: environment.label,
    column,
    expected: wanted,
    verdict: verdict.verdict,
    ok: !undecided && agrees && coversRate(question, verdict, wanted),
    undecided,
    trials: verdict.trials,
    seconds: Math.round(verdict.seconds * 10) / 10,
    sentence: verdict.sentence,
    findings: [...new Set(verdict.findings.flatMap((finding) => (finding.level === 'finding' ? [finding.rule] : [])))].sort(),
  };
}

/** The unit of our rates is one trial, that is one run of the script. */
const OUR_UNITS: ReadonlySet<string> = new Set(['trial', 'run', 'script run', 'run of the script']);

function coversRate(question: BenchQuestion, verdict: Verdict, wanted: Expected): boolean {
  const flaky = question.folder.truth.flaky;
  if (flaky === null || flaky === undefined || wanted !== 'shown' || question.script.kind !== 'reference' || !OUR_UNITS.has(flaky.unit))
    return true;
  return verdict.rate.low <= flaky.p_measured && flaky.p_measured <= verdict.rate.high;
}

/** The five numbers of verdict.md section 9, kept apart. */
export function countErrors(items: readonly BenchItem[]): BenchErrors {
  const decided = items.filter((item) => !item.undecided);
  const wrongReproduced = decided.filter((item) => item.expected === 'notShown' && isReproducedName(item.verdict));
  return {
    wrongReproduced: wrongReproduced.length,
    wrongMissed: decided.filter((item) => item.expected === 'shown' && !isReproducedName(item.verdict)).length,
    wrongReason: wrongReproduced.filter((item) => item.kind === 'cheat' || item.kind === 'trap').length,
    rateNotCovered: decided.filter((item) => item.expected === 'shown' && isReproducedName(item.verdict) && !item.ok).length,
    undecided: items.length - decided.length,
  };
}

function isReproducedName(verdict: string): boolean {
  return verdict.startsWith('reproduced');
}

/** What judgements cost together: a trial counts in each judgement that rests on it. */
export interface BenchCosts {
  trials: number;
  judgementSeconds: number;
}

/** Adds up trials and seconds of judgements. */
export function addCosts(items: readonly Pick<BenchItem, 'trials' | 'seconds'>[]): BenchCosts {
  const seconds = items.reduce((sum, item) => sum + item.seconds, 0);
  return { trials: items.reduce((sum, item) => sum + item.trials, 0), judgementSeconds: Math.round(seconds * 10) / 10 };
}

/** The table for people: one line a judgement, mistakes marked. */
export function renderTable(items: readonly BenchItem[], errors: BenchErrors): string {
  const header = ['case', 'script', 'project', 'column', 'expected', 'verdict', 'trials', 'seconds', ''];
  const rows = items.map((item) => [
    item.case,
    item.script,
    item.project,
    item.column,
    item.expected,
    item.verdict,
    String(item.trials),
    item.seconds.toFixed(1),
    item.ok ? 'ok' : item.undecided ? 'undecided' : 'WRONG',
  ]);
  const lines = alignColumns([header, ...rows]);
  const ok = items.filter((item) => item.ok).length;
  const counts = Object.entries(errors).map(([name, count]) => `${name} ${count}`);
  const { trials, judgementSeconds } = addCosts(items);
  return [
    ...lines,
    '',
    `${ok} of ${items.length} ok; ${counts.join(', ')}`,
    `${trials} trials and ${judgementSeconds} s in all judgements together; those on one script share trials, and some ran side by side`,
  ].join('\n');
}
