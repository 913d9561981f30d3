import { describe, expect, it } from 'vitest';
import { liveText } from './live-line.js';

describe('liveText', () => {
  it('says phase, doing, time and cost', () => {
    const event = { phase: 'verify', message: 'context 1, attempt 2: running 3 × candidate' };
    expect(liveText(event, 12.9, [])).toBe('… verify: context 1, attempt 2: running 3 × candidate · 12 s');
    expect(liveText(event, 2, [{ costUsd: 0.01 }, { costUsd: null }])).toContain(' · 2 s · 2 model calls, 0.010 USD');
    expect(liveText(event, 2, [{ costUsd: null }])).toMatch(/1 model calls$/);
  });

  it('never wraps, whatever a message holds', () => {
    const text = liveText({ phase: 'attempt', message: `x\n${'y'.repeat(500)}` }, 1, [{ costUsd: 12.5 }]);
    expect([...text].length).toBeLessThanOrEqual(78);
    expect(text).not.toContain('\n');
  });
});
