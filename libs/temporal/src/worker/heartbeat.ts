import { Context } from '@temporalio/activity';

/** What a long activity gets: its cancellation, and a place to leave word of its progress. */
export interface Heartbeat {
  /** Aborted when the activity is cancelled, timed out, or its worker shuts down. */
  signal: AbortSignal;
  /** Small JSON (≤ 2 KB), sent with the next heartbeat and read by the next attempt. */
  note(details: unknown): void;
}

const DEFAULT_EVERY_SECONDS = 3;

/** Activities inside {@link withHeartbeat}. */
const sending = new WeakSet<Context>();

/** True while an activity sends heartbeats by itself. */
export function sendsHeartbeats(context: Context): boolean {
  return sending.has(context);
}

/**
 * Runs a long piece of an activity while heartbeats are sent, so that Temporal sees it live and can cancel it: without heartbeats no
 * cancellation is ever delivered. The work itself must end when the signal says so, and must leave the event loop free.
 * @throws what the work throws.
 */
export async function withHeartbeat<T>(work: (heartbeat: Heartbeat) => Promise<T>, options: { everySeconds?: number } = {}): Promise<T> {
  const context = Context.current();
  let details: unknown = context.info.heartbeatDetails;
  const beat = () => context.heartbeat(details);
  sending.add(context);
  const timer = setInterval(beat, (options.everySeconds ?? DEFAULT_EVERY_SECONDS) * 1000);
  try {
    beat();
    return await work({
      signal: context.cancellationSignal,
      note: (next) => {
        details = next;
        beat();
      },
    });
  } finally {
    clearInterval(timer);
    sending.delete(context);
  }
}

/** What an earlier attempt of this activity noted last; undefined on the first. */
export function earlierNote(): unknown {
  return Context.current().info.heartbeatDetails;
}
