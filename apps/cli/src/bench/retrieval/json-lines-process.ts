import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { AppError } from '@reenact/domain';

/** A program that answers every line on its standard input with one JSON object. */
export interface JsonLinesProcess {
  /** @throws AppError `internal` where the program ended or tells an error. */
  ask<Answer>(request: Record<string, unknown>): Promise<Answer>;
  /** Ends it; nothing more is asked. */
  close(): Promise<void>;
}

/** Starts the program; one request at a time. @param environment variables beside those of this process. */
export function startJsonLines(command: readonly [string, ...string[]], environment: NodeJS.ProcessEnv): JsonLinesProcess {
  const [file, ...rest] = command;
  const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'pipe'], env: environment });
  let problem = '';
  child.stderr.on('data', (chunk: Buffer) => (problem = `${problem}${chunk.toString()}`.slice(-2000)));
  child.on('error', (error) => (problem = error.message));
  // a write to a program that ended is told by the answer that does not come
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask<Answer>(request: Record<string, unknown>) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const line = await lines.next();
      if (line.done === true) throw new AppError('internal', `${rest[0] ?? file} ended: ${problem.trim().split('\n').at(-1) ?? ''}`);
      const answer = JSON.parse(line.value) as Answer & { error?: string };
      if (typeof answer.error === 'string') throw new AppError('internal', `${rest[0] ?? file}: ${answer.error}`);
      return answer;
    },
    async close() {
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}
