import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABELS } from './labels.js';
import { planSweep, runKey, sweptObject, undecidedRuns } from './sweep-plan.js';
import type { SweptObject, WorkflowFate } from './sweep-plan.js';

const NOW = Date.parse('2026-05-01T10:00:00Z');
const MINUTE = 60_000;
const ORIGIN = { workflowId: 'repro/a', runToken: 'r1' };

function object(parts: Partial<SweptObject> = {}): SweptObject {
  return {
    ...{ collection: 'configmaps', name: 'xa', uid: 'u1', execution: 'xa', origin: ORIGIN },
    ...{ notAfter: NOW + MINUTE, deletedAt: null },
    ...parts,
  };
}

const fated = (fate: WorkflowFate) => new Map([[runKey(ORIGIN), fate]]);
const job = object({ collection: 'jobs', uid: 'u2' });
const pod = object({ collection: 'pods', name: 'xa-0', uid: 'u3' });

describe('the plan of a sweep', () => {
  it.each<WorkflowFate>(['open', 'unknown'])('keeps an execution whose workflow is %s until its time is over', (fate) => {
    expect(planSweep([object(), job, pod], NOW, fated(fate))).toEqual({ remove: [], kept: 1, findings: [] });
    const late = [object({ notAfter: NOW - 1 }), { ...job, notAfter: NOW - 1 }];
    expect(planSweep(late, NOW, fated(fate)).remove).toEqual([{ object: late[0], why: 'not-after' }]);
  });

  it('takes the execution of a closed workflow by its root alone', () => {
    expect(planSweep([pod, job, object()], NOW, fated('closed'))).toEqual({
      remove: [{ object: object(), why: 'workflow-closed' }],
      kept: 0,
      findings: [],
    });
  });

  it('knows nothing of the run of another workflow with the same id', () => {
    const other = object({ origin: { ...ORIGIN, runToken: 'r2' } });
    expect(planSweep([other], NOW, fated('closed'))).toMatchObject({ remove: [], kept: 1 });
  });

  it('takes what is left without its root one by one, but no pods', () => {
    const policy = object({ collection: 'networkpolicies', uid: 'u4' });
    const part = object({ name: 'xa-p0', uid: 'u5' });
    const plan = planSweep([pod, job, policy, part], NOW, fated('closed'));
    expect(plan.remove.map((one) => one.object.uid)).toEqual(['u2', 'u4', 'u5']);
    expect(planSweep([pod, job, policy, part], NOW, fated('open'))).toMatchObject({ remove: [], kept: 1 });
  });

  it('leaves alone what is being deleted, and tells of what does not go', () => {
    const leaving = [object({ deletedAt: NOW - MINUTE, notAfter: 0 }), { ...pod, deletedAt: NOW - 11 * MINUTE }];
    expect(planSweep(leaving, NOW, fated('closed'))).toEqual({
      remove: [],
      kept: 0,
      findings: ['pods/xa-0 is being deleted for 11 min and does not go'],
    });
  });

  it('tells of objects that do not say until when they are needed, and keeps them while nobody knows', () => {
    const nameless = object({ notAfter: null });
    const findings = ['configmaps/xa does not say until when it is needed'];
    expect(planSweep([nameless], NOW, new Map())).toEqual({ remove: [], kept: 1, findings });
    expect(planSweep([nameless], NOW, fated('closed')).remove).toHaveLength(1);
  });

  it('asks once for each run, and for none whose time is over', () => {
    const past = object({ execution: 'xb', name: 'xb', origin: { workflowId: 'b', runToken: 'r' }, notAfter: NOW - 1 });
    expect(undecidedRuns([object(), job, pod, past, object({ origin: null })], NOW)).toEqual([ORIGIN]);
  });

  it('never takes an execution before its time unless its workflow has closed, and never a pod', () => {
    const token = fc.constantFrom('r1', 'r2', 'r3');
    const anyObject = fc.record({
      collection: fc.constantFrom('pods' as const, 'jobs' as const, 'services' as const, 'configmaps' as const),
      name: fc.constantFrom('xa', 'xb', 'xa-p0'),
      uid: fc.uuid(),
      execution: fc.constantFrom('xa', 'xb'),
      origin: fc.option(fc.record({ workflowId: fc.constant('w'), runToken: token })),
      notAfter: fc.option(fc.integer({ min: NOW - 3, max: NOW + 3 })),
      deletedAt: fc.option(fc.integer({ min: NOW - 20 * MINUTE, max: NOW })),
    });
    const fates = fc.dictionary(token, fc.constantFrom<WorkflowFate>('open', 'closed', 'unknown'));
    fc.assert(
      fc.property(fc.array(anyObject), fates, (objects, by) => {
        const known = new Map(Object.entries(by).map(([runToken, fate]) => [runKey({ workflowId: 'w', runToken }), fate]));
        for (const { object: taken } of planSweep(objects, NOW, known).remove) {
          expect(taken.collection).not.toBe('pods');
          expect(taken.deletedAt).toBeNull();
          const isOver = taken.notAfter !== null && taken.notAfter < NOW;
          expect(isOver || (taken.origin !== null && by[taken.origin.runToken] === 'closed')).toBe(true);
          const isRoot = taken.collection === 'configmaps' && taken.name === taken.execution;
          const roots = objects.filter(
            (one) => one.collection === 'configmaps' && one.name === taken.execution && one.execution === one.name,
          );
          expect(isRoot || roots.length === 0).toBe(true);
        }
      }),
    );
  });
});

describe('an item of a list', () => {
  const metadata = {
    name: 'xa',
    uid: 'u1',
    labels: { [LABELS.execution]: 'xa', [LABELS.runToken]: 'r1' },
    annotations: { [LABELS.workflowId]: 'repro/a', [LABELS.notAfter]: '2026-05-01T10:01:00.000Z' },
  };

  it('is read', () => {
    expect(sweptObject('configmaps', { metadata })).toEqual(object());
  });

  it.each([[null], [{}], [{ metadata: { ...metadata, uid: 7 } }], [{ metadata: { ...metadata, labels: {} } }]])('is none: %j', (item) => {
    expect(sweptObject('configmaps', item)).toBeNull();
  });

  it('may lack its moment and its workflow, or say nothing that can be read', () => {
    const bare = { ...metadata, annotations: { [LABELS.notAfter]: 'soon' } };
    expect(sweptObject('jobs', { metadata: bare })).toMatchObject({ origin: null, notAfter: null });
  });
});
