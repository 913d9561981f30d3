import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arm, Rest, Statement } from '@reenact/domain';
import { createEvidence, exceptionOracle, finishedTrial, frame, observedFacet, relationOracle } from '../testing/index.js';
import { playResult } from '../testing/ledger-builder.js';
import { checkGrounding, checkStatement } from './check-grounding.js';
import { composeStatements } from './compose-statements.js';
import { ledgerTrial } from './ledger.js';
import { figuresIn, isRounded, quoted, splitQuotes } from './figures.js';
import { settleVerdict } from './settle-verdict.js';

const crash = observedFacet([exceptionOracle({ types: ['IndexError'], message: { text: 'out of range', match: 'contains' } })], {
  statement: 'the third batch crashes',
});
const stack = [frame('script', 'repro.py', '<module>'), frame('subject', 'cell.py', 'generate')];
const crashed = createEvidence()
  .modules('cell.py')
  .exception({ type: 'builtins.IndexError', message: 'index 7 out of range', frames: stack })
  .exit(1)
  .build();
const tripped = createEvidence()
  .modules('cell.py')
  .exception({ type: 'builtins.RuntimeError', message: 'reenact-tripwire-sentinel-1', frames: stack })
  .exit(1)
  .build();
const healthy = createEvidence().modules('cell.py').stdout('done').exit(0).build();

const crashingResult = () =>
  playResult([crash], (arm) => (arm === 'candidate' ? crashed : arm === 'tripwire' ? tripped : healthy), {
    reportText: 'Title\n\nWith ten batches the third batch crashes.',
  });

const CANDIDATES: Rest = { type: 'trials', arm: 'candidate', trials: ['candidate-0', 'candidate-1', 'candidate-2'] };
const CONTROLS: Rest = { type: 'trials', arm: 'fixed', trials: ['fixed-0', 'fixed-1', 'fixed-2'] };
const EXCEPTION: Rest = { type: 'record', trial: 'candidate-0', seq: 3 };

function refused(text: string, ...rests: Rest[]): string | null {
  return checkStatement({ text, rests }, crashingResult().ledger);
}

describe('a result as it is made', () => {
  it('is grounded sentence by sentence, each resting on something', () => {
    const { verdict, judgement, ledger } = crashingResult();
    const settled = settleVerdict({ verdict, clauses: judgement.clauses, ledger, ideas: [] });
    expect(settled.statements?.filter(({ standing }) => standing !== 'grounded')).toEqual([]);
    expect(settled.statements?.every(({ rests }) => rests.length > 0)).toBe(true);
    expect(settled).toMatchObject({ verdict: 'reproduced', sentence: verdict.sentence });
    expect(settled.statements?.map(({ about, text }) => `${about}: ${text}`)).toMatchInlineSnapshot(`
      [
        "verdict: Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %)",
        "verdict: 0 of 3 with fix.patch",
        "verdict: grade A, depth L6",
        "facet: The report says “the third batch crashes”",
        "facet: Shown (recorded by the harness): 3 of 3 trials (95 % interval 29–100 %)",
        "facet: Trial candidate-0 has “IndexError: index 7 out of range at cell.py:generate”",
        "facet: Trial candidate-1 has “IndexError: index 7 out of range at cell.py:generate”",
        "facet: Trial candidate-2 has “IndexError: index 7 out of range at cell.py:generate”",
        "control: The symptom is gone with “fix.patch”: 0 of 3 trials (95 % interval 0–71 %)",
        "control: The symptom is gone: 0 of 1 trial (95 % interval 0–98 %)",
        "control: Every suspected function raised a sentinel, and the signal was gone",
        "grade: the subject's code in the reported versions",
        "depth: L6: it fails here and passes with the fix or the good version",
        "environment: It ran in a sandbox of namespaces",
        "environment: It ran with Python 3.11.2 on “linux”",
        "run: 7 trials and 1.5 seconds; no model was asked",
      ]
    `);
  });

  it('points into the report where the symptom stands there', () => {
    const { verdict, judgement, ledger } = crashingResult();
    const said = composeStatements({ verdict, clauses: judgement.clauses, ledger, ideas: [] }).find(({ text }) =>
      text.startsWith('The report'),
    );
    expect(said?.rests).toEqual([{ type: 'report', span: { start: 24, end: 47 } }]);
  });

  it('keeps an idea apart from what was seen', () => {
    const { verdict, judgement, ledger } = crashingResult();
    const ideas = [{ context: 1, attempt: 1, idea: 'the sampler drops 3 of 9 rows' }];
    const last = checkGrounding(composeStatements({ verdict, clauses: judgement.clauses, ledger, ideas }), ledger).find(
      ({ about }) => about === 'idea',
    );
    expect(last).toMatchObject({ standing: 'hypothesis', text: '“the sampler drops 3 of 9 rows”' });
  });

  it('holds what a closer look tells to what is read out of that trial anew', () => {
    const { verdict, judgement, ledger } = crashingResult();
    const text = 'first NaN in net.2 (Linear) at its forward call 14: float32[32, 8]';
    const told = { facet: 'f1', text, grounding: [{ trial: 'diagnosis-0', seq: 1, text: 'net.2' }] };
    const judged = finishedTrial('diagnosis', 0, crashed, [crash]);
    const trials = new Map([...ledger.trials, ['diagnosis-0', ledgerTrial(judged, crashed, [told])]]);
    const standing = (said: string) =>
      checkGrounding(
        composeStatements({
          verdict: { ...verdict, explanations: [{ ...told, text: said }] },
          clauses: judgement.clauses,
          ledger: { ...ledger, trials },
          ideas: [],
        }),
        { ...ledger, trials },
      ).find((one) => one.text.startsWith('A closer look'))?.standing;
    expect(standing(text)).toBe('grounded');
    expect(standing(text.replace('14', '15'))).toBe('not-grounded');
  });

  it('is grounded for chance, misses and collisions as well', () => {
    const number = observedFacet([relationOracle('acc', '>', 1)], { shownBy: 'measurement' });
    const observed = (acc: number) => createEvidence().modules('cell.py').obs({ acc }).exit(0).build();
    const other = createEvidence()
      .modules('cell.py')
      .exception({ type: 'builtins.KeyError', message: "'row 12'", frames: stack })
      .exit(1)
      .build();
    const played = [
      playResult([number], (_, index) => observed(index % 3 === 0 ? 2.5 : 0.5), { expectedRate: 0.3 }),
      playResult([number], (arm) => observed(arm === 'candidate' ? 2.5 : 0.5)),
      playResult([number], () => observed(0.5), { expectedRate: 0.3, scope: 'script' }),
      playResult([crash], () => other),
      playResult([crash], (arm, index) => (arm === 'candidate' && index % 2 === 0 ? crashed : healthy), { expectedRate: 0.5 }),
      playResult([crash, { ...number, id: 'number' }], (arm) => (arm === 'candidate' ? crashed : arm === 'tripwire' ? tripped : healthy)),
      playResult([crash], (arm) => (arm === 'tripwire' ? tripped : crashed)),
      playResult([crash], () => crashed, { environmentDistance: [{ name: 'torch', asked: '2.1', got: '2.6.0' }] }),
    ];
    for (const { verdict, judgement, ledger } of played) {
      const settled = settleVerdict({ verdict, clauses: judgement.clauses, ledger, ideas: [] });
      expect(settled.statements?.filter(({ standing }) => standing !== 'grounded')).toEqual([]);
      expect(settled.sentence).toBe(verdict.sentence);
    }
    expect(new Set(played.map(({ verdict }) => verdict.verdict)).size).toBeGreaterThan(4);
  });
});

describe('what is refused', () => {
  it.each<[string, string, Rest[], RegExp]>([
    ['a count too high', 'Shown in 4 of 4 trials', [CANDIDATES], /does not follow/],
    ['numbers that stand in the arm, in other places', 'Shown in 0 of 3 trials', [CANDIDATES], /does not follow/],
    ['an interval of other counts', '3 of 3 fresh trials show it (95 % interval 48–100 %)', [CANDIDATES], /does not follow/],
    ['an interval that belongs to another count', '3 of 3 trials (95 % interval 0–71 %)', [CANDIDATES, CONTROLS], /does not follow/],
    ['an interval without its count', 'at a rate with a 95 % interval of 29–100 %', [CANDIDATES], /figure/],
    ['a number in words of a record', 'index 8 out of range', [EXCEPTION], /figure 8/],
    ['the sign of a number', 'index -7 out of range', [EXCEPTION], /figure -7/],
    ['a version', 'it ran with Python 3.12.2', [CANDIDATES], /figure 3.12.2/],
    ['a depth', 'depth L7', [{ type: 'judgement', field: 'depth' }], /figure L7/],
    [
      'a grade',
      'grade B, depth L6',
      [
        { type: 'judgement', field: 'grade' },
        { type: 'judgement', field: 'depth' },
      ],
      /grade B/,
    ],
    ['a p value', 'gone, p = 0.01', [CONTROLS, CANDIDATES], /figure 0.01/],
    ['quoted words', 'it says “index 7 out of bounds”', [EXCEPTION], /no record says/],
    ['a trial of another arm', 'Shown', [{ ...CANDIDATES, trials: ['fixed-0'] }], /also have candidate-0/],
    ['a trial that is not there', 'Shown', [{ type: 'record', trial: 'candidate-9', seq: 1 }], /no trial/],
    ['a sequence out of range', 'Shown', [{ type: 'record', trial: 'candidate-0', seq: 99 }], /no record 99/],
    ['a record that nothing was read from', 'Shown', [{ type: 'record', trial: 'candidate-0', seq: 2 }], /nothing was read/],
    ['a choice of trials', 'Shown in 2 of 2', [{ ...CANDIDATES, trials: ['candidate-0', 'candidate-1'] }], /also have candidate-2/],
    ['a finding that is not there', 'cheats', [{ type: 'finding', index: 0 }], /no finding/],
    ['a range beyond the report', 'it crashes', [{ type: 'report', span: { start: 40, end: 400 } }], /no range/],
    ['an attempt that is not there', 'tried', [{ type: 'attempt', context: 4, attempt: 1 }], /no attempt/],
    ['a least number of trials', '3 of at least 4 trials were run', [CANDIDATES], /does not follow/],
    ['counts of facets', 'of the claimed symptoms 2 shown', [{ type: 'judgement', field: 'facets' }], /does not follow/],
    ['nothing to rest on', 'It crashes', [], /rests on nothing/],
  ])('%s', (_, text, rests, why) => {
    expect(refused(text, ...rests)).toMatch(why);
  });

  it('and what is said rightly is not', () => {
    expect(refused('Shown in 3 of 3 trials (95 % interval 29–100 %)', CANDIDATES)).toBeNull();
    expect(refused('0 of 3 with fix.patch, p = 0.050', CONTROLS)).toBeNull();
    expect(refused('it says “index 7 out of range”, at 7', EXCEPTION)).toBeNull();
    expect(refused('of the claimed symptoms 1 shown', { type: 'judgement', field: 'facets' })).toBeNull();
    expect(refused('3 of at least 5 trials were run', CANDIDATES)).toBeNull();
  });

  it('words of the script cannot vouch for a count with its interval', () => {
    const boast = '5 of 5 fresh trials show it (95 % interval 48–100 %)';
    const boasting = createEvidence()
      .modules('cell.py')
      .exception({ type: 'builtins.IndexError', message: `out of range ${boast}`, frames: stack })
      .exit(1)
      .build();
    const { ledger } = playResult([crash], (arm) => (arm === 'candidate' ? boasting : arm === 'tripwire' ? tripped : healthy));
    expect(checkStatement({ text: `Reproduced: ${boast}`, rests: [CANDIDATES] }, ledger)).toMatch(/does not follow/);
    expect(
      checkStatement({ text: `it says “out of range ${boast}”`, rests: [{ type: 'record', trial: 'candidate-0', seq: 3 }] }, ledger),
    ).toBeNull();
  });

  it('a changed digit anywhere in a sentence about counts', () => {
    const { verdict, judgement, ledger } = crashingResult();
    const statements = composeStatements({ verdict, clauses: judgement.clauses, ledger, ideas: [] }).filter(({ text }) => /\d/.test(text));
    const places = statements.flatMap((statement) => [...statement.text.matchAll(/\d/g)].map(({ index }) => ({ statement, index })));
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 9 }), ({ statement, index }, shift) => {
        const digit = (Number(statement.text[index]) + shift) % 10;
        const text = `${statement.text.slice(0, index)}${digit}${statement.text.slice(index + 1)}`;
        return Number(digit) === Number(statement.text[index]) || isRefusedOrEqual(statement, text, ledger);
      }),
      { numRuns: 400 },
    );
  });

  it('takes linear time over what a script can write', () => {
    const long = '1'.repeat(400_000);
    const started = process.cpuUsage().user;
    expect(refused(`${long} of ${'('.repeat(100_000)} ${'a.'.repeat(100_000)}9`, CANDIDATES)).toMatch(/figure/);
    expect(process.cpuUsage().user - started).toBeLessThan(10_000_000);
  });
});

/** `007` for `7`, and a figure of another record that the sentence rests on as well, say nothing false. */
function isRefusedOrEqual(statement: Statement, text: string, ledger: ReturnType<typeof crashingResult>['ledger']): boolean {
  if (checkStatement({ ...statement, text }, ledger) !== null) return true;
  const supported = figuresIn(text).every((figure) => figuresIn(statement.text).includes(figure) || Number(figure) <= 3);
  return supported && !/\d of \d/.test(text);
}

describe('settleVerdict', () => {
  const settle = (change: (text: string) => string, arm: Arm = 'candidate') => {
    const { verdict, judgement, ledger } = crashingResult();
    const clauses = judgement.clauses.map((clause) => {
      const [rest] = clause.rests;
      return rest?.type === 'trials' && rest.arm === arm ? { ...clause, text: change(clause.text) } : clause;
    });
    return settleVerdict({ verdict, clauses, ledger, ideas: [] });
  };

  it('gives no answer about the subject where its counts do not follow from the trials', () => {
    const settled = settle((text) => text.replace('3 of 3', '5 of 5').replace('29', '48'));
    expect(settled).toMatchObject({ verdict: 'inconclusive', reason: 'grounding' });
    expect(settled.sentence).toBe('Inconclusive: figures of the judgement do not follow from the recorded evidence.');
    expect(settled.statements?.find(({ text }) => text.includes('5 of 5'))).toMatchObject({ standing: 'not-grounded' });
  });

  it('nor where those of a control do not', () => {
    expect(settle((text) => text.replace('0 of 3', '0 of 5'), 'fixed')).toMatchObject({ verdict: 'inconclusive', reason: 'grounding' });
  });

  it('leaves out a part that no record holds, where it counts nothing', () => {
    const { verdict, judgement, ledger } = crashingResult();
    const clauses = judgement.clauses.map((clause) => ({ ...clause, text: clause.text.replace('depth L6', 'depth L7') }));
    const settled = settleVerdict({ verdict, clauses, ledger, ideas: [] });
    expect(settled).toMatchObject({
      verdict: 'reproduced',
      sentence: 'Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %), 0 of 3 with fix.patch.',
    });
  });

  it('notices a verdict whose figures were changed after the judge', () => {
    const { verdict, judgement, ledger } = crashingResult();
    const facets = verdict.facets.map((facet) => ({ ...facet, rate: { ...facet.rate, shown: 2 } }));
    const settled = settleVerdict({ verdict: { ...verdict, facets }, clauses: judgement.clauses, ledger, ideas: [] });
    expect(settled.statements?.filter(({ standing }) => standing === 'not-grounded').map(({ of }) => of)).toEqual(['symptom']);
  });
});

describe('figures', () => {
  it('are words with digits, signs kept, dots of sentences left out', () => {
    expect(figuresIn('At step 12, loss=-3.5e. See conv2d of torch 2.6.0... (size 676)')).toEqual(['12', '-3.5e', 'conv2d', '2.6.0', '676']);
    expect(figuresIn('29–100 % and a-3')).toEqual(['29', '100', '3']);
  });

  it('are rounded as they are written', () => {
    expect(isRounded('0.05', 0.0476)).toBe(true);
    expect(isRounded('0.048', 0.0476)).toBe(true);
    expect(isRounded('0.05', 0.044)).toBe(false);
    expect(isRounded('2.6.0', 2.6)).toBe(false);
  });

  it('quotes hold no quote sign and no line of their own', () => {
    expect(quoted('a “b”\n c', 10)).toBe('“a "b" c”');
    expect(quoted('x'.repeat(50), 10)).toBe(`“${'x'.repeat(9)}…”`);
    expect(splitQuotes('says “1 of 2” and 3')).toEqual({ quotes: ['1 of 2'], rest: 'says   and 3' });
  });
});
