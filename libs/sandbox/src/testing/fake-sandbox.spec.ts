import { describe, expect, it } from 'vitest';
import { createFakeSandbox } from './fake-sandbox.js';
import { SANDBOX_CONTRACT } from './sandbox-contract.js';
import { runBenchTrial } from './trial-bench.js';

const script = () => ({
  records: [
    { kind: 'stream' as const, channel: 'stdout' as const, line: 'hello' },
    { kind: 'exit' as const, code: 0, signal: null, wallSeconds: 0.1, cpuSeconds: 0.1, peakRssBytes: 1, endedBy: 'self' as const },
  ],
});

describe('fake sandbox keeps the contract', () => {
  for (const check of SANDBOX_CONTRACT) {
    it(check.name, async () => {
      const milliseconds = check.name.includes('during the run') ? 60_000 : 0;
      expect(await check.run(createFakeSandbox({ script, milliseconds }), '/usr/bin/python3')).toEqual(check.expected);
    });
  }

  it('hands on a scripted failure of the platform and keeps the requests', async () => {
    const sandbox = createFakeSandbox({ script: () => ({ outcome: 'infra', reason: 'scripted' }) });
    expect((await runBenchTrial(sandbox, '/usr/bin/python3', {})).outcome).toEqual({ outcome: 'infra', reason: 'scripted' });
    expect(sandbox.requests).toHaveLength(1);
  });
});
