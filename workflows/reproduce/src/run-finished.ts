import type { Trial } from '@reenact/domain';

/** A trial that the platform spoiled is repeated so often. */
const INFRA_REPEATS = 2;

/** Runs a trial until it finished, or was spoiled too often. @param run starts the next one, under an index of its own. */
export async function runFinished(run: () => Promise<Trial>): Promise<Trial> {
  for (let repeat = 0; ; repeat += 1) {
    const trial = await run();
    if (trial.outcome === 'finished' || repeat === INFRA_REPEATS) return trial;
  }
}
