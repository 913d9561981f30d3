/** What happens at Ctrl-C while a run is followed. */
export interface Interrupts {
  /** Aborts when the following is to end. */
  signal: AbortSignal;
  /** `none`, `detach` (one Ctrl-C) or `cancel` (a second one). */
  wish(): 'none' | 'detach' | 'cancel';
  dispose(): void;
}

/** Time for a second Ctrl-C before the command leaves. */
const SECOND_SECONDS = 2;

/**
 * The first Ctrl-C detaches: the run goes on. A second one within two seconds cancels the run.
 * @param onFirst tells the user how to resume.
 */
export function watchInterrupts(onFirst: () => void): Interrupts {
  const controller = new AbortController();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const onInterrupt = () => {
    count += 1;
    if (count > 1) {
      clearTimeout(timer);
      controller.abort();
      return;
    }
    onFirst();
    timer = setTimeout(() => controller.abort(), SECOND_SECONDS * 1000);
  };
  const onTerminate = () => {
    if (count === 0) onFirst();
    count = Math.max(count, 1);
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    signal: controller.signal,
    wish: () => (count === 0 ? 'none' : count === 1 ? 'detach' : 'cancel'),
    dispose() {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}
