import type { Sandbox } from '@reenact/domain';
import { runBenchTrial } from './trial-bench.js';
import type { BenchResult } from './trial-bench.js';

/**
 * What every `Sandbox` must do, as named checks that throw nothing and return what was seen; the specs of the local
 * adapter and of the fake run the same list. The fake is scripted to print `hello` and end with 0.
 */
export interface ContractCase {
  name: string;
  run: (sandbox: Sandbox, interpreter: string) => Promise<unknown>;
  expected: unknown;
}

const HELLO = { script: { 'main.py': 'print("hello")\n' } };

function summary(result: BenchResult): unknown {
  return {
    outcome: result.outcome.outcome,
    first: result.records[0]?.kind,
    last: result.records.at(-1)?.kind,
    stdout: result.stdout(),
    exits: result.of('exit').map(({ code, signal, endedBy }) => ({ code, signal, endedBy })),
    sequence: result.records.every((record, index) => record.seq === index),
  };
}

export const SANDBOX_CONTRACT: readonly ContractCase[] = [
  {
    name: 'finishes with whole evidence from BEGIN to END',
    run: async (sandbox, interpreter) => summary(await runBenchTrial(sandbox, interpreter, HELLO)),
    expected: {
      outcome: 'finished',
      first: 'begin',
      last: 'end',
      stdout: ['hello'],
      exits: [{ code: 0, signal: null, endedBy: 'self' }],
      sequence: true,
    },
  },
  {
    name: 'gives finite seconds and an overhead that is part of them',
    run: async (sandbox, interpreter) => {
      const { outcome } = await runBenchTrial(sandbox, interpreter, HELLO);
      return outcome.outcome === 'finished' && outcome.overheadSeconds >= 0 && outcome.overheadSeconds <= outcome.seconds;
    },
    expected: true,
  },
  {
    name: 'is cancelled without evidence when the signal was aborted before',
    run: async (sandbox, interpreter) => {
      const { outcome, records } = await runBenchTrial(sandbox, interpreter, { ...HELLO, signal: AbortSignal.abort() });
      return [outcome.outcome, records.length];
    },
    expected: ['cancelled', 0],
  },
  {
    name: 'is cancelled without evidence when the signal is aborted during the run',
    run: async (sandbox, interpreter) => {
      const script = { 'main.py': 'import time\ntime.sleep(60)\n' };
      const { outcome, records } = await runBenchTrial(sandbox, interpreter, { script, signal: AbortSignal.timeout(700) });
      return [outcome.outcome, records.length];
    },
    expected: ['cancelled', 0],
  },
];
