import type { CommandHost } from '../commands/command-context.js';
import { runProgram } from '../run-program.js';

/** A host that keeps what a command writes. */
export function recordingHost(workingDirectory: string): { host: CommandHost; written: { data: string; talk: string } } {
  const written = { data: '', talk: '' };
  const console = {
    data: (text: string) => void (written.data += text),
    talk: (text: string) => void (written.talk += text),
    color: false,
    isTerminal: false,
  };
  return { written, host: { console, workingDirectory, exitStatus: 0 } };
}

/** Runs a command line in this process: its status, and what it wrote as its result and beside it. */
export async function runInProcess(
  workingDirectory: string,
  argv: readonly string[],
): Promise<{ status: number; data: string; talk: string }> {
  const { host, written } = recordingHost(workingDirectory);
  return { status: await runProgram(argv, host), ...written };
}
