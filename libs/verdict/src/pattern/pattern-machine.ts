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

interface Search {
  program: readonly Instruction[];
  input: MachineText;
  budget: StepBudget;
}

function holdsAt(test: RegExp, text: string, position: number): boolean {
  test.lastIndex = position;
  return test.test(text);
}

/** Follows everything that reads no character; `seen` keeps one thread per instruction, the preferred one. */
function addThread(search: Search, threads: Thread[], seen: Set<number>, start: Thread & { position: number }): void {
  const open: Thread[] = [start];
  while (open.length > 0) {
    const thread = open.pop() as Thread;
    search.budget.left -= 1;
    if (seen.has(thread.at)) continue;
    seen.add(thread.at);
    const instruction = search.program[thread.at];
    if (!instruction) continue;
    if (instruction.op === 'jump') open.push({ at: instruction.to, saved: thread.saved });
    else if (instruction.op === 'split')
      open.push({ at: instruction.second, saved: thread.saved }, { at: instruction.first, saved: thread.saved });
    else if (instruction.op === 'save') open.push({ at: thread.at + 1, saved: thread.saved.with(instruction.slot, start.position) });
    else if (instruction.op === 'assert') {
      if (holdsAt(instruction.test, search.input.text, start.position)) open.push({ at: thread.at + 1, saved: thread.saved });
    } else threads.push(thread);
  }
  if (search.budget.left < 0) throw new StepsUsedUp();
}

function readsCharacter(instruction: Instruction, input: MachineText, position: number): boolean {
  if (instruction.op === 'char') return input.folded[position] === instruction.text;
  return instruction.op === 'one' && holdsAt(instruction.test, input.text, position);
}

const NOTHING_SAVED: readonly number[] = [-1, -1, -1, -1];

/**
 * The first match at or after `from`, by Pike's machine (Pike 1987; Cox 2007, "Regular Expression Matching Can Be Simple
 * And Fast"): all ways at once, so that the time is linear in text times program. Null where there is none. The result is
 * start and end of the match and of the first group, −1 where that took no part. @throws StepsUsedUp
 */
export function searchFrom(search: Search, from: number): readonly number[] | null {
  let threads: Thread[] = [];
  let found: readonly number[] | null = null;
  for (let position = from; position <= search.input.text.length; position += 1) {
    const next: Thread[] = [];
    const seenNext = new Set<number>();
    if (found === null) {
      const seen = new Set(threads.map((thread) => thread.at));
      addThread(search, threads, seen, { at: 0, saved: NOTHING_SAVED, position });
    }
    if (threads.length === 0 && found !== null) break;
    for (const thread of threads) {
      const instruction = search.program[thread.at];
      if (instruction?.op === 'match') {
        found = thread.saved;
        break;
      }
      if (instruction && position < search.input.text.length && readsCharacter(instruction, search.input, position)) {
        addThread(search, next, seenNext, { at: thread.at + 1, saved: thread.saved, position: position + 1 });
      }
    }
    threads = next;
    if (found !== null && threads.length === 0) break;
  }
  return found;
}
