import type { EvidenceOf, Frame } from '@reenact/domain';
import type { EvidenceView } from './evidence-view.js';

type Stall = EvidenceOf<'stall'>;
type Blocked = Stall['blocked'][number];

/**
 * Where a silent process is blocked. `below-subject`: in the subject or in what it called. `script`: in the script's own
 * sleep, loop or wait. `launcher`: it waits for its children. `unknown`: no stack tells, or none of its own code is there.
 */
export type BlockedPlace = 'below-subject' | 'script' | 'launcher' | 'unknown';

export interface BlockedProcess {
  pid: number;
  rank: number | undefined;
  place: BlockedPlace;
  /** Whose code the main thread's innermost own frame is. */
  own: 'subject' | 'script' | null;
  /** Frame where it stands, for people. */
  at: Frame | null;
}

const WAITING_FILE =
  /(?:^|\/)(?:subprocess|selectors|popen_\w{1,20}|connection|spawn|process|threading|queue|queues|synchronize|util|pool|api|context)\.py$/;
const WAITING_FUNCTION =
  /^(?:_?wait\w{0,30}|join|poll|_?communicate|select|readlines?|_?recv\w{0,10}|get|acquire|_try_wait|call|run|check_output|_invoke_run|monitor)$/;

function ownPlace(frames: readonly Frame[]): 'subject' | 'script' | null {
  const own = frames.findLast((frame) => frame.place === 'subject' || frame.place === 'script');
  return own?.place === 'subject' || own?.place === 'script' ? own.place : null;
}

/** A stack that ends in its own code may be anywhere in C, in a sleep or a poll too: with living children it waits for them. */
function mayWaitForChildren(frames: readonly Frame[]): boolean {
  const last = frames.at(-1);
  if (!last) return false;
  if (last.place === 'subject' || last.place === 'script') return true;
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

/** Frames of all threads, outermost first, the main thread's before the others. */
function threadsOf(stack: EvidenceOf<'stack'>): (readonly Frame[])[] {
  const main =
    stack.threads.find((thread) => thread.frames[0]?.function === '<module>') ??
    stack.threads.find((thread) => /main/i.test(thread.name)) ??
    stack.threads[0];
  const others = stack.threads.filter((thread) => thread !== main);
  return main ? [main.frames, ...others.map((thread) => thread.frames)] : [];
}

function placeOf(threads: readonly (readonly Frame[])[], hasChildren: boolean): BlockedPlace {
  const main = threads[0] ?? [];
  const own = ownPlace(main);
  if (hasChildren && mayWaitForChildren(main)) return 'launcher';
  if (own === 'subject') return 'below-subject';
  const works = threads.slice(1).some((frames) => ownPlace(frames) === 'subject');
  if (works && waitsForThread(main)) return 'below-subject';
  return own === 'script' ? 'script' : 'unknown';
}

/** Reads the dumps of one blocked process. A process without a dump has only the frame that the stall names. */
export function locateBlocked(blocked: Blocked, stall: Stall, view: EvidenceView): BlockedProcess {
  const living = [
    ...stall.blocked.map(({ pid }) => pid),
    ...stall.elsewhere.filter(({ state }) => state === 'running').map(({ pid }) => pid),
  ];
  const hasChildren = living.some((pid) => view.parents.get(pid) === blocked.pid);
  const stack = stackOf(blocked, view);
  const threads = stack ? threadsOf(stack) : blocked.at ? [[blocked.at]] : [];
  return {
    pid: blocked.pid,
    rank: blocked.rank,
    place: placeOf(threads, hasChildren),
    own: ownPlace(threads[0] ?? []),
    at: blocked.at ?? threads[0]?.at(-1) ?? null,
  };
}
