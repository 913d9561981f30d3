import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

type Direction = 'rises' | 'falls' | 'does-not-fall' | 'does-not-rise';
const trend = (direction: Direction, extra: object = {}) => ({ kind: 'trend', name: 'loss', direction, ...extra });
const values = (length: number, value: (index: number) => number) => Array.from({ length }, (_unused, index) => value(index));
const observed = (series: number[], every = 1) =>
  series.reduce((evidence, loss, index) => evidence.obs({ loss, step: index * every }), createEvidence());
const state = (oracle: object, series: number[], every = 1) => ask(oracle, observed(series, every).exit(0).build()).state;
/** A fixed scatter between -1 and 1, without a rhythm. */
const scatter = (index: number) => 2 * ((((Math.sin(index * 12.9898) * 43_758.5453) % 1) + 1) % 1) - 1;
const cut = (endedBy: 'wall-limit' | 'memory-limit') => ({ signal: 'SIGKILL', endedBy });

describe('trend', () => {
  it('shows a rise and a fall beyond the scatter', () => {
    expect(
      state(
        trend('rises'),
        values(30, (at) => 1 + 0.1 * at + 0.2 * scatter(at)),
      ),
    ).toBe('shown');
    expect(
      state(
        trend('falls'),
        values(30, (at) => 9 - 0.1 * at + 0.2 * scatter(at)),
      ),
    ).toBe('shown');
    expect(
      state(
        trend('rises'),
        values(30, () => 1),
      ),
    ).toBe('absent');
    expect(
      state(
        trend('rises'),
        values(30, (at) => 9 - 0.1 * at),
      ),
    ).toBe('absent');
    expect(
      state(
        trend('falls'),
        values(30, (at) => 100 + 0.1 * scatter(at)),
      ),
    ).toBe('absent');
    expect(
      state(
        trend('rises'),
        values(12, (at) => 1 + scatter(at)),
      ),
    ).toBe('undecided');
  });

  it('shows that a series does not fall only where no fall is compatible with it', () => {
    expect(
      state(
        trend('does-not-fall'),
        values(30, (at) => 2.3 + 0.01 * scatter(at)),
      ),
    ).toBe('shown');
    expect(
      state(
        trend('does-not-fall'),
        values(30, (at) => 2.3 + 0.1 * at),
      ),
    ).toBe('shown');
    expect(
      state(
        trend('does-not-rise'),
        values(30, () => 0.1),
      ),
    ).toBe('shown');
    expect(
      state(
        trend('does-not-fall'),
        values(30, (at) => 2.3 * 0.9 ** at),
      ),
    ).toBe('absent');
    expect(
      state(
        trend('does-not-rise'),
        values(30, (at) => 0.1 + 0.02 * at),
      ),
    ).toBe('absent');
    expect(
      state(
        trend('does-not-fall'),
        values(12, (at) => 1 + scatter(at)),
      ),
    ).toBe('undecided');
  });

  it('takes no plateau after a large fall for a series that never fell', () => {
    const settled = (first: number, level: number) => values(40, (at) => (at < 2 ? first : level + 0.001 * scatter(at)));
    const stays = (series: number[], direction: Direction = 'does-not-fall') => state(trend(direction), series);
    expect(stays(values(30, (at) => 5.8 * 0.1 ** at + 0.01))).toBe('absent');
    expect(stays(settled(2, 0.9))).toBe('absent');
    expect(stays(settled(2, 1.1))).toBe('shown');
    expect(stays(values(40, (at) => (at < 2 ? 2 : 1)))).toBe('shown');
    expect(stays(settled(0.1, 2))).toBe('shown');
    expect(stays(settled(0.1, 0.9), 'does-not-rise')).toBe('absent');
    expect(stays(settled(0.3, 0.4), 'does-not-rise')).toBe('shown');
    expect(stays(settled(2, -1))).toBe('absent');
  });

  it('takes growth of memory for a leak only from 1 % in 100 steps on, and where it goes on', () => {
    const leak = trend('rises', { memory: true });
    expect(
      state(
        leak,
        values(40, (at) => 1_000 + at),
      ),
    ).toBe('shown');
    expect(
      state(
        leak,
        values(40, (at) => 1_000 + 0.05 * at),
      ),
    ).toBe('absent');
    expect(
      state(
        leak,
        values(40, (at) => 1_000 + Math.min(at, 15) * 20),
      ),
    ).toBe('absent');
    expect(
      state(
        leak,
        values(40, (at) => 1_000 + at),
        10_000,
      ),
    ).toBe('absent');
    expect(
      state(
        leak,
        values(8, (at) => 1_000 + at),
      ),
    ).toBe('undecided');
  });

  it('reads printed metrics, of one name and one stream', () => {
    const printing = (line: (at: number) => string) =>
      values(20, (at) => at).reduce((evidence, at) => evidence.stdout(line(at)), createEvidence());
    const shown = (line: (at: number) => string) => ask(trend('rises'), printing(line).exit(0).build()).state;
    expect(shown((at) => `step ${at} loss ${(1 + at / 10).toFixed(2)}`)).toBe('shown');
    expect(shown((at) => `train/loss=${(1 + at / 10).toFixed(2)}`)).toBe('shown');
    expect(shown((at) => `loss ${(2 - at / 100).toFixed(2)} lr ${at}`)).toBe('absent');
    expect(shown((at) => `${at % 2 === 0 ? 'train' : 'val'} loss ${(1 + at / 10).toFixed(2)}`)).toBe('undecided');
    expect(shown((at) => `loss ${(1 + at / 10).toFixed(2)} val loss 7.0`)).toBe('undecided');
  });

  it('leaves the warm-up out', () => {
    const warm = values(40, (at) => (at < 4 ? 9_000 : 1_000 + at));
    expect(state(trend('rises'), warm)).toBe('shown');
    expect(state(trend('rises', { warmUpShare: 0.9 }), warm)).toBe('undecided');
  });

  it('watches resident memory by itself', () => {
    const oracle = { kind: 'trend', of: 'rss' };
    const sampled = (rss: (at: number) => number, processes: (at: number) => number = () => 1) =>
      values(40, (at) => at).reduce(
        (made, at) => made.sample(Math.round(rss(at)), { t: at * 0.3, processes: processes(at) }),
        createEvidence(),
      );
    const seen = (...made: Parameters<typeof sampled>) =>
      ask(
        oracle,
        sampled(...made)
          .exit(0)
          .build(),
      ).state;
    expect(seen((at) => 1e8 + at * 1e6)).toBe('shown');
    expect(seen((at) => 1e8 + at * 1e3)).toBe('absent');
    expect(seen((at) => Math.min(4e8, 1e8 + at * 4e7))).toBe('absent');
    expect(
      seen(
        (at) => (at < 20 ? 1e8 : 3e8),
        (at) => (at < 25 ? 1 : 3),
      ),
    ).not.toBe('shown');
    expect(
      ask(
        oracle,
        sampled((at) => 1e8 + at * 1e6)
          .exit(null, cut('memory-limit'))
          .build(),
      ).state,
    ).toBe('shown');
  });

  it('is undecided by few values, several ranks, nan, or a cut; and a collision after another failure', () => {
    const rising = values(30, (at) => 1 + at);
    expect(state(trend('rises'), rising.slice(0, 7))).toBe('undecided');
    expect(state(trend('rises'), [...rising, NaN])).toBe('undecided');
    expect(ask(trend('rises'), observed(rising).exit(null, cut('wall-limit')).build()).state).toBe('undecided');
    const mixed = rising.reduce((evidence, loss, rank) => evidence.obs({ loss, rank: rank % 2 }), createEvidence());
    expect(ask(trend('rises'), mixed.exit(0).build()).state).toBe('undecided');
    expect(ask(trend('rises', { where: { rank: 1 } }), mixed.exit(0).build()).state).toBe('shown');
    const failed = createEvidence().exception({ frames: [frame('subject', 'a.py', 'f')] });
    expect(ask(trend('rises'), failed.exit(1).build()).state).toBe('collision');
  });

  it('never shows a direction and its opposite', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 25 }), (series) => {
        const shown = (direction: Direction) => state(trend(direction), series) === 'shown';
        expect(shown('rises') && shown('falls')).toBe(false);
        expect(shown('rises') && state(trend('does-not-rise'), series) === 'absent' && shown('falls')).toBe(false);
      }),
      { numRuns: 40 },
    );
  });
});
