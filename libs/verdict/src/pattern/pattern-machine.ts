import type { Instruction } from './pattern-program.js';

/** One way through the program that is still open; `saved` is never changed once it is made. */
interface Thread {
  at: number;
  saved: readonly number[];
}

/** Counts steps, so that hostile text and patterns end in an answer. */
export interface StepBudget {
  left: number;
}

/** Thrown when the steps are used up. */
export class StepsUsedUp extends Error {}

/** Text with its folded form, so that folding is done once. */
export interface MachineText {
  text: string;
  folded: string;
}

/** One program over one text. */
export interface Search {
  program: readonly Instruction[];
  /** What can read the first character of a match; null where a match may begin anywhere. */
  first: readonly Instruction[] | null;
  input: MachineText;
  budget: StepBudget;
  /** Per instruction the last round in which it was reached; rounds are numbered through. */
  reached: Uint32Array;
  round: number;
}

function holdsAt(test: RegExp, text: string, position: number): boolean {
  test.lastIndex = position;
  return test.test(text);
}

/** Follows everything that reads no character; of two threads at one instruction the first, preferred one is kept. */
function addThread(search: Search, threads: Thread[], start: Thread, position: number): void {
  const open: Thread[] = [start];
  while (open.length > 0) {
    const thread = open.pop() as Thread;
    search.budget.left -= 1;
    if (search.reached[thread.at] === search.round) continue;
    search.reached[thread.at] = search.round;
    const instruction = search.program[thread.at];
    if (!instruction) continue;
    if (instruction.op === 'jump') open.push({ at: instruction.to, saved: thread.saved });
    else if (instruction.op === 'split')
      open.push({ at: instruction.second, saved: thread.saved }, { at: instruction.first, saved: thread.saved });
    else if (instruction.op === 'save') open.push({ at: thread.at + 1, saved: thread.saved.with(instruction.slot, position) });
    else if (instruction.op === 'assert') {
      if (holdsAt(instruction.test, search.input.text, position)) open.push({ at: thread.at + 1, saved: thread.saved });
    } else threads.push(thread);
  }
  if (search.budget.left < 0) throw new StepsUsedUp();
}

function readsCharacter(instruction: Instruction, input: MachineText, position: number): boolean {
  if (instruction.op === 'char') return input.folded[position] === instruction.text;
  if (instruction.op !== 'one') return false;
  const code = input.text.charCodeAt(position);
  return code < instruction.ascii.length ? instruction.ascii[code] === 1 : holdsAt(instruction.test, input.text, position);
}

/** The next position at which a match may begin; the end of the text where there is none. */
function nextStart(search: Search, from: number): number {
  const first = search.first;
  if (first === null) return from;
  let position = from;
  while (position < search.input.text.length && !first.some((instruction) => readsCharacter(instruction, search.input, position)))
    position += 1;
  search.budget.left -= (position - from) / 16;
  return position;
}

const NOTHING_SAVED: readonly number[] = [-1, -1, -1, -1];

/**
 * The first match at or after `from`, by Pike's machine (Pike 1987; Cox 2007, "Regular Expression Matching Can Be Simple
 * And Fast"): all ways at once, so that the time is linear in text times program. Null where there is none. The result is
 * start and end of the match and of the first group, −1 where that took no part. @throws StepsUsedUp
 */
export function searchFrom(search: Search, from: number): readonly number[] | null {
  const length = search.input.text.length;
  let threads: Thread[] = [];
  let found: readonly number[] | null = null;
  search.round += 1;
  for (let position = from; position <= length; position += 1) {
    if (threads.length === 0) {
      if (found !== null) return found;
      position = nextStart(search, position);
    }
    // The threads of this position were added in the round that is still open; a new start is preferred least.
    if (found === null) addThread(search, threads, { at: 0, saved: NOTHING_SAVED }, position);
    search.round += 1;
    const next: Thread[] = [];
    for (const thread of threads) {
      const instruction = search.program[thread.at];
      if (instruction?.op === 'match') {
        found = thread.saved;
        break;
      }
      if (instruction && position < length && readsCharacter(instruction, search.input, position)) {
        addThread(search, next, { at: thread.at + 1, saved: thread.saved }, position + 1);
      }
    }
    threads = next;
  }
  return found;
}
