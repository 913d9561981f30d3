import { describe, expect, it } from 'vitest';
import type { Launch } from '@reenact/domain';
import { renderBisections, searchesOf, toRow, weighBisections } from './run-bisect-bench.js';
import type { BisectRow } from './run-bisect-bench.js';
import { renderMinimised, toMinimiseRow, weighMinimised } from './run-minimise-bench.js';

const search = { rate: 0.3, number: 0, firstBad: 7 };
const said = (...labels: string[]) => ({
  status: 'found' as const,
  culprit: labels.length === 0 ? null : { candidates: labels.map((label) => ({ value: 'v', label })), probability: 0.95 },
  trials: 40,
  seconds: 12.345,
});

describe('searchesOf', () => {
  it('gives the same culprits for the same seed, each with a commit before it', () => {
    const searches = searchesOf(64, 10, 5);
    expect(searchesOf(64, 10, 5)).toEqual(searches);
    expect(searchesOf(64, 10, 6)).not.toEqual(searches);
    expect(searches.filter(({ rate }) => rate === 1)).toHaveLength(4);
    expect(searches.filter(({ rate }) => rate === 0.3)).toHaveLength(10);
    for (const { firstBad } of searchesOf(2, 30, 1)) expect(firstBad).toBe(1);
  });
});

describe('a search held against its culprit', () => {
  it.each([
    ['exact', ['0123456789ab change 7']],
    ['range', ['a change 6', 'b change 7']],
    ['wrong', ['a change 17']],
    ['wrong', ['a change 6']],
    ['none', []],
  ])('is %s where it names %j', (answer, labels) => {
    expect(toRow(search, said(...labels))).toMatchObject({ answer, trials: 40, seconds: 12.3 });
  });

  it('holds with every exact one at a rate of 1 and nine of ten below', () => {
    const rows = (rate: number, answers: string) =>
      [...answers].map((sign, number): BisectRow => ({
        ...toRow({ ...search, rate, number }, said('a change 7')),
        answer: sign === '+' ? 'exact' : sign === '-' ? 'wrong' : 'none',
      }));
    const weigh = (always: string, chance: string, commits = 64) => weighBisections([...rows(1, always), ...rows(0.3, chance)], commits);
    expect(weigh('++', '+++++++++-')).toMatchObject({ holds: true, byChance: { tries: 10, exact: 9, wrong: 1 } });
    expect(weigh('++', '++++++++--').holds).toBe(false);
    expect(weigh('+o', '++++++++++').holds).toBe(false);
    expect(weigh('++', '+++++++++').holds).toBe(false);
    expect(weigh('', '++++++++++').holds).toBe(false);
    expect(weigh('++', '++++++++++', 59).holds).toBe(false);
    expect(renderBisections({ schemaVersion: 1, seed: 1, ...weigh('++', '++++++++--') })).toContain('in 8 of 10, another commit in 2');
  });
});

describe('a bundle and its smaller form', () => {
  const launch = (ranks: number): Launch => ({ steps: [{ argv: ['python', '@script/repro.py'], ranks }] }) as unknown as Launch;
  const bundle = (text: string, verdict: 'reproduced' | 'not_shown' = 'reproduced', grade: 'A' | 'B' | null = 'A', ranks = 1) => ({
    candidate: { files: [{ path: 'repro.py', text }], launch: launch(ranks) } as never,
    verdict: { verdict, grade, trials: 9, seconds: 3 },
  });
  const compare = (smaller: ReturnType<typeof bundle>) => toMinimiseRow('a', bundle('a = 8\n\nb = 2\nc(a)\n'), smaller, 12);

  it('holds where it is smaller, shown and of no lower grade', () => {
    expect(compare(bundle('a = 8\nc(a)\n'))).toMatchObject({
      holds: true,
      before: { lines: 3 },
      after: { lines: 2 },
      rewrittenLines: 0,
      variants: 12,
    });
    expect(compare(bundle('a = 2\nb = 2\nc(a)\n'))).toMatchObject({ holds: true, rewrittenLines: 1 });
    expect(compare(bundle('c(8)\n', 'reproduced', 'B')).holds).toBe(false);
    expect(compare(bundle('c(8)\n', 'reproduced', null)).holds).toBe(false);
    expect(compare(bundle('c(8)\n', 'not_shown')).holds).toBe(false);
    expect(compare(bundle('a = 8\n\nb = 2\nc(a)\n')).holds).toBe(false);
    expect(compare(bundle('a = 8\nb = 2\nc(a)\nd = 1\n')).holds).toBe(false);
  });

  it('counts fewer ranks as smaller and says so', () => {
    const row = toMinimiseRow('a', bundle('a\n', 'reproduced', 'A', 8), bundle('a\n', 'reproduced', 'A', 2), 1);
    expect(row).toMatchObject({ holds: true, launch: 'python @script/repro.py × 8 → python @script/repro.py × 2' });
  });

  it('asks all that were reproduced to be smaller, and six of them', () => {
    const good = compare(bundle('c(8)\n'));
    const bad = compare(bundle('c(8)\n', 'not_shown'));
    const none = toMinimiseRow('b', bundle('a\n', 'not_shown', null), null, 0);
    const many = Array.from({ length: 6 }, () => good);
    expect(weighMinimised([...many, none])).toMatchObject({ holds: true, minimised: 6 });
    expect(weighMinimised([...many, bad]).holds).toBe(false);
    expect(weighMinimised(many.slice(1)).holds).toBe(false);
    const told = renderMinimised({ schemaVersion: 1, ...weighMinimised([...many, bad, none]) });
    expect(told).toContain('reproduced → not_shown');
    expect(told).toContain('nothing to make smaller');
  });
});
