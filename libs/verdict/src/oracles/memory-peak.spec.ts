import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const peak = { kind: 'memory_peak', op: '>', bytes: 1_000 };
const state = (oracle: object, records: Parameters<typeof ask>[1]) => ask(oracle, records).state;
const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };

describe('memory_peak', () => {
  it('is shown by an exit, a sample or an observation', () => {
    expect(state(peak, createEvidence().exit(0, { peakRssBytes: 2_000 }).build())).toBe('shown');
    expect(state(peak, createEvidence().sample(500).sample(1_500).sample(700).exit(0).build())).toBe('shown');
    expect(state({ ...peak, obs: 'used' }, createEvidence().obs({ used: 10 }).obs({ used: 1_001 }).exit(0).build())).toBe('shown');
    expect(state({ ...peak, op: '<' }, createEvidence().exit(0, { peakRssBytes: 999 }).build())).toBe('shown');
    expect(state(peak, createEvidence().sample(1_500).exit(null, cut).build())).toBe('shown');
  });

  it('is absent where a whole trial stays on the other side', () => {
    expect(state(peak, createEvidence().sample(900).exit(0, { peakRssBytes: 1_000 }).build())).toBe('absent');
    expect(state({ ...peak, obs: 'used' }, createEvidence().obs({ used: 10 }).exit(0, { peakRssBytes: 9_999 }).build())).toBe('absent');
    expect(state({ ...peak, op: '<=' }, createEvidence().exit(0, { peakRssBytes: 1_001 }).build())).toBe('absent');
  });

  it('is a collision where another failure came before the peak', () => {
    const failed = createEvidence()
      .exception({ frames: [frame('subject', 'a.py', 'f')] })
      .exit(1);
    expect(state(peak, failed.build())).toBe('collision');
  });

  it('is undecided where nothing tells, where a limit came first, and where shared pages count twice', () => {
    expect(state(peak, createEvidence().exit(0, { peakRssBytes: 0 }).build())).toBe('undecided');
    expect(state(peak, createEvidence().sample(900).exit(null, cut).build())).toBe('undecided');
    expect(state({ ...peak, obs: 'used' }, createEvidence().obs({ used: 'much' }).exit(0).build())).toBe('undecided');
    const forked = createEvidence().sample(800).sample(1_600, { processes: 2 }).exit(0, { peakRssBytes: 1_600 });
    expect(state(peak, forked.build())).toBe('undecided');
    expect(state({ ...peak, bytes: 700 }, forked.build())).toBe('shown');
    expect(state({ ...peak, bytes: 1_600 }, forked.build())).toBe('absent');
  });

  it('takes the exit of a rank for that process alone', () => {
    const ranks = createEvidence().sample(1_600, { processes: 2 }).exit(0, { rank: 0, peakRssBytes: 800 });
    expect(state(peak, ranks.exit(0, { rank: 1, pid: 11, peakRssBytes: 800 }).build())).toBe('undecided');
    const large = createEvidence().exit(0, { rank: 0, peakRssBytes: 1_800 });
    expect(state(peak, large.exit(0, { rank: 1, pid: 11, peakRssBytes: 100 }).build())).toBe('shown');
  });

  it('never shows a bound and its opposite', () => {
    const opposites = { '>': '<=', '<': '>=', '>=': '<', '<=': '>' } as const;
    const sample = fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 3 }));
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 5 }), fc.constantFrom('>', '<', '>=', '<=' as const), (samples, op) => {
        const evidence = samples.reduce((made, [rss, processes]) => made.sample(rss, { processes }), createEvidence());
        const records = evidence.exit(0, { peakRssBytes: 500 }).build();
        const states = [state({ ...peak, op }, records), state({ ...peak, op: opposites[op] }, records)];
        expect(states.filter((one) => one === 'shown').length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
