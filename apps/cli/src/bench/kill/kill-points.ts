/** Whom a point kills. */
export type KillTarget = 'cli' | 'worker' | 'server';

const TARGETS: readonly KillTarget[] = ['cli', 'worker', 'server'];

/** One line of the undisturbed run's story, with its time. */
export interface StoryMark {
  key: string;
  phase: string;
  /** From the start of the command. */
  seconds: number;
}

/** Where a kill happens: so long after an event of the story. */
export interface KillPoint {
  number: number;
  target: KillTarget;
  /** Index of the event that is waited for; -1 = the start of the command. */
  event: number;
  /** Seconds after that event. */
  delaySeconds: number;
  /** The engine is stopped before, so that the kill meets its start. */
  cold: boolean;
}

/**
 * Spreads points evenly over the gaps of a story (before its first event, between two, after its last), over the targets in turn, and at
 * random within each gap. Long gaps get more points than short ones: half of the points go by time, half by event.
 *
 * @param marks story of an undisturbed run.
 * @param totalSeconds when that run's command ended.
 * @param random values in [0, 1).
 */
export function spreadKillPoints(
  count: number,
  story: { marks: readonly StoryMark[]; totalSeconds: number },
  random: () => number,
): KillPoint[] {
  const starts = [0, ...story.marks.map((mark) => mark.seconds)];
  const perTarget = Math.max(1, Math.ceil(count / TARGETS.length));
  return Array.from({ length: count }, (_, index) => {
    // each target walks through the whole story, by itself
    const step = Math.floor(index / TARGETS.length);
    const share = (step + random()) / perTarget;
    const byTime = step % 2 === 0;
    const at = byTime ? share * story.totalSeconds : withinGap(starts, story.totalSeconds, share * starts.length);
    const gap = gapAt(starts, at);
    return {
      number: index + 1,
      target: TARGETS[index % TARGETS.length] ?? 'cli',
      event: gap - 1,
      delaySeconds: Math.max(0, at - (starts[gap] ?? 0)),
      cold: gap === 0,
    };
  });
}

/** The time of a place such as 2.5: the middle of the gap that begins with the third start. */
function withinGap(starts: readonly number[], totalSeconds: number, place: number): number {
  const gap = Math.min(Math.floor(place), starts.length - 1);
  const from = starts[gap] ?? 0;
  const to = starts[gap + 1] ?? totalSeconds;
  return from + (place - gap) * Math.max(0, to - from);
}

function gapAt(starts: readonly number[], seconds: number): number {
  let gap = 0;
  while (gap + 1 < starts.length && (starts[gap + 1] ?? Infinity) <= seconds) gap += 1;
  return gap;
}

/** Random numbers from a seed (mulberry32, public domain), so that a row of points can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
