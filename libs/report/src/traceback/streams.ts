import type { Line } from '../lines.js';

/** A line as one process printed it: launcher prefix and time stamp taken off. */
export interface TraceLine {
  text: string;
  /** Offsets of the whole line in the report's text. */
  start: number;
  end: number;
  /** Index into the report's lines. */
  index: number;
  /** A fence, heading or comment: no traceback goes on over it. */
  stop: boolean;
}

/** The lines of one process, in order. */
export interface TraceStream {
  rank: number | undefined;
  lines: TraceLine[];
}

const TIME_STAMP =
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: - )?(?:[\w.]{1,80} - (?=[A-Z]))?(?: ?\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|stderr|stdout)\]?(?: F)?:?(?: -(?= ))?)? ?/;
/** `[rank0]: ` of torch, `[default0]:` of torchrun, `[1]: `, `rank 1: `, `[1,0]<stderr>:` of mpirun. */
const RANK_PREFIXES: readonly RegExp[] = [
  /^\[(?:rank|default|worker|Rank)[ _]?(\d{1,5})\]:? ?/,
  /^\[(\d{1,5})\]: ?/,
  /^[Rr]ank[ =_]?(\d{1,5}) ?[:|>] ?/,
  /^\[\d{1,5},(\d{1,5})\]<std(?:err|out)>: ?/,
];
/** `srun -l` and `pdsh` number their lines; taken only when a traceback is prefixed in that way. */
const NUMBER_PREFIX = /^(\d{1,4}): ?/;
const NUMBERED_TRACE = /^\s*\d{1,4}: ?Traceback \(most recent call last\)/;
/** Ray's actor prefix. */
const ACTOR_PREFIX = /^\((?:[\w.]{1,80} )?pid=\d{1,9}(?:, ip=[\d.]{1,20})?\) ?/;

/** Text after the launcher's prefix and the rank that the prefix names. */
export interface Unprefixed {
  text: string;
  rank: number | undefined;
}

/** Takes time stamps and launcher prefixes off one line. */
export function stripLauncherPrefix(raw: string, numbered = false): Unprefixed {
  const patterns = numbered ? [...RANK_PREFIXES, NUMBER_PREFIX] : RANK_PREFIXES;
  let text = raw.replace(TIME_STAMP, '').replace(ACTOR_PREFIX, '');
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    text = text.slice(match[0].length).replace(TIME_STAMP, '');
    return { text, rank: Number(match[1]) };
  }
  return { text, rank: undefined };
}

/** Sorts the lines of a report by the process that printed them, so that interleaved traces come apart. */
export function demultiplex(lines: readonly Line[]): TraceStream[] {
  const numbered = lines.some((line) => NUMBERED_TRACE.test(line.text));
  const streams = new Map<string, TraceStream>();
  const streamOf = (rank: number | undefined): TraceStream => {
    const key = String(rank ?? '');
    const existing = streams.get(key);
    if (existing !== undefined) return existing;
    const created: TraceStream = { rank, lines: [] };
    streams.set(key, created);
    return created;
  };
  streamOf(undefined);
  lines.forEach((line, index) => {
    const stop = line.kind === 'fence' || line.kind === 'heading' || line.kind === 'comment';
    const { text, rank } = stripLauncherPrefix(line.text, numbered);
    const entry: TraceLine = { text, start: line.start, end: line.end, index, stop };
    // A stop ends the traces of every process.
    if (stop) for (const stream of streams.values()) stream.lines.push(entry);
    else streamOf(rank).lines.push(entry);
  });
  return [...streams.values()];
}
