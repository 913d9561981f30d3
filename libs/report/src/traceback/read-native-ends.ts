import { readNativeFailures, type Report } from '@reenact/domain';
import type { Line } from '../lines.js';
import { demultiplex } from './streams.js';

type NativeEnd = Report['nativeFailures'][number];

/** Ends of programs below Python that a report shows, and the lines (by index) that tell them. */
export interface NativeReading {
  failures: NativeEnd[];
  consumed: Set<number>;
}

/**
 * Reads fault dumps, glibc's and TensorFlow's checks, C++ exceptions that nobody caught and what shells say of them, each
 * process's lines for themselves. Spans cover all of the lines. Sorted by place; at most `maxItems`.
 */
export function readNativeEnds(lines: readonly Line[], maxItems: number): NativeReading {
  const failures: NativeEnd[] = [];
  const consumed = new Set<number>();
  for (const stream of demultiplex(lines)) {
    // A fence or a heading ends what came before it.
    const texts = stream.lines.map((line) => (line.stop ? '#' : line.text));
    for (const failure of readNativeFailures(texts)) {
      const first = stream.lines[failure.start];
      const last = stream.lines[failure.end - 1];
      if (first === undefined || last === undefined) continue;
      for (const line of stream.lines.slice(failure.start, failure.end)) consumed.add(line.index);
      failures.push({
        span: { start: first.start, end: last.end },
        signal: failure.signal,
        message: failure.message,
        frames: failure.frames,
        ...(failure.type === undefined ? {} : { type: failure.type }),
        ...(stream.rank === undefined ? {} : { rank: stream.rank }),
      });
    }
  }
  failures.sort((a, b) => a.span.start - b.span.start);
  return { failures: failures.slice(0, maxItems), consumed };
}
