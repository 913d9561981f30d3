import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox, SandboxOutcome, TrialRequest } from '@reenact/domain';
import { formatEvidence } from '../evidence-writer.js';
import type { ScriptedRecord } from '../evidence-writer.js';

/** What a scripted trial gives: records after BEGIN (END is added), or an outcome without evidence. */
export type ScriptedTrial = { records: readonly ScriptedRecord[] } | Exclude<SandboxOutcome, { outcome: 'finished' }>;

export interface FakeSandboxOptions {
  /** Answers a request; may throw an AppError as the real sandbox does. */
  script: (request: TrialRequest) => ScriptedTrial | Promise<ScriptedTrial>;
  isolation?: string[];
  /** How long a trial takes; a cancel ends it earlier. */
  milliseconds?: number;
}

export interface FakeSandbox extends Sandbox {
  /** Every request that was executed, in order. */
  readonly requests: TrialRequest[];
}

/** A sandbox that runs nothing and writes scripted evidence, whole and valid, as the real one does. */
export function createFakeSandbox(options: FakeSandboxOptions): FakeSandbox {
  const requests: TrialRequest[] = [];
  const isolation = options.isolation ?? ['fake'];
  return {
    kind: 'fake',
    requests,
    isolation: () => Promise.resolve(isolation),
    async execute(request, { signal, onProgress }) {
      if (signal.aborted) return { outcome: 'cancelled', reason: 'cancelled before it began' };
      requests.push(request);
      onProgress({ seconds: 0, lastLine: '' });
      await pause(options.milliseconds ?? 0, signal);
      if (signal.aborted) return { outcome: 'cancelled', reason: 'the trial was cancelled' };
      const trial = await options.script(request);
      if ('outcome' in trial) return trial;
      const begin: ScriptedRecord = { kind: 'begin', protocol: 1, sandbox: 'namespaces', isolation, kernel: 'fake', cpus: 1 };
      const evidencePath = await write(request.outputDirectory, formatEvidence([begin, ...trial.records]));
      return { outcome: 'finished', evidencePath, seconds: 0.01, overheadSeconds: 0.005 };
    },
    close: () => undefined,
  };
}

async function write(directory: string, bytes: Uint8Array): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'evidence.jsonl');
  await writeFile(`${path}.part`, bytes);
  await rename(`${path}.part`, path);
  return path;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    const timer = setTimeout(settle, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      settle();
    });
  });
}
