import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SandboxProgress } from '@reenact/domain';

/** Exit status of `supervisor/main.py` after a cancel. */
const CANCELLED_STATUS = 3;
const MAX_ERROR_TEXT = 4000;
/** A supervisor that does not end this long after a cancel is killed; its init dies with it. */
const CANCEL_GRACE_MS = 10_000;

export interface SupervisorRun {
  python: string;
  argv: string[];
  signal: AbortSignal;
  onProgress: (progress: SandboxProgress) => void;
}

/** How the supervisor's process ended. */
export type SupervisorAnswer =
  | { kind: 'done'; evidencePath: string; scriptSeconds: number; isolation: string[] }
  | { kind: 'error'; code: string; message: string }
  | { kind: 'cancelled' }
  | { kind: 'died'; reason: string };

/**
 * Runs the supervisor and reads its JSON lines. Its standard input stays open for as long as this process lives: when it
 * closes, the supervisor kills the trial. It has a session of its own, so that a terminal's Ctrl-C reaches only this process. It runs isolated (`-I`), and nothing of this environment reaches a candidate.
 */
export async function runSupervisor(run: SupervisorRun): Promise<SupervisorAnswer> {
  const child = spawn(run.python, ['-I', '-S', ...run.argv], { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/', detached: true });
  child.stdin?.on('error', () => undefined);
  const cancel = armCancel(child, run.signal);
  let last: Record<string, unknown> = {};
  let errorText = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-MAX_ERROR_TEXT);
  });
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      last = parseObject(line) ?? last;
      if (typeof last['t'] === 'number') run.onProgress({ seconds: last['t'], lastLine: text(last['lastLine']) });
    });
  }
  const status = await ended(child);
  cancel.disarm();
  if (run.signal.aborted || status.code === CANCELLED_STATUS) return { kind: 'cancelled' };
  return interpret(last, status, errorText);
}

interface ExitStatus {
  code: number | null;
  signal: string | null;
  failure: Error | null;
}

function ended(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((settle) => {
    child.on('error', (failure) => settle({ code: null, signal: null, failure }));
    child.on('close', (code, signal) => settle({ code, signal, failure: null }));
  });
}

function armCancel(child: ChildProcess, signal: AbortSignal): { disarm: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    child.kill('SIGTERM');
    timer = setTimeout(() => child.kill('SIGKILL'), CANCEL_GRACE_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    disarm() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

function interpret(last: Record<string, unknown>, status: ExitStatus, errorText: string): SupervisorAnswer {
  if (status.failure) return { kind: 'died', reason: `the supervisor does not start: ${status.failure.message}` };
  if (typeof last['error'] === 'string') return { kind: 'error', code: last['error'], message: text(last['message']) };
  if (last['done'] !== true || status.code !== 0) {
    return { kind: 'died', reason: `the supervisor ended with ${status.signal ?? String(status.code)}: ${errorText.trim().slice(-500)}` };
  }
  const isolation = Array.isArray(last['isolation']) ? last['isolation'].map(text) : [];
  const scriptSeconds = typeof last['scriptSeconds'] === 'number' ? last['scriptSeconds'] : 0;
  return { kind: 'done', evidencePath: text(last['evidencePath']), scriptSeconds, isolation };
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
