import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess } from '@reenact/temporal/server';
import type { ProcessIdentity } from '@reenact/temporal/server';

/** A worker lets running activities notice the end; only one that hangs outlasts this. */
const GRACE_SECONDS = 30;
const KILL_SECONDS = 5;
const POLL_MILLISECONDS = 100;

/** Asks a process to end, and makes it end when it does not in time; before each signal it is checked to be the very same one. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGTERM', GRACE_SECONDS],
    ['SIGKILL', KILL_SECONDS],
  ] as const) {
    if (!(await isSameProcess(identity))) return;
    try {
      process.kill(identity.pid, signal);
    } catch {
      return; // it ended meanwhile
    }
    const deadline = performance.now() + seconds * 1000;
    while (performance.now() < deadline && (await isSameProcess(identity))) await sleep(POLL_MILLISECONDS);
  }
}
