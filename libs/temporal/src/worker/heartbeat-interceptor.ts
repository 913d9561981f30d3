import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, ActivityInterceptorsFactory, Next } from '@temporalio/worker';
import { sendsHeartbeats } from './heartbeat.js';

const EVERY_MILLISECONDS = 3_000;

/** See {@link heartbeatInterceptor}; activities that send by themselves, with notes of their own, are left to it. */
class HeartbeatSender implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly everyMilliseconds: number,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const beat = () => {
      if (!sendsHeartbeats(this.context)) this.context.heartbeat(this.context.info.heartbeatDetails);
    };
    const timer = setInterval(beat, this.everyMilliseconds);
    try {
      return await next(input);
    } finally {
      clearInterval(timer);
    }
  }
}

/**
 * Lets every activity of a worker send heartbeats, so that the server notices within the heartbeat timeout that the worker has died, and
 * not only when the activity's whole time is over.
 */
export function heartbeatInterceptor(everyMilliseconds: number = EVERY_MILLISECONDS): ActivityInterceptorsFactory {
  return (context) => ({ inbound: new HeartbeatSender(context, everyMilliseconds) });
}
