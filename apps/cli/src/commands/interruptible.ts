import type { CommandContext, CommandHost } from './command-context.js';

const INTERRUPTED = 130;

/** Work of this process that Ctrl-C ends: its signal aborts, and the command says so and ends with 130. */
export async function interruptible(
  host: CommandHost,
  context: CommandContext,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const onInterrupt = (): void => controller.abort();
  process.once('SIGINT', onInterrupt);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    context.report('Stopped. What was made is kept; the same command goes on from there.');
    host.exitStatus = INTERRUPTED;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
