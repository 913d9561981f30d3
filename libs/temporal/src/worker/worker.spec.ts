import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUEUES, QUEUE_NAMES } from '../client/queues.js';
import { createIdleTracker } from './idle-tracker.js';
import { mergeActivities } from './merge-activities.js';
import { limitsOf, queueProfiles } from './worker-options.js';

describe('createIdleTracker', () => {
  it('is idle after the whole time without an open workflow, counted anew after each', () => {
    const tracker = createIdleTracker(10);
    expect(tracker.observe(0, 0)).toBeNull();
    expect(tracker.observe(9, 0)).toBeNull();
    expect(tracker.observe(9.5, 1)).toBeNull();
    expect(tracker.observe(20, 0)).toBeNull();
    expect(tracker.observe(30, 0)).toBe('no-open-workflows');
  });

  it('gives a server that is away the whole time its own reason', () => {
    const tracker = createIdleTracker(10);
    expect(tracker.observe(0, null)).toBeNull();
    expect(tracker.observe(10, null)).toBe('server-unreachable');
    const silent = createIdleTracker(10);
    expect(silent.observe(0, 0)).toBeNull();
    expect(silent.observe(9, null)).toBeNull();
    expect(silent.observe(18, null)).toBeNull();
    expect(silent.observe(19, null)).toBe('server-unreachable');
  });

  it('is never idle within the idle time after an open workflow was seen', () => {
    const observation = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 1, null));
    const property = fc.property(fc.array(observation, { maxLength: 50 }), (observations) => {
      const tracker = createIdleTracker(10);
      let seconds = 0;
      let lastOpen = 0;
      for (const [step, open] of observations) {
        seconds += step;
        const reason = tracker.observe(seconds, open);
        if (open === 1) lastOpen = seconds;
        if (reason !== null) expect(seconds - lastOpen).toBeGreaterThanOrEqual(10);
      }
    });
    fc.assert(property);
  });
});

describe('mergeActivities', () => {
  it('joins maps and rejects a name that comes twice', () => {
    const one = () => Promise.resolve(1);
    expect(Object.keys(mergeActivities({ one }, { two: one }))).toEqual(['one', 'two']);
    expect(() => mergeActivities({ one }, { one })).toThrow('one');
  });
});

describe('queueProfiles', () => {
  it('runs as many trials at once as there are cores, and always at least one of everything', () => {
    expect(queueProfiles(8)[QUEUES.jobsCpu].slots).toBe(8);
    for (const queue of QUEUE_NAMES) expect(limitsOf(queueProfiles(0)[queue]).shutdownForceTime).toBeGreaterThan(0);
    expect(limitsOf(queueProfiles(4)[QUEUES.jobsCpu]).maxConcurrentActivityTaskExecutions).toBe(4);
    expect(limitsOf(queueProfiles(4)[QUEUES.workflows]).maxConcurrentActivityTaskExecutions).toBeUndefined();
  });
});
