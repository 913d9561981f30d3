import type { ModelCall, RunEvent } from '@reenact/domain';
import { plainLine } from '@reenact/reporting';

const ESC = String.fromCharCode(0x1b);
/** Back to the line's start, and everything behind it gone. */
const CLEAR_LINE = `\r${ESC}[K`;
const DRAW_MILLISECONDS = 500;
/** Fits the narrowest usual terminal, so that the line never wraps and clearing it clears all of it. */
const MAX_WIDTH = 78;

/** One moving line at the end of the story: what the run is at, since when, and what the model has cost. */
export interface LiveLine {
  /** Prints text above the line. */
  above(print: () => void): void;
  event(event: RunEvent): void;
  stop(): void;
}

/** The text of that line. Pure. */
export function liveText(
  event: Pick<RunEvent, 'phase' | 'message'>,
  seconds: number,
  calls: readonly Pick<ModelCall, 'costUsd'>[],
): string {
  const spent = calls.reduce((sum, call) => sum + (call.costUsd ?? 0), 0);
  const cost = calls.length === 0 ? '' : ` · ${calls.length} model calls${spent > 0 ? `, ${spent.toFixed(3)} USD` : ''}`;
  const tail = ` · ${Math.floor(seconds)} s${cost}`;
  return `… ${plainLine(`${event.phase}: ${event.message}`, MAX_WIDTH - 2 - tail.length)}${tail}`;
}

/**
 * Draws the line on a terminal twice a second until it is stopped.
 * @param readCalls the run's model calls so far.
 */
export function startLiveLine(write: (text: string) => void, readCalls: () => Promise<ModelCall[]>): LiveLine {
  let current: RunEvent | null = null;
  let since = performance.now();
  let calls: ModelCall[] = [];
  const draw = () => {
    if (current !== null) write(`${CLEAR_LINE}${liveText(current, (performance.now() - since) / 1000, calls)}`);
  };
  const timer = setInterval(() => {
    readCalls().then(
      (found) => (calls = found),
      () => undefined, // the line goes on without the cost
    );
    draw();
  }, DRAW_MILLISECONDS);
  return {
    above(print) {
      write(CLEAR_LINE);
      print();
      draw();
    },
    event(event) {
      current = event;
      since = performance.now();
    },
    stop() {
      clearInterval(timer);
      write(CLEAR_LINE);
    },
  };
}
