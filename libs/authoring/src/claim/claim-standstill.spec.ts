import { describe, expect, it } from 'vitest';
import { observedFacets, onlyOracle, oracleKinds } from '../testing/claimed.js';

describe('standstill', () => {
  it.each([
    '# Evaluation hangs after the last batch\n\nBoth ranks are idle.',
    '# Training never continues after the checkpoint\n\ntorch 2.3, 2 processes.',
    '# Deadlock in the prefetcher\n\nWith four loader workers nothing more is printed.',
    '# DDP job gets stuck\n\nIt has to be killed. No exception.',
    '# Second epoch is never reached\n\nThe program freezes after "epoch 0 done" and makes no progress.',
    '# Training stops after the first epoch\n\nOne worker is done, the other one stays silent. CPU usage drops to zero.',
    '# all_gather blocks forever with an odd number of rows\n',
  ])('reads %j', (text) => {
    expect(onlyOracle(text)).toMatchObject({ kind: 'hang' });
    expect(observedFacets(text)[0]?.shownBy).toBe('harness');
  });

  it('takes the time-out error as a form of the standstill', () => {
    const text =
      '# Training hangs in all_reduce\n\nAfter half an hour:\n\n```\nTraceback (most recent call last):\n  File "train.py", line 3, in f\n    dist.all_reduce(t)\nRuntimeError: Timed out waiting 1800000ms for recv operation to complete\n```\n';
    expect(oracleKinds(text)).toEqual(['hang']);
  });

  it('takes an interrupted run for no error', () => {
    const text =
      '# Loader hangs\n\nI have to press Ctrl-C:\n\n```\nTraceback (most recent call last):\n  File "a.py", line 3, in f\n    q.get()\nKeyboardInterrupt\n```\n';
    expect(oracleKinds(text)).toEqual(['hang']);
  });

  it('keeps the error when its peers wait', () => {
    expect(oracleKinds('# Rank 1 dies with a KeyError\n\nRank 1 raises a KeyError, then rank 0 waits.')).toEqual(['exception']);
  });

  it.each([
    '# Slow\n\nThe loss is stuck at 0.69 for all epochs.',
    '# Works\n\nIt does not hang with one worker. The loss is negative.',
    '# Early stopping stops too late\n\nTraining stops after 12 epochs instead of 10.',
  ])('does not read a standstill in %j', (text) => {
    expect(oracleKinds(text)).not.toContain('hang');
  });
});
