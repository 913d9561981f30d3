import { describe, expect, it } from 'vitest';
import { judgeExecutions } from './trial-watch.js';

const execution = (key: string, firstSeen: number, lastSeen: number, wasRecorded = false) => ({ key, firstSeen, lastSeen, wasRecorded });

describe('judgeExecutions', () => {
  it('allows one more execution of what was under way at the kill', () => {
    expect(judgeExecutions([execution('a', 1, 5), execution('b', 4, 5), execution('a', 20, 22), execution('c', 23, 25)], 5)).toEqual({
      reExecuted: 1,
      contradictions: [],
    });
  });

  it('names a trial that had ended before the kill and ran again', () => {
    expect(judgeExecutions([execution('a', 1, 3), execution('a', 20, 22)], 10).contradictions).toEqual([
      'trial of request a ran again although nothing had killed it',
    ]);
    expect(judgeExecutions([execution('a', 1, 3), execution('a', 20, 22)], null).contradictions).toHaveLength(1);
  });

  it('names a trial that ran although its evidence was there, and two at once', () => {
    expect(judgeExecutions([execution('a', 1, 3, true)], null).contradictions).toEqual([
      'trial of request a ran although its evidence was there',
    ]);
    expect(judgeExecutions([execution('a', 1, 9), execution('a', 5, 8)], 4.5).contradictions).toEqual([
      'trial of request a ran twice at once',
    ]);
  });
});
