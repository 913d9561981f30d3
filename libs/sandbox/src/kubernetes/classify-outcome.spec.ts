import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyOutcome, SUPERVISOR_FAILURES } from './classify-outcome.js';
import { OUTCOME_CLASSES } from './outcome-class.js';
import type { OutcomeClass } from './outcome-class.js';
import type { RankObservation } from './rank-observation.js';
import { condition, endedPod, observation, POD_UID, waitingPod, wholeEnd } from './testing/observations.js';

const disruption = (reason: string, offset = 0) => [condition('DisruptionTarget', reason, offset)];
const node = (parts: Partial<RankObservation['node']>) => ({ ...observation().node, ...parts });
const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'Insufficient nvidia.com/gpu' };

/** One line a fact of the table: its row, what was seen, its class. */
const TABLE: [string, Partial<RankObservation>, OutcomeClass][] = [
  ['1 cancelled', { cancelled: true }, 'cancelled'],
  ['1 cancelled though it finished', { cancelled: true, pod: endedPod(0), end: wholeEnd() }, 'cancelled'],
  ['2 gone without a result', { gone: true }, 'infra-lost'],
  ['2 gone with an earlier result', { gone: true, pod: endedPod(0), end: wholeEnd() }, 'script'],
  ['3 second pod', { laterPodUids: ['pod-2'] }, 'infra-duplicate'],
  ['3 second pod after the first had its result', { laterPodUids: ['pod-2'], pod: endedPod(0), end: wholeEnd() }, 'script'],
  ['3 suspended while it ran', { job: { suspended: true, conditions: [] } }, 'infra-preempted'],
  ['4 preempted', { pod: endedPod(137, 'Error', { conditions: disruption('PreemptionByScheduler') }) }, 'infra-disrupted'],
  ['4 tainted', { pod: endedPod(75, 'Error', { conditions: disruption('DeletionByTaintManager') }) }, 'infra-disrupted'],
  ['4 drained', { pod: endedPod(75, 'Error', { conditions: disruption('EvictionByEvictionAPI') }) }, 'infra-disrupted'],
  ['4 collected', { pod: { phase: 'Failed', conditions: disruption('DeletionByPodGC') } }, 'infra-disrupted'],
  ['4 node shut down', { pod: endedPod(137, 'Error', { reason: 'Terminated' }) }, 'infra-disrupted'],
  ['4 node lost', { pod: { phase: 'Running', reason: 'NodeLost' } }, 'infra-disrupted'],
  ['4 before the end', { pod: endedPod(0, 'Completed', { conditions: disruption('x', -1) }), end: wholeEnd() }, 'infra-disrupted'],
  ['4 at the end, within the clocks', { pod: endedPod(0, 'x', { conditions: disruption('x', 5) }), end: wholeEnd() }, 'infra-disrupted'],
  ['4 after the end', { pod: endedPod(0, 'Completed', { conditions: disruption('x', 6) }), end: wholeEnd() }, 'script'],
  ['5 device plugin', { ranPodUid: null, pod: { phase: 'Failed', reason: 'UnexpectedAdmissionError' } }, 'infra-node-admission'],
  ['5 full', { ranPodUid: null, pod: { phase: 'Failed', reason: 'OutOfcpu' } }, 'infra-node-admission'],
  ['5 affinity', { ranPodUid: null, pod: { phase: 'Failed', reason: 'NodeAffinity' } }, 'infra-node-admission'],
  [
    '5 pressure at admission',
    { ranPodUid: null, pod: { phase: 'Failed', reason: 'Evicted', message: 'The node had condition: [DiskPressure]. ' } },
    'infra-node-admission',
  ],
  ['6 429', { ranPodUid: null, pod: waitingPod('ImagePullBackOff', 'unexpected status: 429 Too Many Requests') }, 'infra-image'],
  ['6 503', { ranPodUid: null, pod: waitingPod('ErrImagePull', 'unexpected status code: 503 Service Unavailable') }, 'infra-image'],
  ['6 time-out', { ranPodUid: null, pod: waitingPod('ErrImagePull', 'dial tcp 10.0.0.1:443: i/o timeout') }, 'infra-image'],
  ['6 unknown words', { ranPodUid: null, pod: waitingPod('ImagePullBackOff', 'Back-off pulling image') }, 'infra-image'],
  ['7 no such image', { ranPodUid: null, pod: waitingPod('ErrImagePull', 'failed to resolve: registry/x: not found') }, 'config'],
  ['7 no right', { ranPodUid: null, pod: waitingPod('ErrImagePull', 'unexpected status: 401 Unauthorized') }, 'config'],
  ['7 image name', { ranPodUid: null, pod: waitingPod('InvalidImageName', 'couldn’t parse image reference') }, 'config'],
  ['7 config map', { ranPodUid: null, pod: waitingPod('CreateContainerConfigError', 'configmap "x" not found') }, 'config'],
  ['7 no such program', { pod: endedPod(128, 'StartError') }, 'config'],
  ['7 webhook refuses', { ranPodUid: null, refusals: ['admission webhook "p" denied the request: no'] }, 'config'],
  ['7 no account', { ranPodUid: null, refusals: ['error looking up service account reenact-runs/reenact-run'] }, 'config'],
  ['8 quota', { ranPodUid: null, refusals: ['pods "x" is forbidden: exceeded quota: q, requested: pods=1'] }, 'capacity'],
  ['8 no node', { ranPodUid: null, overdue: 'scheduling', pod: { phase: 'Pending', conditions: [unscheduled] } }, 'capacity'],
  ['8 no scheduler', { ranPodUid: null, overdue: 'scheduling', pod: { phase: 'Pending' } }, 'capacity'],
  ['8 put aside', { ranPodUid: null, workloadInactive: true }, 'capacity'],
  ['9 configuration', { pod: endedPod(64, 'Error') }, 'harness'],
  ['9 checksum', { pod: endedPod(65, 'Error') }, 'harness'],
  ['9 supervisor', { pod: endedPod(70, 'Error') }, 'harness'],
  ['10 preflight', { pod: endedPod(66, 'Error') }, 'infra-gpu'],
  ['10 peers', { pod: endedPod(67, 'Error') }, 'infra-net'],
  [
    '11 pressure',
    {
      pod: endedPod(137, 'Error', {
        reason: 'Evicted',
        message: 'The node was low on resource: memory. ',
        conditions: disruption('TerminationByKubelet'),
      }),
    },
    'infra-node-pressure',
  ],
  [
    '11 pressure, but the supervisor had finished long before',
    {
      pod: endedPod(0, 'Completed', {
        reason: 'Evicted',
        message: 'The node was low on resource: memory. ',
        conditions: disruption('TerminationByKubelet', 60),
      }),
      end: wholeEnd(),
    },
    'script',
  ],
  [
    '12 pod disk',
    {
      pod: endedPod(137, 'Error', {
        reason: 'Evicted',
        message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
      }),
    },
    'script-disk',
  ],
  [
    '12 volume',
    { pod: endedPod(137, 'Error', { reason: 'Evicted', message: 'Usage of EmptyDir volume "scratch" exceeds the limit "1Gi". ' }) },
    'script-disk',
  ],
  [
    '12 container disk',
    { pod: endedPod(137, 'Error', { reason: 'Evicted', message: 'Container runner exceeded its local ephemeral storage limit "1Gi". ' }) },
    'script-disk',
  ],
  ['12 evicted with other words', { pod: endedPod(137, 'Error', { reason: 'Evicted', message: 'x' }) }, 'infra-disrupted'],
  ['13 finished', { pod: endedPod(0, 'Completed'), end: wholeEnd() }, 'script'],
  ['13 finished, kubelet lags', { pod: { phase: 'Running' }, end: wholeEnd() }, 'script'],
  ['13 OOMKilled is cumulative', { pod: endedPod(0, 'OOMKilled'), end: wholeEnd() }, 'script'],
  ['13 killed after its last word', { pod: endedPod(137, 'Error'), end: wholeEnd() }, 'script'],
  ['13 broken GPU', { pod: endedPod(0), end: wholeEnd(), node: node({ xids: [31, 79] }) }, 'infra-gpu'],
  ['13 a program’s own Xid', { pod: endedPod(0), end: wholeEnd(), node: node({ xids: [13, 31, 43] }) }, 'script'],
  ['13 lost GPU', { pod: endedPod(0), end: wholeEnd(), node: node({ nvmlLost: true }) }, 'infra-gpu'],
  ['13 shared memory', { pod: endedPod(0), end: wholeEnd(), node: node({ sharedMemoryFull: true }) }, 'resource-misfit'],
  ['14 out of memory', { pod: endedPod(137, 'OOMKilled') }, 'script-oom-host'],
  ['15 gVisor, memory full', { runtime: 'gvisor', pod: endedPod(128, 'Error'), node: node({ memoryShare: 0.95 }) }, 'oom-suspect'],
  ['15 gVisor, memory free', { runtime: 'gvisor', pod: endedPod(137, 'Error'), node: node({ memoryShare: 0.5 }) }, 'infra-sigkill-unknown'],
  ['15 other runtime', { pod: endedPod(137, 'Error'), node: node({ memoryShare: 0.95 }) }, 'infra-sigkill-unknown'],
  ['16 stopped', { pod: endedPod(75, 'Error') }, 'infra-stopped'],
  ['16 stopped with a frame', { pod: endedPod(0), end: wholeEnd('stopped') }, 'infra-stopped'],
  ['17 deadline', { job: { suspended: false, conditions: [condition('Failed', 'DeadlineExceeded')] } }, 'supervisor-lost'],
  ['17 silence', { overdue: 'run', pod: { phase: 'Running' } }, 'supervisor-lost'],
  ['18 killed', { pod: endedPod(137, 'Error') }, 'infra-sigkill-unknown'],
  ['18 status unknown', { pod: endedPod(137, 'ContainerStatusUnknown') }, 'infra-sigkill-unknown'],
  ['19 log cut', { pod: endedPod(0, 'Completed') }, 'log-incomplete'],
  ['19 log torn', { pod: endedPod(0, 'Completed'), end: { state: 'broken', problem: 'frame 7 is missing' } }, 'log-incomplete'],
  ['19 log of another pod', { pod: endedPod(0), end: { state: 'whole', podUid: 'pod-2', kind: 'finished' } }, 'log-incomplete'],
  ['20 no controller', { ranPodUid: null, overdue: 'creation' }, 'infra-control-plane'],
  [
    '20 webhook silent',
    { ranPodUid: null, refusals: ['Internal error occurred: failed calling webhook "p": timeout'] },
    'infra-control-plane',
  ],
  ['21 isolation', { pod: endedPod(68, 'Error') }, 'infra-isolation'],
  ['21 isolation, whatever else it wrote', { pod: endedPod(68, 'Error'), end: wholeEnd() }, 'infra-isolation'],
  ['22 runtime died', { pod: endedPod(255, 'Unknown') }, 'infra-unknown'],
  ['22 supervisor crashed', { pod: endedPod(1, 'Error') }, 'infra-unknown'],
  ['22 supervisor faulted', { pod: endedPod(139, 'Error') }, 'infra-unknown'],
  ['22 runtime busy', { ranPodUid: null, overdue: 'start', pod: waitingPod('CreateContainerError', 'deadline exceeded') }, 'infra-unknown'],
  ['22 start overdue for no known reason', { ranPodUid: null, overdue: 'start', pod: { phase: 'Pending' } }, 'infra-unknown'],
];

describe('the table of outcomes', () => {
  it.each(TABLE)('%s', (_, parts, expected) => {
    expect(classifyOutcome(observation(parts)).class).toBe(expected);
  });

  it('has a line for every class', () => {
    const seen = new Set(TABLE.map(([, , name]) => name));
    expect([...Object.keys(OUTCOME_CLASSES)].filter((name) => !seen.has(name as OutcomeClass))).toEqual([]);
  });

  it('says in printable words what was seen', () => {
    const evil = endedPod(137, 'Error', { reason: 'Evicted', message: `\u001b[2J was low on resource ${'x'.repeat(9000)}` });
    const { detail } = classifyOutcome(observation({ pod: evil }));
    expect(detail).toMatch(/^evicted: {2}\[2J was low/);
    expect(detail.length).toBe(300);
  });
});

const reasons = ['Completed', 'Error', 'OOMKilled', 'ContainerStatusUnknown', 'StartError', 'Unknown', 'DeadlineExceeded'];
const codes = [0, 1, 2, 64, 65, 66, 67, 68, 70, 75, 126, 127, 128, 134, 137, 139, 143, 255];
const conditions = [[], disruption('PreemptionByScheduler', -60), disruption('TerminationByKubelet', 0), disruption('DeletionByPodGC', 60)];
const podReasons = [undefined, 'Evicted', 'NodeLost', 'Terminated', 'Preempting'];
const ends: RankObservation['end'][] = [
  { state: 'missing' },
  { state: 'broken', problem: 'x' },
  wholeEnd(),
  wholeEnd('stopped'),
  { state: 'whole', podUid: 'pod-2', kind: 'finished' },
];

describe('every reason, exit code, condition and END', () => {
  const all = reasons.flatMap((reason) =>
    codes.flatMap((code) =>
      conditions.flatMap((shown) => podReasons.flatMap((podReason) => ends.map((end) => ({ reason, code, shown, podReason, end })))),
    ),
  );
  const may = ({ reason, code, shown, podReason, end }: (typeof all)[number]): boolean =>
    end === ends[2] &&
    (shown === conditions[0] || shown === conditions[3]) &&
    (podReason === undefined || podReason === 'Evicted') &&
    SUPERVISOR_FAILURES[code] === undefined &&
    reason !== 'StartError';

  it('is judged only with the END of its pod, and without a sign of the cluster before it', () => {
    const outcomeOf = ({ reason, code, shown, podReason, end }: (typeof all)[number]): string => {
      const pod = endedPod(code, reason, { conditions: shown, ...(podReason === undefined ? {} : { reason: podReason }) });
      return classifyOutcome(observation({ pod, end })).outcome;
    };
    expect(all.filter((one) => outcomeOf(one) !== (may(one) ? 'finished' : 'infra'))).toEqual([]);
    expect([all.length, all.filter(may).length]).toEqual([12_600, 6 * 12 * 2 * 2]);
  });
});

const anyCondition = fc.record({
  type: fc.constantFrom('DisruptionTarget', 'PodScheduled', 'Ready'),
  status: fc.constantFrom('True', 'False', 'Unknown'),
  reason: fc.constantFrom('PreemptionByScheduler', 'TerminationByKubelet', 'Unschedulable'),
  lastTransitionTime: fc.constantFrom('2026-05-01T09:00:00Z', '2026-05-01T10:00:00Z', '2026-05-01T11:00:00Z', 'never', null),
});
const anyObservation: fc.Arbitrary<RankObservation> = fc.record({
  cancelled: fc.boolean(),
  gone: fc.boolean(),
  job: fc.option(fc.record({ suspended: fc.boolean(), conditions: fc.array(anyCondition, { maxLength: 2 }) })),
  ranPodUid: fc.constantFrom(POD_UID, 'pod-2', null),
  laterPodUids: fc.subarray(['pod-3']),
  pod: fc.option(
    fc
      .tuple(
        fc.constantFrom(...codes),
        fc.constantFrom(...reasons),
        fc.record({ reason: fc.constantFrom('Evicted', 'NodeLost', 'OutOfcpu', ''), conditions: fc.array(anyCondition, { maxLength: 3 }) }),
      )
      .map(([code, reason, pod]) => endedPod(code, reason, pod)),
  ),
  end: fc.constantFrom(...ends),
  overdue: fc.constantFrom('none', 'creation', 'scheduling', 'start', 'run'),
  refusals: fc.array(fc.constantFrom('exceeded quota', 'denied', 'failed calling webhook'), { maxLength: 2 }),
  workloadInactive: fc.boolean(),
  runtime: fc.constantFrom('runc', 'gvisor', 'kata'),
  node: fc.record({
    xids: fc.array(fc.integer({ min: 1, max: 130 }), { maxLength: 2 }),
    nvmlLost: fc.boolean(),
    sharedMemoryFull: fc.boolean(),
    memoryShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  }),
});

describe('any observation', () => {
  it('is judged never without the END frame of the pod that ran first', () => {
    fc.assert(
      fc.property(anyObservation, (rank) => {
        if (classifyOutcome(rank).outcome !== 'finished') return true;
        return !rank.cancelled && rank.end.state === 'whole' && rank.end.kind === 'finished' && rank.end.podUid === rank.ranPodUid;
      }),
      { numRuns: 2_000 },
    );
  });

  it('is judged never once a disruption is added that is not surely later', () => {
    const early = fc.constantFrom('2026-05-01T09:59:00Z', '2026-05-01T10:00:04Z', null);
    fc.assert(
      fc.property(anyObservation, early, (rank, lastTransitionTime) => {
        const pod = rank.pod ?? {};
        const added = { type: 'DisruptionTarget', status: 'True', reason: 'x', lastTransitionTime };
        return classifyOutcome({ ...rank, pod: { ...pod, conditions: [...(pod.conditions ?? []), added] } }).outcome !== 'finished';
      }),
      { numRuns: 2_000 },
    );
  });

  it('has one class, which does not hang on the order of its conditions', () => {
    fc.assert(
      fc.property(anyObservation, (rank) => {
        const one = classifyOutcome(rank);
        const row = OUTCOME_CLASSES[one.class];
        const turned = rank.pod === null ? null : { ...rank.pod, conditions: [...(rank.pod.conditions ?? [])].reverse() };
        return row.outcome === one.outcome && row.next === one.next && classifyOutcome({ ...rank, pod: turned }).outcome === one.outcome;
      }),
      { numRuns: 2_000 },
    );
  });
});
