import { describe, expect, it } from 'vitest';
import { VerdictState } from '@reenact/domain/schemas';
import { sampleVerdict } from '@reenact/reporting/testing';
import { nextCommand } from './next-command.js';

describe('nextCommand', () => {
  it.each(VerdictState.options)('has one for %s', (verdict) => {
    expect(nextCommand(sampleVerdict({ verdict }))).toMatch(/\.\/reenact /);
  });

  it('knows a budget that ended', () => {
    expect(nextCommand(sampleVerdict({ verdict: 'inconclusive', reason: 'budget: 2 minutes are over' }))).toContain('--budget');
  });
});
