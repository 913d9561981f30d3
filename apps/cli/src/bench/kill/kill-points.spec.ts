import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededDraws } from '@reenact/domain';
import { spreadKillPoints } from './kill-points.js';
import type { StoryMark } from './kill-points.js';

const MARKS: StoryMark[] = [1, 1.1, 1.4, 3, 8].map((seconds, index) => ({
  key: `run-${index}`,
  phase: ['intake', 'subject', 'claim', 'verify', 'done'][index] ?? '',
  seconds,
}));
const STORY = { marks: MARKS, totalSeconds: 9 };

describe('spreadKillPoints', () => {
  it('visits every phase with every target when there are points enough', () => {
    const points = spreadKillPoints(90, STORY, seededDraws(7));
    for (const target of ['cli', 'worker', 'server']) {
      const gaps = points.filter((point) => point.target === target).map((point) => point.event);
      expect(new Set(gaps)).toEqual(new Set([-1, 0, 1, 2, 3, 4]));
    }
  });

  it('visits every phase in a short row of points, however short the phase', () => {
    const points = spreadKillPoints(15, STORY, seededDraws(3));
    expect(new Set(points.map((point) => point.event))).toEqual(new Set([-1, 0, 1, 2, 3, 4]));
  });

  it('gives the same points for the same seed', () => {
    expect(spreadKillPoints(12, STORY, seededDraws(1))).toEqual(spreadKillPoints(12, STORY, seededDraws(1)));
    expect(spreadKillPoints(12, STORY, seededDraws(1))).not.toEqual(spreadKillPoints(12, STORY, seededDraws(2)));
  });

  it('stays inside the gap that it names', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 1e6 }), (count, seed) => {
        const starts = [0, ...MARKS.map((mark) => mark.seconds), STORY.totalSeconds];
        const points = spreadKillPoints(count, STORY, seededDraws(seed));
        return (
          points.length === count &&
          points.every((point) => {
            const from = starts[point.event + 1] ?? NaN;
            const to = starts[point.event + 2] ?? NaN;
            return point.delaySeconds >= 0 && from + point.delaySeconds <= to + 1e-9 && point.cold === (point.event === -1);
          })
        );
      }),
    );
  });
});
