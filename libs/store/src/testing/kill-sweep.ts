import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The point of a kill that comes at a random time. */
export const BY_CLOCK = 'by the clock';

/** Which kill it is. */
export interface KillPlan {
  /** One of the subject's points, or {@link BY_CLOCK}. */
  point: string;
  /** As the how many-th at this point, from 0. */
  round: number;
}

/** What is killed, and how harm by that is seen. */
export interface KillSubject {
  /** The writes and renames of a run, each by its name. */
  points: readonly string[];
  /** Makes the next run come to the point. */
  prepare(plan: KillPlan): Promise<void>;
  /** Starts a process that does the work and is killed (SIGKILL) at the point, before what is named there is done. */
  start(plan: KillPlan): ChildProcess;
  /** How what is there now differs from a clean build, or can't be gone on with; empty where all is well. Heals nothing. */
  differences(plan: KillPlan): Promise<string[]>;
}

/** What came of the kills at one point. */
export interface KillCount {
  point: string;
  /** Kills that took place. */
  kills: number;
  /** How they differed, kill by kill. */
  differing: string[];
}

/** How often a subject is killed at each point, and at random times. */
export interface KillTimes {
  killsPerPoint: number;
  killsByClock: number;
}

/**
 * Kills a subject at every point, so many times, and looks after each kill whether it did harm. What a kill left stays for the next one,
 * so that runs go on from what several kills left.
 * @throws Error where a run ends by itself with a failure.
 */
export async function sweepKills(
  subject: KillSubject,
  { killsPerPoint, killsByClock }: KillTimes,
  onCount: (count: KillCount) => void = () => undefined,
): Promise<KillCount[]> {
  const counts: KillCount[] = [];
  for (const point of [...subject.points, BY_CLOCK]) {
    const count: KillCount = { point, kills: 0, differing: [] };
    const rounds = point === BY_CLOCK ? killsByClock : killsPerPoint;
    for (let round = 0; round < rounds; round++) {
      const plan = { point, round };
      await subject.prepare(plan);
      if (!(await isKilled(subject.start(plan)))) continue;
      count.kills++;
      const found = await subject.differences(plan).catch((error: Error) => [error.message]);
      if (found.length > 0) count.differing.push(`kill ${round + 1}: ${found.join('; ')}`);
    }
    counts.push(count);
    onCount(count);
  }
  return counts;
}

/** Waits for the end of a process: true where it was killed, false where it came to its end. */
export async function isKilled(child: ChildProcess): Promise<boolean> {
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return true;
  if (status !== 0) throw new Error(`A process that was to be killed ended with ${status ?? signal}.`);
  return false;
}
