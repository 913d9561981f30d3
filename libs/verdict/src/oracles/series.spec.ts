import { describe, expect, it } from 'vitest';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { createEvidence } from '../testing/index.js';
import { namedSeries, rssSeries } from './series.js';

type Evidence = ReturnType<typeof createEvidence>;
const series = (evidence: Evidence, where?: Record<string, number>, name = 'loss') =>
  namedSeries(name, where, createEvidenceView(evidence.build()));
const points = (evidence: Evidence, where?: Record<string, number>) => series(evidence, where).points.map(({ x, y }) => [x, y]);

describe('a named series', () => {
  it('stands over its steps where each has a greater one, else over the index', () => {
    const stepped = (...steps: (number | undefined)[]) => {
      const evidence = createEvidence();
      steps.forEach((step, index) => evidence.obs(step === undefined ? { loss: index + 5 } : { loss: index + 5, step }));
      return series(evidence).points.map(({ x }) => x);
    };
    expect(stepped(0, 10, 30)).toEqual([0, 10, 30]);
    expect(stepped(7)).toEqual([7]);
    expect(stepped(1, 1, 2)).toEqual([0, 1, 2]);
    expect(stepped(3, 2, 9)).toEqual([0, 1, 2]);
    expect(stepped(4, undefined, 9)).toEqual([0, 1, 2]);
    expect(stepped(undefined, 4, 9)).toEqual([0, 1, 2]);
    expect(stepped()).toEqual([]);
  });

  it('is the exact name before a longer one', () => {
    expect(points(createEvidence().obs({ 'val/loss': 1 }).obs({ Loss: 2 }))).toEqual([[0, 2]]);
    expect(points(createEvidence().obs({ 'val/loss': 1 }).obs({ acc: 2 }))).toEqual([[0, 1]]);
  });

  it('is printed only where none is observed and no condition is asked', () => {
    const both = createEvidence().stdout('loss: 1').obs({ loss: 2, fold: 1 });
    expect(points(both)).toEqual([[0, 2]]);
    expect(points(createEvidence().stdout('loss: 1'))).toEqual([[0, 1]]);
    expect(points(both, { fold: 2 })).toEqual([]);
    expect(points(createEvidence().stdout('loss: 1'), { fold: 1 })).toEqual([]);
    expect(points(createEvidence().obs({ loss: 1, fold: 0 }).obs({ loss: 2, fold: 1 }), { fold: 1 })).toEqual([[0, 2]]);
  });

  it('is of one process', () => {
    expect(series(createEvidence().obs({ loss: 1 }).obs({ loss: 2 }, { pid: 11 })).problem).toMatch('several processes');
    expect(series(createEvidence().obs({ loss: 1, rank: 0 }).obs({ loss: 2, rank: 1 })).problem).toMatch('several processes');
    expect(series(createEvidence().stdout('loss: 1').stderr('loss: 2')).problem).toMatch('several processes');
    expect(series(createEvidence().obs({ loss: 1 }).obs({ loss: 2 })).problem).toBeNull();
  });

  it('is of one quantity', () => {
    const two = 'more than one quantity is called so';
    expect(series(createEvidence().obs({ 'val/loss': 1 }).obs({ 'train/loss': 2 })).problem).toBe(two);
    expect(series(createEvidence().stdout('val loss 1').stdout('train loss 2')).problem).toBe(two);
    expect(series(createEvidence().stdout('Val loss 1').stdout('val Loss 2')).problem).toBeNull();
  });

  it('is one list on one line, or one value on each of several', () => {
    expect(series(createEvidence().obs({ loss: [1, 2, 3] }))).toMatchObject({ problem: null, points: [{ y: 1 }, { y: 2 }, { y: 3 }] });
    expect(
      series(
        createEvidence()
          .obs({ loss: [1, 2] })
          .obs({ loss: 3 }),
      ).problem,
    ).toBe('a line holds more than one value of that name');
    expect(series(createEvidence().obs({ loss: 1 }).obs({ loss: 2 })).problem).toBeNull();
    expect(series(createEvidence())).toEqual({ points: [], problem: null });
  });

  it('is finite', () => {
    for (const loss of ['nan', 'inf']) expect(series(createEvidence().obs({ loss: 1 }).obs({ loss })).problem).toMatch('not finite');
  });
});

describe('resident memory', () => {
  const memory = (...processes: number[]) => {
    const evidence = createEvidence();
    processes.forEach((count, index) => evidence.sample(100 + index, { processes: count }));
    return rssSeries(createEvidenceView(evidence.obs({ x: 1 }).build()));
  };

  it('is read while as many processes live as most of the time', () => {
    expect(memory(1, 2, 2).points.map(({ y }) => y)).toEqual([101, 102]);
    expect(memory(2, 2, 1).points.map(({ y }) => y)).toEqual([100, 101]);
    expect(memory(1, 2).points.map(({ y }) => y)).toEqual([100]);
    expect(memory()).toEqual({ points: [], problem: null });
  });

  it('stands over the seconds', () => {
    expect(memory(1).points).toEqual([{ x: 0.02, y: 100, seq: 2, text: '100 bytes after 0.0 s' }]);
  });
});
