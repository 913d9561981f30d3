import type { IndexProgress } from '@reenact/code-index';
import { bytes, duration } from './index-words.js';

const ESC = String.fromCharCode(0x1b);
const CLEAR_LINE = `\r${ESC}[K`;
const DRAW_MILLISECONDS = 200;

/** A moving line that says how far some work is. */
export interface ProgressLine<State> {
  show(progress: State): void;
  stop(): void;
}

/** The text of that line for an index that is made. Pure. */
export function progressText({ filesDone, filesTotal, bytesDone, bytesTotal, secondsLeft }: IndexProgress): string {
  const left = secondsLeft === null ? '' : ` · ${duration(secondsLeft)} left`;
  return `… ${filesDone} of ${filesTotal} files · ${bytes(bytesDone)} of ${bytes(bytesTotal)}${left}`;
}

/** Draws the line on a terminal, at most five times a second. */
export function startProgress<State>(write: (text: string) => void, words: (progress: State) => string): ProgressLine<State> {
  let drawnAt = -Infinity;
  return {
    show(progress) {
      if (performance.now() - drawnAt < DRAW_MILLISECONDS) return;
      drawnAt = performance.now();
      write(`${CLEAR_LINE}${words(progress)}`);
    },
    stop() {
      if (drawnAt !== -Infinity) write(CLEAR_LINE);
    },
  };
}
