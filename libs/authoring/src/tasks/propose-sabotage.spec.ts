import { describe, expect, it } from 'vitest';
import { emptyMemory } from '../memory.js';
import { claimFromReport } from '../claim/claim-from-report.js';
import { createScriptedModelClient, plainReport } from '../testing/index.js';
import { proposeSabotage } from './propose-sabotage.js';

const report = plainReport('The accuracy is 2.4.');
const material = { report, claim: claimFromReport(report), context: null, files: [], memory: emptyMemory(), hints: [] };
const options = { signal: new AbortController().signal, onProgress: () => undefined };
const suspects = [{ file: 'metric.py', function: 'Meter.mean', text: 'def mean(self):\n    return 1' }];
const proposal = (count: number) =>
  JSON.stringify({
    idea: 'divides twice',
    functions: Array.from({ length: count }, () => ({ file: 'metric.py', function: 'Meter.mean', text: 'def mean(self):\n    return 2' })),
  });

describe('proposeSabotage', () => {
  it('shows the suspected functions and no script, and takes whole definitions', async () => {
    const client = createScriptedModelClient([proposal(1)]);
    const made = await proposeSabotage(material, suspects, { client, options });
    expect(made).toEqual({
      idea: 'divides twice',
      functions: [{ file: 'metric.py', function: 'Meter.mean', text: 'def mean(self):\n    return 2' }],
    });
    expect(client.requests[0]?.user).toContain('metric.py:Meter.mean');
    expect(client.requests[0]?.user).toContain('def mean(self):');
    expect(client.requests[0]?.purpose).toBe('control');
  });

  it('takes a few functions at most', async () => {
    const client = createScriptedModelClient([proposal(9)]);
    expect((await proposeSabotage(material, suspects, { client, options })).functions).toHaveLength(4);
  });
});
