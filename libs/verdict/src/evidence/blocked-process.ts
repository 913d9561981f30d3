import type { EvidenceOf, Frame } from '@reenact/domain';
import type { EvidenceView } from './evidence-view.js';

type Blocked = EvidenceOf<'stall'>['blocked'][number];

/**
 * Where a silent process is blocked. `below-subject`: in the subject or in what it called. `script`: in the script's own
 * sleep, loop or wait. `launcher`: it waits for its children. `unknown`: no stack tells.
 */
export type BlockedPlace = 'below-subject' | 'script' | 'launcher' | 'unknown';

export interface BlockedProcess {
  pid: number;
  rank: number | undefined;
  place: BlockedPlace;
  /** Innermost frame, for people. */
  at: Frame | null;
}

const WAITING_FILE = /(?:^|\/)(?:subprocess|selectors|popen_\w{1,20}|connection|spawn|process|threading|queue|util|api|context)\.py$/;
const WAITING_FUNCTION = /^(?:_?wait\w{0,30}|join|poll|communicate|_communicate|select|readline|readlines|recv|_recv|_recv_bytes|get|acquire|_wait_for_tstate_lock|_try_wait|call|run|check_output|_invoke_run|monitor)$/;

/** Frames outermost first, whichever way the dump had them. */
function outermostFirst(frames: readonly Frame[], at: Frame | null): readonly Frame[] {
  const isAt = (frame: Frame | undefined) => at !== null && frame !== undefined && frame.file === at.file && frame.line === at.line && frame.function === at.function;
  const first = frames[0];
  const last = frames.at(-1);
  if (isAt(last)) return frames;
  const reversed = isAt(first) || (last?.function === '<module>' && first?.function !== '<module>');
  return reversed ? frames.toReversed() : frames;
}

function ownPlace(frames: readonly Frame[]): 'subject' | 'script' | null {
  const own = frames.findLast((frame) => frame.place === 'subject' || frame.place === 'script');
  return own?.place === 'subject' || own?.place === 'script' ? own.place : null;
}

function callsSleep(frames: readonly Frame[]): boolean {
  return /\bsleep\s?\(/.test(frames.at(-1)?.code ?? '');
}

function isWaiting(frames: readonly Frame[]): boolean {
  const last = frames.at(-1);
  if (!last || last.place === 'subject' || last.place === 'script') return callsSleep(frames);
  return WAITING_FILE.test(last.file) || WAITING_FUNCTION.test(last.function ?? '');
}

/** Whether the main thread only waits for another thread of its own process. */
function waitsForThread(frames: readonly Frame[]): boolean {
  const last = frames.at(-1);
  return last !== undefined && last.place === 'standard-library' && /(?:^|\/)(?:threading|queue|_base|thread)\.py$/.test(last.file);
}

function stackOf(blocked: Blocked, view: EvidenceView): EvidenceOf<'stack'> | undefined {
  const own = view.stacks.filter((stack) => stack.pid === blocked.pid);
  return own.findLast((stack) => stack.signature === blocked.signature) ?? own.at(-1);
}

function mainThreadFirst(stack: EvidenceOf<'stack'>): EvidenceOf<'stack'>['threads'] {
  const main = stack.threads.find((thread) => /main|current/i.test(thread.name)) ?? stack.threads.find((thread) => thread.frames.some((frame) => frame.function === '<module>'));
  return main ? [main, ...stack.threads.filter((thread) => thread !== main)] : stack.threads;
}

function placeOfThreads(threads: readonly (readonly Frame[])[], hasChildren: boolean): BlockedPlace {
  const main = threads[0];
  if (!main || main.length === 0) return 'unknown';
  const own = ownPlace(main);
  if (hasChildren && isWaiting(main)) return 'launcher';
  if (own === 'subject') return 'below-subject';
  const worker = threads.slice(1).find((frames) => ownPlace(frames) === 'subject');
  if (worker && waitsForThread(main)) return 'below-subject';
  return own === 'script' ? 'script' : 'unknown';
}

/** Reads the dumps of one blocked process. A process without a dump has only the place that the stall names. */
export function locateBlocked(blocked: Blocked, view: EvidenceView): BlockedProcess {
  const hasChildren = [...view.parents.values()].includes(blocked.pid);
  const stack = stackOf(blocked, view);
  const threads = stack ? mainThreadFirst(stack).map((thread) => outermostFirst(thread.frames, blocked.at)) : [];
  const place = stack ? placeOfThreads(threads, hasChildren) : placeOfThreads(blocked.at ? [[blocked.at]] : [], hasChildren);
  return { pid: blocked.pid, rank: blocked.rank, place, at: blocked.at ?? threads[0]?.at(-1) ?? null };
}
