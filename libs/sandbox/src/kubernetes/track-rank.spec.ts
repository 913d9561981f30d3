import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodStatus } from './pod-status.js';
import { runnerOf } from './pod-status.js';
import { condition, endedPod, waitingPod } from './testing/observations.js';
import { newRank, trackRank } from './track-rank.js';
import type { SeenJob, SeenPod, TrackedRank } from './track-rank.js';

const JOB: SeenJob = { suspended: false, conditions: [] };
const RUNNING: PodStatus = {
  phase: 'Running',
  containerStatuses: [{ name: 'runner', state: { running: { startedAt: '2026-05-01T09:00:00Z' } } }],
};
const ENDED = endedPod(0, 'Completed');
const pod = (uid: string, status: PodStatus, nodeName: string | null = 'node1'): SeenPod => ({
  uid,
  name: `x1-0-${uid}`,
  nodeName,
  status,
});
const look = (rank: TrackedRank, pods: SeenPod[], now = 1, job: SeenJob | null = JOB): TrackedRank => trackRank(rank, { job, pods }, now);

describe('a rank that is looked at', () => {
  it('keeps the moments at which it was first seen to come further', () => {
    let rank = look(newRank(0), [], 1);
    rank = look(rank, [pod('a', { phase: 'Pending' }, null)], 2);
    rank = look(rank, [pod('a', waitingPod('ContainerCreating', ''))], 3);
    rank = look(rank, [pod('a', waitingPod('ContainerCreating', ''))], 4);
    rank = look(rank, [pod('a', RUNNING)], 5);
    rank = look(rank, [pod('a', RUNNING)], 9);
    expect(rank.milestones).toEqual({ created: 0, podSeen: 2, bound: 3, running: 5 });
    expect(rank).toMatchObject({ ranPodUid: 'a', podName: 'x1-0-a', nodeName: 'node1', laterPodUids: [], gone: false });
  });

  it('counts the first pod that ran: one before it did not run, one after it is another', () => {
    let rank = look(newRank(0), [pod('a', { phase: 'Pending' })]);
    rank = look(rank, [pod('a', { phase: 'Failed' }), pod('b', RUNNING)]);
    rank = look(rank, [pod('a', { phase: 'Failed' }), pod('b', RUNNING)]);
    expect([rank.ranPodUid, rank.laterPodUids]).toEqual(['b', []]);
    rank = look(rank, [pod('b', RUNNING), pod('c', RUNNING)]);
    expect([rank.ranPodUid, rank.podUid, rank.laterPodUids]).toEqual(['b', 'b', ['c']]);
    const both = look(newRank(0), [pod('a', ENDED), pod('b', RUNNING)]);
    expect([both.ranPodUid, both.podUid, both.laterPodUids]).toEqual(['a', 'a', ['b']]);
  });

  it('is gone when its Job is, or the pod that ran, but not before there was one', () => {
    expect(look(newRank(0), [], 1, null).gone).toBe(false);
    const running = look(newRank(0), [pod('a', RUNNING)]);
    expect(look(running, [], 2).gone).toBe(true);
    expect(look(running, [pod('a', RUNNING)], 2, null).gone).toBe(true);
    expect(look(look(running, [], 2), [pod('a', RUNNING)], 3).gone).toBe(true);
    expect(look(look(newRank(0), [pod('a', { phase: 'Pending' })]), [], 2).gone).toBe(false);
  });

  it('keeps the first end, whatever a kubelet tells later', () => {
    const ended = look(look(newRank(0), [pod('a', RUNNING)]), [pod('a', ENDED)]);
    const later: PodStatus = { phase: 'Failed', reason: 'UnexpectedAdmissionError', containerStatuses: [{ name: 'runner', state: {} }] };
    const rank = look(ended, [pod('a', later)]);
    expect([rank.pod?.phase, rank.pod?.reason, runnerOf(rank.pod)?.state?.terminated?.exitCode]).toEqual(['Succeeded', undefined, 0]);
  });

  it('takes the reason of a pod that comes after the end of its container, and no other end of that', () => {
    const first = { ...endedPod(75, 'Error'), phase: 'Running' };
    const evicted = { ...endedPod(137), phase: 'Failed', reason: 'Evicted', message: 'was low on resource' };
    const rank = look(look(look(newRank(0), [pod('a', RUNNING)]), [pod('a', first)]), [pod('a', evicted)]);
    expect([rank.pod?.phase, rank.pod?.reason, runnerOf(rank.pod)?.state?.terminated?.exitCode]).toEqual(['Failed', 'Evicted', 75]);
  });

  it('forgets no condition that was true, and takes over what comes', () => {
    const disrupted = condition('DisruptionTarget', 'PreemptionByScheduler');
    let rank = look(newRank(0), [pod('a', { ...RUNNING, conditions: [disrupted] })]);
    rank = look(rank, [pod('a', { ...ENDED, conditions: [condition('Ready', 'x')] })]);
    expect(rank.pod?.conditions).toEqual([condition('Ready', 'x'), disrupted]);
  });

  it('is the same value again when it is looked at twice, whatever there is to see', () => {
    const status = fc.constantFrom<PodStatus>(
      RUNNING,
      ENDED,
      waitingPod('x', 'y'),
      { phase: 'Pending' },
      { ...ENDED, conditions: [condition('A', 'b')] },
    );
    const pods = fc.uniqueArray(fc.record({ uid: fc.constantFrom('a', 'b', 'c'), status }), { selector: ({ uid }) => uid, maxLength: 3 });
    const looks = fc.array(fc.record({ pods, there: fc.boolean() }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(looks, (list) => {
        let rank = newRank(0);
        for (const { pods: seen, there } of list) {
          const before = rank;
          const views = seen.map(({ uid, status: now }) => pod(uid, now));
          rank = look(before, views, 1, there ? JOB : null);
          expect(look(rank, views, 1, there ? JOB : null)).toEqual(rank);
          if (before.ranPodUid !== null) expect(rank.ranPodUid).toBe(before.ranPodUid);
          if (before.gone) expect(rank.gone).toBe(true);
        }
      }),
    );
  });
});
