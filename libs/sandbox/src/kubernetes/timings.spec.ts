import { describe, expect, it } from 'vitest';
import { observation, endedPod, condition, wholeEnd } from './testing/observations.js';
import { isTerminal } from './rank-observation.js';
import { deadlineSeconds, overdueOf, PRODUCTION_TIMINGS, TEST_TIMINGS } from './timings.js';

const seen = { created: 100, podSeen: null, bound: null, running: null };
const rules = { timings: PRODUCTION_TIMINGS, gpu: false, wallSeconds: 300 };

describe('clocks of a rank', () => {
  it('give every state its own time from the moment it was seen', () => {
    expect([160, 160.1].map((now) => overdueOf(seen, now, rules))).toEqual(['none', 'creation']);
    const unplaced = { ...seen, podSeen: 150 };
    expect([1050, 1050.1].map((now) => overdueOf(unplaced, now, rules))).toEqual(['none', 'scheduling']);
    const bound = { ...unplaced, bound: 1000 };
    expect([1300, 1300.1].map((now) => overdueOf(bound, now, rules))).toEqual(['none', 'start']);
    expect(overdueOf(bound, 1900, { ...rules, gpu: true })).toBe('none');
    const running = { ...bound, running: 1200 };
    expect([1620, 1620.1].map((now) => overdueOf(running, now, rules))).toEqual(['none', 'run']);
  });

  it('leave several pods the time to find each other and to end after one that failed', () => {
    const running = { created: 0, podSeen: 0, bound: 0, running: 1000 };
    const several = { ...rules, several: true };
    expect([2040, 2040.1].map((now) => overdueOf(running, now, several))).toEqual(['none', 'run']);
    const alone = deadlineSeconds(PRODUCTION_TIMINGS, { gpu: false, wallSeconds: 300, several: false });
    expect(deadlineSeconds(PRODUCTION_TIMINGS, { gpu: false, wallSeconds: 300, several: true })).toBe(alone + 620);
  });

  it('run out before the cluster ends the Job by itself', () => {
    for (const timings of [PRODUCTION_TIMINGS, TEST_TIMINGS])
      for (const gpu of [true, false]) {
        const start = timings.startSeconds[gpu ? 'gpu' : 'cpu'];
        const latest = timings.schedulingSeconds + start + 60 + timings.endFrameSeconds;
        expect(deadlineSeconds(timings, { gpu, wallSeconds: 60, several: false })).toBe(latest + timings.deadlineReserveSeconds);
        expect(timings.deadlineReserveSeconds).toBeGreaterThan(timings.terminationGraceSeconds);
      }
    expect(deadlineSeconds(TEST_TIMINGS, { gpu: false, wallSeconds: 0.5, several: false })).toBe(91);
  });
});

describe('the end of a rank', () => {
  it.each([
    ['runs', {}, false],
    ['waits for its image', { ranPodUid: null, pod: { phase: 'Pending' } }, false],
    ['is suspended before it ran', { ranPodUid: null, job: { suspended: true, conditions: [] } }, false],
    ['has a disruption announced', { pod: { phase: 'Running', conditions: [condition('DisruptionTarget', 'x')] } }, false],
    ['was suspended while it ran', { job: { suspended: true, conditions: [] } }, true],
    ['gave its END', { end: wholeEnd(), pod: { phase: 'Running' } }, true],
    ['ended', { pod: endedPod(0) }, true],
    ['was evicted before its container began', { pod: { phase: 'Failed' } }, true],
    ['has a Job that failed', { job: { suspended: false, conditions: [condition('Failed', 'DeadlineExceeded')] } }, true],
    ['is gone', { gone: true }, true],
    ['has another pod', { laterPodUids: ['pod-2'] }, true],
    ['is late', { overdue: 'start' as const }, true],
    ['was taken back', { cancelled: true }, true],
    ['was put aside', { workloadInactive: true }, true],
  ])('%s', (_, parts, expected) => {
    expect(isTerminal(observation(parts))).toBe(expected);
  });
});
