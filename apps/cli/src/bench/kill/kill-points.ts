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
 * Spreads points over the targets in turn. Every other point of a target goes by time, evenly over the whole run; those between go by
 * phase, one phase after the other, so that a phase of a few milliseconds is hit as often as one of minutes;
 * the targets begin at different phases.
 *
 * @param story marks of an undisturbed run, and when that run's command ended.
 * @param random values in [0, 1).
 */
export function spreadKillPoints(
  count: number,
  story: { marks: readonly StoryMark[]; totalSeconds: number },
  random: () => number,
): KillPoint[] {
  const starts = [0, ...story.marks.map((mark) => mark.seconds)];
  const phases = gapsByPhase(story.marks);
  const perTarget = Math.max(1, Math.ceil(count / TARGETS.length));
  const offset = Math.ceil(phases.length / TARGETS.length);
  return Array.from({ length: count }, (_, index) => {
    // each target walks through the whole story, by itself
    const step = Math.floor(index / TARGETS.length);
    const byTime = step % 2 === 0;
    const phase = phases[((step - 1) / 2 + (index % TARGETS.length) * offset) % phases.length];
    const gap = byTime ? gapAt(starts, ((step + random()) / perTarget) * story.totalSeconds) : oneOf(phase, random);
    const from = starts[gap] ?? 0;
    const until = starts[gap + 1] ?? story.totalSeconds;
    return {
      number: index + 1,
      target: TARGETS[index % TARGETS.length] ?? 'cli',
      event: gap - 1,
      delaySeconds: random() * Math.max(0, until - from),
      cold: gap === 0,
    };
  });
}

/** Gaps of each phase in the order of the story; the one before the first event is a phase of its own. */
function gapsByPhase(marks: readonly StoryMark[]): number[][] {
  const gaps = new Map<string | null, number[]>([[null, [0]]]);
  for (const [index, { phase }] of marks.entries()) gaps.set(phase, [...(gaps.get(phase) ?? []), index + 1]);
  return [...gaps.values()];
}

function oneOf(gaps: readonly number[] | undefined, random: () => number): number {
  return gaps?.[Math.floor(random() * gaps.length)] ?? 0;
}

function gapAt(starts: readonly number[], seconds: number): number {
  let gap = 0;
  while (gap + 1 < starts.length && (starts[gap + 1] ?? Infinity) <= seconds) gap += 1;
  return gap;
}
