import { isTeardown, typeName, type EvidenceOf, type OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { describeException, type ExceptionForm, formsOf } from '../evidence/exception-form.js';
import { endedInError } from '../evidence/root-event.js';
import { mentionsSentinel } from '../evidence/sentinel.js';
import { allocationBytes } from './allocation-size.js';
import { isOwnOfSubject } from './exception.js';
import { withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

/** Types that only an allocator raises; a subclass is one as well. */
const OWN_TYPES = new Set(['OutOfMemoryError', 'MemoryError', 'ArrayMemoryError', '_ArrayMemoryError']);
/** Types that many faults share: the text must say that an allocation failed, and how large it was. */
const SHARED_TYPES = new Set([
  'RuntimeError',
  'XlaRuntimeError',
  'JaxRuntimeError',
  'ResourceExhaustedError',
  'InternalError',
  'AcceleratorError',
]);
const ALLOCATOR_TEXT =
  /DefaultCPUAllocator: (?:can't allocate memory|not enough memory)|\bout of memory\b[^\n]{0,120}\b(?:tried to allocate|allocating|trying to allocate)|\bOOM when allocating tensor\b|RESOURCE_EXHAUSTED: (?:Out of memory|OOM|Failed to allocate)/i;

function isAllocatorFailure(form: ExceptionForm): boolean {
  const names = [form.type, ...form.bases].map(typeName);
  if (names.some((name) => OWN_TYPES.has(name))) return true;
  return names.some((name) => SHARED_TYPES.has(name)) && ALLOCATOR_TEXT.test(form.message.slice(0, 4_096));
}

/** Allocator exceptions as recorded or as causes; text that a launcher passes on is recorded in its own process as well. */
function allocatorFailures(view: EvidenceView, sentinel: string): ExceptionForm[] {
  return view.exceptions
    .filter((record) => !isTeardown(record) && !mentionsSentinel(record, sentinel))
    .flatMap((record) => formsOf(record, view))
    .filter((form) => form.form !== 'passed-on' && isAllocatorFailure(form));
}

function judgeFailure(oracle: OracleOf<'oom'>, form: ExceptionForm): OracleAnswer {
  const grounding = [groundedIn(form.seq, describeException(form))];
  if (oracle.atLeastBytes === undefined) return answer('shown', grounding);
  const size = allocationBytes(form.message);
  if (size === null) return answer('undecided', grounding, 'the error does not tell how much was asked for');
  if (size >= oracle.atLeastBytes) return answer('shown', grounding);
  return answer('collision', grounding, `another allocation failed: ${size} bytes, the claim tells of ${oracle.atLeastBytes}`);
}

function judgeLimit(oracle: OracleOf<'oom'>, exit: EvidenceOf<'exit'>): OracleAnswer {
  const grounding = [groundedIn(exit.seq, `ended by the memory limit, peak ${exit.peakRssBytes} bytes`)];
  if (oracle.atLeastBytes === undefined || exit.peakRssBytes >= oracle.atLeastBytes) return answer('shown', grounding);
  return answer('undecided', grounding, `the memory limit came before ${oracle.atLeastBytes} bytes were reached`);
}

/** Somebody's kill: the kernel's for want of memory, a scheduler's or a person's; nothing tells which. */
function unexplainedKill(view: EvidenceView): EvidenceOf<'exit'> | undefined {
  return view.exits.find(
    (exit) => (exit.endedBy === 'self' || exit.endedBy === 'peer') && (exit.signal === 'SIGKILL' || exit.code === 137 || exit.code === -9),
  );
}

/**
 * Shown when an allocator gave up in the subject or below it, or when the supervisor's memory limit ended the trial. A bare
 * `Killed` is no proof of want of memory.
 */
export function evaluateOom(oracle: OracleOf<'oom'>, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  const failures = allocatorFailures(view, options.sentinel ?? '');
  const answers = failures.filter((form) => isOwnOfSubject(form, options)).map((form) => judgeFailure(oracle, form));
  const limit = view.exits.find((exit) => exit.endedBy === 'memory-limit');
  if (limit) answers.push(judgeLimit(oracle, limit));
  const best = (['shown', 'undecided', 'collision'] as const).map((state) => answers.find((one) => one.state === state)).find(Boolean);
  if (best) return best;
  const own = failures[0];
  if (own)
    return answer('collision', [groundedIn(own.seq, describeException(own))], `raised by the script itself: ${describeException(own)}`);
  const killed = unexplainedKill(view);
  if (killed) return answer('undecided', [groundedIn(killed.seq, 'killed')], 'a process was killed, and nothing tells why');
  if (!view.probeAlive && endedInError(view))
    return answer('undecided', [], 'no probe ran in the interpreter, so that its error was not recorded');
  return withoutSignal(view, answer('absent', []));
}
