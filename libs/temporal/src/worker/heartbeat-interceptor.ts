import type { Context } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { sendsHeartbeats } from './heartbeat.js';

const EVERY_MILLISECONDS = 3_000;

/**
 * Lets every activity of a worker send heartbeats, so that the server notices within the heartbeat timeout that the worker has died, and
 * not only when the activity's whole time is over.
 */
export function heartbeatInterceptor(everyMilliseconds: number = EVERY_MILLISECONDS): ActivityInterceptorsFactory {
  return (context) => ({ inbound: { execute: (input, next) => executeBeating(context, everyMilliseconds, () => next(input)) } });
}

/** Activities that send by themselves, with notes of their own, are left to it. */
async function executeBeating(context: Context, everyMilliseconds: number, execute: () => Promise<unknown>): Promise<unknown> {
  const beat = () => {
    if (!sendsHeartbeats(context)) context.heartbeat(context.info.heartbeatDetails);
  };
  const timer = setInterval(beat, everyMilliseconds);
  try {
    return await execute();
  } finally {
    clearInterval(timer);
  }
}
