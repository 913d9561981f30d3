/** Why a worker is taken for idle. */
export type IdleReason = 'no-open-workflows' | 'server-unreachable';

/** Decides from observations, one after the other; no clock of its own. */
export interface IdleTracker {
  /**
   * @param seconds monotonic time of the observation.
   * @param openWorkflows number of running workflows, null when the server did not answer.
   * @returns the reason once the idle time is full, else null.
   */
  observe(seconds: number, openWorkflows: number | null): IdleReason | null;
}

/** Idle = for `idleSeconds` no observation saw an open workflow; a server that never answered in all that time is a reason of its own. */
export function createIdleTracker(idleSeconds: number): IdleTracker {
  let since: number | null = null;
  let answered = false;
  return {
    observe(seconds, openWorkflows) {
      if (openWorkflows !== null && openWorkflows > 0) {
        since = null;
        answered = false;
        return null;
      }
      since ??= seconds;
      answered ||= openWorkflows !== null;
      // silence after an empty answer proves nothing: a workflow may have started meanwhile, so the time counts anew
      if (openWorkflows === null && answered) {
        since = seconds;
        answered = false;
      }
      if (seconds - since < idleSeconds) return null;
      return answered ? 'no-open-workflows' : 'server-unreachable';
    },
  };
}
