import type { Arm, Lever } from '@reenact/domain';
import { leverWords } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { createEvidence, finishedTrial, judgeInput, observedFacet } from '../testing/index.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { checkStatement } from '../grounding/check-grounding.js';
import { ledgerTrial, type Ledger } from '../grounding/ledger.js';
import type { Judgement } from '../judgement/judge-input.js';
import { judgeWithLevers } from './judge-with-levers.js';
import { leverEnvironment, leversOf } from './levers.js';
import { planWithLevers } from './plan-with-levers.js';

const facet = observedFacet([{ kind: 'output', pattern: 'bad', flags: '', stream: 'any', atLeast: 1 }]);
const KINDS = ['hash-seed', 'threads', 'load'] as const;
type Shows = (arm: Arm, index: number, lever: Lever | undefined) => boolean;

/** Plays a verification as the workflow does; `shows` says whether a trial shows the symptom. */
function play(shows: Shows, { expectedRate = 1, controlled = true, seconds = 1, spoiled = (trial: JudgedTrial) => trial } = {}) {
  const controls = controlled ? [{ arm: 'fixed' as const, label: 'fix.patch' }] : [];
  const finished: JudgedTrial[] = [];
  for (let round = 0; round < 60; round += 1) {
    const input = judgeInput([facet], finished, { expectedRate, controls });
    const plan = planWithLevers({
      ...input,
      levers: KINDS,
      finished,
      controlArms: controls.map(({ arm }) => arm),
      tripwire: true,
    });
    if (plan.done) return { finished, verdict: judgeWithLevers({ ...input, levers: KINDS }) };
    for (const { arm, index, lever } of plan.trials) {
      const evidence = createEvidence().modules('train.py');
      if (arm === 'tripwire') evidence.notice('tripwire', 'sentinel-1 train.py:train');
      else evidence.stdout(shows(arm, index, lever) ? 'bad' : 'good');
      const records = evidence.exit(0).build();
      const trial = `${arm}-${index}-${lever === undefined ? '' : `${lever.kind}-${lever.value}`}`;
      finished.push(spoiled({ ...finishedTrial(arm, index, records, [facet]), trial, seconds, ...(lever === undefined ? {} : { lever }) }));
    }
  }
  throw new Error('the planner never ends');
}

/** Why clauses of the verdict do not follow from the trials. */
function strangers({ finished, verdict }: { finished: JudgedTrial[]; verdict: Judgement }, expectedRate = 1): string[] {
  const ledger: Ledger = {
    trials: new Map(finished.map((judged) => [judged.trial, ledgerTrial(judged, [])])),
    facets: [facet],
    expectedRate,
    labels: verdict.controls.map(({ arm, label }) => ({ arm, label })),
    findings: verdict.findings,
    scripts: [],
    environment: {},
    claim: null,
    reportText: null,
    attempts: [],
    judged: verdict,
    run: {},
  };
  return verdict.clauses.map((clause) => checkStatement(clause, ledger)).filter((why) => why !== null);
}

const under = (finished: JudgedTrial[], kind: Lever['kind'], arm: Arm = 'candidate') =>
  finished.filter((trial) => trial.arm === arm && trial.lever?.kind === kind).length;
const isEven = (arm: Arm, index: number) => arm === 'candidate' && index % 2 === 0;

describe('levers', () => {
  it('are not tried where every trial shows the symptom, where trials are slow, or where chance is not spoken of', () => {
    expect(play((arm) => arm === 'candidate').finished.every(({ lever }) => lever === undefined)).toBe(true);
    expect(play(isEven, { seconds: 10.1 }).finished.every(({ lever }) => lever === undefined)).toBe(true);
    expect(play(isEven, { seconds: 10 }).finished.some(({ lever }) => lever !== undefined)).toBe(true);
    expect(play(() => false).finished).toHaveLength(1);
  });

  it('name the hash seed that decides, with fresh trials of both seeds and of the control', () => {
    const { finished, verdict } = play((arm, index, lever) =>
      arm === 'candidate' && lever?.kind === 'hash-seed' ? lever.value === 2 || lever.value === 4 : isEven(arm, index),
    );
    expect(under(finished, 'hash-seed')).toBe(5 + 5 + 5);
    expect(under(finished, 'hash-seed', 'fixed')).toBe(4);
    expect(verdict.verdict).toBe('reproduced');
    expect(verdict.levers).toContainEqual({
      lever: { kind: 'hash-seed', value: 2 },
      under: { shown: 6, total: 6 },
      against: { shown: 0, total: 6 },
      otherSeed: 1,
      control: { shown: 0, total: 4 },
      effect: 'more',
      p: expect.closeTo(1 / 252, 6) as number,
      proven: true,
    });
    expect(verdict.sentence).toMatch(/; with PYTHONHASHSEED=2 in 6 of 6, with PYTHONHASHSEED=1 in 0 of 6\.$/);
    expect(verdict.rate.total).toBe(finished.filter(({ arm, lever }) => arm === 'candidate' && lever === undefined).length);
  });

  it('do not take chance for a seed', () => {
    const { verdict, finished } = play((arm, index, lever) =>
      lever?.value === 3 ? arm === 'candidate' && index !== 2 : isEven(arm, index),
    );
    const seeds = verdict.levers?.filter(({ lever }) => lever.kind === 'hash-seed') ?? [];
    expect(seeds.every(({ proven }) => !proven)).toBe(true);
    expect(verdict.sentence).not.toContain('PYTHONHASHSEED');
    expect(under(finished, 'hash-seed', 'fixed')).toBe(0);
  });

  it('say that load makes a fault come each time, and that one thread keeps it away', () => {
    const { verdict, finished } = play((arm, index, lever) => {
      if (arm !== 'candidate') return false;
      return lever?.kind === 'load' || (lever?.kind !== 'threads' && index % 2 === 0);
    });
    expect(verdict.sentence).toContain('with 2 busy processes per processor in 15 of 15, without it in 5 of 10');
    expect(verdict.levers?.map(({ lever, effect, proven }) => [lever.kind, effect, proven])).toContainEqual(['threads', 'less', true]);
    expect([under(finished, 'load'), under(finished, 'load', 'fixed'), under(finished, 'threads', 'fixed')]).toEqual([15, 4, 0]);
  });

  it('are given up after four trials that do not agree', () => {
    const { verdict, finished } = play((arm, index) => isEven(arm, index));
    expect([under(finished, 'threads'), under(finished, 'load')]).toEqual([4, 4]);
    expect(verdict.levers?.every(({ proven, effect }) => !proven && effect === 'none')).toBe(true);
  });

  it('prove nothing where the control shows the symptom under them', () => {
    const { verdict } = play((arm, index, lever) => (lever?.kind === 'load' ? true : isEven(arm, index)));
    expect(verdict.levers?.find(({ lever }) => lever.kind === 'load')).toMatchObject({
      effect: 'more',
      proven: false,
      control: { shown: 4, total: 4 },
    });
  });

  it('make a rare fault unstable instead of undecided', () => {
    const rare: Shows = (arm, index, lever) => arm === 'candidate' && (lever?.kind === 'load' || (lever === undefined && index < 2));
    const without = play((arm, index, lever) => lever === undefined && rare(arm, index, lever), { expectedRate: 0.3, controlled: false });
    expect(without.verdict.verdict).not.toMatch(/^reproduced/);
    const plain = without.finished.filter(({ lever }) => lever === undefined);
    expect(plain.filter(({ facets }) => facets[0]?.state === 'shown').length).toBe(2);
  });

  it('are given up where the platform spoils a trial, which tells nothing', () => {
    const spoiled = (trial: JudgedTrial): JudgedTrial =>
      trial.lever?.kind === 'hash-seed' && trial.lever.value === 1
        ? { ...trial, outcome: 'infra', infraReason: 'the disk was full', facets: [], facts: null }
        : trial;
    const { finished, verdict } = play((arm, index, lever) => arm === 'candidate' && (lever !== undefined || index % 2 === 0), {
      spoiled,
    });
    expect(under(finished, 'hash-seed')).toBe(5);
    expect(verdict.levers?.filter(({ lever }) => lever.kind === 'hash-seed')).toEqual([]);
  });

  it('are searched where chance is spoken of and nothing came, and what is found is unstable at most', () => {
    const onlyUnderLoad: Shows = (arm, _index, lever) => arm === 'candidate' && lever?.kind === 'load';
    const { verdict, finished } = play(onlyUnderLoad, { expectedRate: 0.3 });
    expect(verdict.verdict).toBe('reproduced_unstable');
    expect(verdict.sentence).toMatch(/^Reproduced, but only with 2 busy processes per processor: .*; without it in 0 of 9\.$/);
    expect(verdict.levers).toMatchObject([{ lever: { kind: 'load' }, against: { shown: 0, total: 9 }, proven: true }]);
    expect(under(finished, 'load', 'fixed')).toBeGreaterThanOrEqual(5);
    expect(under(finished, 'load', 'tripwire')).toBe(2);
  });

  it('bring nothing where the control shows it under the found lever as well', () => {
    const { verdict } = play((_arm, _index, lever) => lever?.kind === 'load', { expectedRate: 0.3 });
    expect(verdict.verdict).toBe('not_shown');
    expect(play(() => false, { expectedRate: 0.3 }).verdict.verdict).toBe('not_shown');
  });
});

describe('sentences about levers', () => {
  it('follow from the trials under them, and are refused where they do not', () => {
    const seed = play((arm, index, lever) =>
      arm === 'candidate' && lever?.kind === 'hash-seed' ? lever.value % 2 === 0 : isEven(arm, index),
    );
    expect(strangers(seed)).toEqual([]);
    const load = play((arm, _index, lever) => arm === 'candidate' && lever?.kind === 'load', { expectedRate: 0.3 });
    expect(load.verdict.seriesLever).toEqual({ kind: 'load', value: 2 });
    expect(strangers(load, 0.3)).toEqual([]);
    const forged = load.verdict.clauses.map((clause) => ({ ...clause, text: clause.text.replace('0 of 9', '0 of 8') }));
    expect(strangers({ ...load, verdict: { ...load.verdict, clauses: forged } }, 0.3)).toEqual([
      '“0 of 8” does not follow from the trials',
    ]);
    const fewer = load.finished.filter(({ lever, index }) => lever === undefined || index !== 1);
    expect(strangers({ ...load, finished: fewer }, 0.3).length).toBeGreaterThan(0);
  });
});

describe('leversOf', () => {
  const launch = (env: Record<string, string>) => ({ env }) as never;
  it('leaves alone what the launch sets, and a measure of time undisturbed', () => {
    expect(leversOf(launch({}), [facet])).toEqual(['hash-seed', 'threads', 'load']);
    expect(leversOf(launch({ PYTHONHASHSEED: '0' }), [facet])).toEqual(['threads', 'load']);
    expect(leversOf(launch({ OMP_NUM_THREADS: '4' }), [facet])).toEqual(['hash-seed', 'load']);
    const slow = { ...facet, oracles: [{ kind: 'slow' }] as never };
    expect(leversOf(launch({}), [slow])).toEqual(['hash-seed', 'threads']);
  });

  it('turns a lever into variables and words', () => {
    expect(leverEnvironment({ kind: 'hash-seed', value: 7 })).toEqual({ PYTHONHASHSEED: '7' });
    expect(leverEnvironment({ kind: 'threads', value: 1 })).toMatchObject({ OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1' });
    expect(leverEnvironment({ kind: 'load', value: 2 })).toEqual({});
    expect(leverWords({ kind: 'threads', value: 1 })).toBe('1 thread');
    expect(leverWords({ kind: 'load', value: 1 })).toBe('1 busy process per processor');
  });
});
