import { typeName, type EvidenceOf, type OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { formsOf, raisedBelow } from '../evidence/exception-form.js';
import { mentionsSentinel } from '../evidence/sentinel.js';
import { comparableMessage } from '../signature/mask-message.js';
import { lineSimilarity } from '../signature/text-similarity.js';
import { buildsDistribution, isBuildCommand } from './build-command.js';
import { withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer, unboundAnswer } from './oracle-answer.js';

type BuildOracle = OracleOf<'build'>;

/** Shorter texts are in too many lines. */
const LEAST_LETTERS = 8;

/** A process that builds, with all processes below it. */
interface Build {
  process: EvidenceOf<'process'>;
  pids: ReadonlySet<number>;
  /** Its exit where the supervisor saw it: a step of the launch. */
  exit: EvidenceOf<'exit'> | undefined;
}

function familyOf(pid: number, view: EvidenceView): Set<number> {
  const family = new Set([pid]);
  // Parents may be recorded after their children, so that it is gone over until nothing is new.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const [child, parent] of view.parents) if (family.has(parent)) family.add(child);
  }
  return family;
}

function buildsOf(oracle: BuildOracle, view: EvidenceView): Build[] {
  const seen = new Set<number>();
  return view.records.flatMap((record) => {
    if (record.kind !== 'process' || record.pid === undefined || seen.has(record.pid) || !isBuildCommand(record.argv)) return [];
    if (oracle.distribution !== undefined && !buildsDistribution(record.argv, oracle.distribution)) return [];
    seen.add(record.pid);
    return [{ process: record, pids: familyOf(record.pid, view), exit: view.exits.find((exit) => exit.pid === record.pid) }];
  });
}

function isClaimed(text: string, claimed: string): boolean {
  const right = comparableMessage(claimed).text;
  if (right.replace(/\W/g, '').length < LEAST_LETTERS) return false;
  const left = comparableMessage(text).text;
  return left.includes(right) || lineSimilarity(left, right) > 0.8;
}

/** Errors of the build's own processes. Below the script only those of the subject's files count: others may be anybody's. */
function raisedBy(build: Build, view: EvidenceView, sentinel: string): { seq: number; text: string }[] {
  return view.exceptions
    .filter((record) => record.pid !== undefined && build.pids.has(record.pid) && !mentionsSentinel(record, sentinel))
    .flatMap((record) => formsOf(record, view))
    .filter((form) => build.exit !== undefined || raisedBelow(form.frames) === 'subject')
    .map((form) => ({ seq: form.seq, text: `${typeName(form.type)}: ${form.message}` }));
}

/** What a failed step of the launch printed: nobody but the build wrote there. */
function printedBy(build: Build, view: EvidenceView): { seq: number; text: string }[] {
  if (build.exit === undefined || !hasFailed(build.exit)) return [];
  return view.streams
    .filter((stream) => stream.pid === build.process.pid)
    .flatMap((stream) => stream.lines.map(({ seq, line }) => ({ seq, text: line })));
}

function hasFailed(exit: EvidenceOf<'exit'>): boolean {
  return exit.endedBy === 'self' && (exit.signal !== null || (exit.code !== null && exit.code !== 0));
}

/**
 * Shown when a build or an installation fails with the claimed error: in the output or by an exception of a launch step that
 * builds and ends in error, or by an exception of the subject's own files in a build that the script starts.
 */
export function evaluateBuild(oracle: BuildOracle, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  const claimed = oracle.message;
  if (claimed === undefined || claimed.trim() === '') return unboundAnswer(oracle);
  const builds = buildsOf(oracle, view);
  const sentinel = options.sentinel ?? '';
  const raised = builds.filter(({ exit }) => exit === undefined || hasFailed(exit)).flatMap((build) => raisedBy(build, view, sentinel));
  const printed = builds.flatMap((build) => printedBy(build, view));
  const found = [...raised, ...printed].find(({ text }) => isClaimed(text, claimed));
  if (found) return answer('shown', [groundedIn(found.seq, found.text)]);
  const other = raised[0];
  if (other) return answer('collision', [groundedIn(other.seq, other.text)], `the build failed otherwise: ${other.text.slice(0, 200)}`);
  const failed = builds.find(({ exit }) => exit !== undefined && hasFailed(exit));
  if (failed?.exit)
    return answer(
      'collision',
      [groundedIn(failed.exit.seq, `exit status ${failed.exit.code ?? failed.exit.signal ?? ''}`)],
      'the build failed otherwise',
    );
  if (builds.length === 0) return withoutSignal(view, answer('undecided', [], 'nothing was built or installed'));
  return withoutSignal(
    view,
    answer(
      'absent',
      builds.slice(0, 2).map(({ process }) => groundedIn(process.seq, process.argv.join(' '))),
    ),
  );
}
