import type { Arm, EvidenceRecord, Facet, Finding } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import {
  createEvidence,
  exceptionOracle,
  finishedTrial,
  frame,
  infraTrial,
  judgeInput,
  observedFacet,
  playSeries,
  relationOracle,
} from '../testing/index.js';
import { foldRun } from './fold-run.js';
import { judge } from './judge.js';
import type { JudgeInput } from './judge-input.js';

const crash = observedFacet([
  exceptionOracle({ types: ['IndexError'], message: { text: 'Dimension out of range', match: 'contains' }, through: ['generate'] }),
]);
const wrong = observedFacet([relationOracle('acc', '>', 1)], { id: 'wrong', shownBy: 'measurement' });

const subjectStack = [frame('script', 'repro.py', '<module>'), frame('subject', 'cell.py', 'generate')];
const crashed = () =>
  createEvidence()
    .modules('cell.py')
    .exception({ type: 'builtins.IndexError', message: 'Dimension out of range', frames: subjectStack })
    .exit(1);
const tripped = () =>
  createEvidence()
    .modules('cell.py')
    .exception({ type: 'builtins.RuntimeError', message: 'reenact-tripwire-sentinel-1', frames: subjectStack })
    .exit(1)
    .build();
const ended = () => createEvidence().modules('cell.py').stdout('done').exit(0);
const observed = (acc: number, file = 'cell.py') => createEvidence().modules(file).obs({ acc }).exit(0).build();

type Arms = Partial<Record<Arm, EvidenceRecord[]>>;
const play = (facets: Facet[], arms: Arms, extra: Partial<JudgeInput> = {}) =>
  playSeries(facets, (arm, index) => finishedTrial(arm, index, arms[arm] ?? ended().build(), facets), extra).judgement;

describe('judge: reproduced', () => {
  it('a crash of the subject that the fix ends', () => {
    const judgement = play([crash], { candidate: crashed().build(), fixed: ended().build(), tripwire: tripped() });
    expect(judgement).toMatchObject({ verdict: 'reproduced', grade: 'A', depth: 'L6', reason: null, rate: { shown: 3, total: 3 } });
    expect(judgement.controls.map(({ arm, state, p }) => [arm, state, p])).toEqual([
      ['fixed', 'absent', null],
      ['tripwire', 'absent', null],
    ]);
    expect(judgement.sentence).toBe(
      'Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %), 0 of 3 with fix.patch; grade A, depth L6.',
    );
    expect(judgement.facets[0]?.grounding[0]).toMatchObject({
      trial: 'candidate-0',
      text: 'IndexError: Dimension out of range at cell.py:generate',
    });
  });

  it('a number that the fix puts right', () => {
    const judgement = play([wrong], { candidate: observed(2.5), fixed: observed(0.9), tripwire: tripped() });
    expect(judgement).toMatchObject({ verdict: 'reproduced', depth: 'L6' });
  });

  it('a number that the script asserts, so that it fails where the fault is gone', () => {
    const stack = [frame('script', 'repro.py', '<module>', 'assert acc > 1')];
    const asserted = createEvidence()
      .modules('cell.py')
      .obs({ acc: 0.9 })
      .exception({ type: 'builtins.AssertionError', frames: stack, raisedIn: 'script' })
      .exit(1)
      .build();
    expect(play([wrong], { candidate: observed(2.5), fixed: asserted, tripwire: tripped() }).verdict).toBe('reproduced');
  });

  it('without a control, only what the harness recorded', () => {
    const uncontrolled = { controls: [] };
    expect(play([crash], { candidate: crashed().build(), tripwire: tripped() }, uncontrolled)).toMatchObject({
      verdict: 'reproduced_uncontrolled',
      depth: 'L5',
    });
    const placeless = observedFacet([
      exceptionOracle({ types: ['IndexError'], message: { text: 'Dimension out of range', match: 'contains' } }),
    ]);
    // The same words may be a refusal that is right: of an input that the script brought.
    expect(play([placeless], { candidate: crashed().build(), tripwire: tripped() }, uncontrolled)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'control',
    });
    expect(play([placeless], { candidate: crashed().build(), fixed: ended().build(), tripwire: tripped() }).verdict).toBe('reproduced');
    expect(play([wrong], { candidate: observed(2.5), tripwire: tripped() }, uncontrolled)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'control',
    });
    const disguised = { ...wrong, shownBy: 'harness' as const };
    expect(play([disguised], { candidate: observed(2.5), tripwire: tripped() }, uncontrolled).verdict).toBe('inconclusive');
  });

  it('without a control, not by the end of the reported stack alone', () => {
    const calls = ['fit', 'epoch', 'collate', 'pad'];
    const frames = calls.map((name) => ({ file: 'cell.py', function: name }));
    const claimed = observedFacet([
      exceptionOracle({ types: ['IndexError'], message: { text: 'Dimension out of range', match: 'contains' }, frames }),
    ]);
    const through = (names: string[]) =>
      createEvidence()
        .modules('cell.py')
        .exception({
          type: 'builtins.IndexError',
          message: 'Dimension out of range',
          frames: [frame('script', 'repro.py', '<module>'), ...names.map((name) => frame('subject', 'cell.py', name))],
        })
        .exit(1)
        .build();
    const verdict = (names: string[], extra: Partial<JudgeInput> = { controls: [] }) =>
      play([claimed], { candidate: through(names), tripwire: tripped() }, extra);
    expect(verdict(['pad'])).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(verdict(['collate', 'pad'])).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(verdict(['epoch', 'collate', 'pad'])).toMatchObject({ verdict: 'reproduced_uncontrolled' });
    expect(verdict(['pad'], {})).toMatchObject({ verdict: 'reproduced' });
  });

  it('without a control, not by a warning that points at a line outside the subject', () => {
    const claimed = observedFacet([{ kind: 'warning', category: 'RuntimeWarning', pattern: 'Mean of empty slice' }]);
    const warned = (place: 'subject' | 'script' | 'dependency') =>
      createEvidence()
        .modules('cell.py')
        .warning({
          category: 'builtins.RuntimeWarning',
          message: 'Mean of empty slice.',
          frame: frame(place, 'cell.py', 'mean', 'x.mean()'),
        })
        .exit(0)
        .build();
    const verdict = (place: 'subject' | 'script' | 'dependency', extra: Partial<JudgeInput> = { controls: [] }) =>
      play([claimed], { candidate: warned(place), tripwire: tripped() }, extra);
    expect(verdict('subject')).toMatchObject({ verdict: 'reproduced_uncontrolled' });
    expect(verdict('script')).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(verdict('dependency')).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(verdict('script', {})).toMatchObject({ verdict: 'reproduced' });
  });

  it('without a control, no failure that any slip would give as well', () => {
    const uncontrolled = { controls: [] };
    const bare = observedFacet([exceptionOracle({ types: ['IndexError'] })]);
    const arms = { candidate: crashed().build(), fixed: ended().build(), tripwire: tripped() };
    expect(play([bare], arms, uncontrolled)).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(play([bare], arms)).toMatchObject({ verdict: 'reproduced' });
    const placed = observedFacet([exceptionOracle({ types: ['IndexError'], frames: [{ file: 'cell.py', function: 'generate' }] })]);
    expect(play([placed], arms, uncontrolled)).toMatchObject({ verdict: 'reproduced_uncontrolled' });
    const stack = [frame('subject', 'cell.py', '<module>'), frame('dependency', '/env/site-packages/x.py', 'barrier')];
    const stall = { blocked: [{ pid: 10, signature: 'same', at: null }], silentSeconds: 20 };
    const hung = createEvidence()
      .modules('cell.py')
      .stdout('last')
      .stack(10, [stack])
      .stall(stall)
      .exit(null, { endedBy: 'hang', signal: 'SIGKILL' })
      .build();
    const anywhere = observedFacet([{ kind: 'hang', silentSeconds: 20 }]);
    expect(play([anywhere], { ...arms, candidate: hung }, uncontrolled)).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(play([anywhere], { ...arms, candidate: hung })).toMatchObject({ verdict: 'reproduced', rate: { total: 5 } });
  });

  it('unstable below one half', () => {
    const facets = [crash];
    const { judgement } = playSeries(
      facets,
      (arm, index) => {
        const shows = arm === 'candidate' && index % 3 === 0;
        return finishedTrial(arm, index, arm === 'tripwire' ? tripped() : shows ? crashed().build() : ended().build(), facets);
      },
      { expectedRate: 0.3 },
    );
    expect(judgement).toMatchObject({ verdict: 'reproduced_unstable', rate: { shown: 7, total: 20 } });
    expect(judgement.controls[0]?.p).toBeLessThanOrEqual(0.05);
  });

  it('counts no infrastructure failure', () => {
    const facets = [crash];
    const { judgement, finished } = playSeries(facets, (arm, index) => {
      if (arm === 'candidate' && index === 1) return infraTrial(arm, index);
      return finishedTrial(arm, index, arm === 'candidate' ? crashed().build() : arm === 'tripwire' ? tripped() : ended().build(), facets);
    });
    expect(judgement).toMatchObject({ verdict: 'reproduced', rate: { shown: 3, total: 3 } });
    expect(finished).toHaveLength(8);
  });
});

describe('judge: never a wrong reproduced', () => {
  const good = { candidate: crashed().build(), fixed: ended().build(), tripwire: tripped() };

  it('the control shows the signal too', () => {
    const refused = { verdict: 'refused', reason: 'changes-the-condition' };
    expect(play([crash], { ...good, fixed: crashed().build() })).toMatchObject(refused);
    const judgement = play([wrong], { candidate: observed(2.5), fixed: observed(2.5), tripwire: tripped() });
    expect(judgement).toMatchObject(refused);
    expect(judgement.sentence).toContain('or the fix given does not remove it');
  });

  it('the control shows it too, and no tripwire says whose code it came from', () => {
    const without = { tripwire: { built: false, note: 'no suspect is known' } };
    expect(play([crash], { ...good, fixed: crashed().build() }, without)).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(play([wrong], { candidate: observed(2.5), fixed: observed(2.5) }, without)).toMatchObject({ verdict: 'refused' });
  });

  it('the control failed before the point', () => {
    const importError = createEvidence()
      .exception({ type: 'builtins.ModuleNotFoundError', message: "No module named 'x'", frames: subjectStack })
      .exit(1)
      .build();
    const judgement = play([wrong], { candidate: observed(2.5), fixed: importError, tripwire: tripped() });
    expect(judgement).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
    expect(judgement.controls[0]).toMatchObject({ state: 'undecided' });
    // A crash that the harness saw stands, but without its control.
    expect(play([crash], { ...good, fixed: importError })).toMatchObject({ verdict: 'reproduced_uncontrolled' });
  });

  it('the control swallowed an error and never came to the subject', () => {
    const elsewhere = createEvidence().modules('other.py').stdout('fine').exit(0).build();
    expect(play([crash], { ...good, fixed: elsewhere }).verdict).toBe('reproduced_uncontrolled');
    expect(play([wrong], { candidate: observed(2.5), fixed: observed(0.5, 'other.py'), tripwire: tripped() }).verdict).toBe('inconclusive');
  });

  it('the signal stays in the tripwire, or the tripwire is never touched', () => {
    const stays = createEvidence().modules('cell.py').notice('tripwire', 'sentinel-1').obs({ acc: 2.5 }).exit(0).build();
    const printed = play([wrong], { candidate: observed(2.5), fixed: observed(0.9), tripwire: stays });
    expect(printed).toMatchObject({ verdict: 'refused', reason: 'prints-the-answer' });
    const never = play([wrong], { candidate: observed(2.5), fixed: observed(2.5), tripwire: observed(2.5) });
    expect(never).toMatchObject({ verdict: 'refused', reason: 'never-calls-the-subject' });
    expect(play([crash], { ...good, tripwire: crashed().build() })).toMatchObject({ verdict: 'inconclusive', reason: 'tripwire' });
    const other = createEvidence().modules('cell.py').notice('tripwire', 'sentinel-1').obs({ acc: 3.5 }).exit(0).build();
    expect(play([wrong], { candidate: observed(2.5), fixed: observed(0.9), tripwire: other })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'tripwire',
    });
  });

  it('no tripwire could be built', () => {
    const unbuilt = { tripwire: { built: false, note: 'no suspect is known' } };
    expect(play([wrong], { candidate: observed(2.5), fixed: observed(0.9) }, unbuilt)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'tripwire',
    });
    const crashOnly = play([crash], good, unbuilt);
    expect(crashOnly.verdict).toBe('reproduced');
    expect(crashOnly.controls.at(-1)).toMatchObject({ arm: 'tripwire', state: 'not-run', note: 'no tripwire: no suspect is known' });
  });

  it('an integrity finding, but no suspicion', () => {
    const finding = (level: Finding['level']): Finding => ({ rule: 'edits-the-subject', message: 'cell.py was changed', level });
    expect(play([crash], good, { findings: [finding('finding')] })).toMatchObject({ verdict: 'refused', reason: 'edits-the-subject' });
    expect(play([crash], good, { findings: [finding('suspicion'), finding('refuted')] }).verdict).toBe('reproduced');
  });

  it('no code of the subject was loaded', () => {
    const alone = createEvidence().process(10).obs({ acc: 2.5 }).exit(0).build();
    const unbuilt = { tripwire: { built: false, note: 'no suspect is known' } };
    expect(play([wrong], { candidate: alone, fixed: observed(0.9) }, unbuilt)).toMatchObject({ verdict: 'model_of_bug', grade: 'D' });
  });

  it('the series is too short, or the control is', () => {
    const facets = [crash];
    const trial = (arm: Arm, index: number) => finishedTrial(arm, index, good[arm as 'candidate'] ?? [], facets);
    const one = judge(judgeInput(facets, [trial('candidate', 0), trial('fixed', 0), trial('tripwire', 0)]));
    expect(one).toMatchObject({ verdict: 'inconclusive', reason: 'trials' });
    const short = judge(
      judgeInput(facets, [trial('candidate', 0), trial('candidate', 1), trial('candidate', 2), trial('fixed', 0), trial('tripwire', 0)]),
    );
    expect(short).toMatchObject({ verdict: 'inconclusive', reason: 'trials' });
  });

  it('chance could make the difference', () => {
    const facets = [observedFacet([{ kind: 'output', pattern: 'bad', flags: '', stream: 'any', atLeast: 1 }])];
    const line = (text: string) => createEvidence().modules('cell.py').stdout(text).exit(0).build();
    const trials = [0, 1, 2, 3, 4].flatMap((index) => [
      finishedTrial('candidate', index, line(index < 3 ? 'bad' : 'good'), facets),
      finishedTrial('fixed', index, line('good'), facets),
      finishedTrial('tripwire', index, tripped(), facets),
    ]);
    expect(judge(judgeInput(facets, trials))).toMatchObject({ verdict: 'inconclusive', reason: 'chance' });
  });

  it('a facet has no check, or only a contrast is shown', () => {
    const unbound = observedFacet([], { id: 'slow', note: 'no number is named' });
    expect(play([crash, unbound], good)).toMatchObject({ verdict: 'partial' });
    expect(play([unbound], good)).toMatchObject({ verdict: 'inconclusive', reason: 'undecided' });
    expect(play([crash, unbound], good, { notLive: ['slow'] }).verdict).toBe('reproduced');
    expect(play([{ ...crash, stance: 'expected' }], good)).toMatchObject({ verdict: 'inconclusive', reason: 'claim' });
  });

  it('a facet that the control shows as well is no evidence', () => {
    const trains = observedFacet([{ kind: 'output', pattern: 'epoch 1', flags: '', stream: 'any', atLeast: 1 }], { id: 'trains' });
    const withLine = (acc: number) => createEvidence().modules('cell.py').stdout('epoch 1').obs({ acc }).exit(0).build();
    const judgement = play([wrong, trains], { candidate: withLine(2.5), fixed: withLine(0.9), tripwire: tripped() });
    expect(judgement.verdict).toBe('partial');
    expect(judgement.facets.map(({ state }) => state)).toEqual(['shown', 'undecided']);
  });
});

describe('judge: without the signal', () => {
  it('not shown, with the miss bound', () => {
    expect(play([crash], { candidate: ended().build() })).toMatchObject({ verdict: 'not_shown', depth: 'L2' });
    expect(play([crash], { candidate: ended().build() }, { scope: 'run' })).toMatchObject({ verdict: 'inconclusive', reason: 'attempts' });
    expect(play([crash], { candidate: ended().build() }, { expectedRate: 0.3 })).toMatchObject({
      verdict: 'not_shown',
      rate: { total: 9 },
    });
  });

  it('another failure, of the same family or not', () => {
    const other = (type: string) =>
      createEvidence().modules('cell.py').exception({ type, message: 'shape mismatch', frames: subjectStack }).exit(1).build();
    expect(play([crash], { candidate: other('builtins.IndexError') })).toMatchObject({ verdict: 'different_failure', depth: 'L3' });
    const judgement = play([crash], { candidate: other('builtins.ValueError') });
    expect(judgement).toMatchObject({ verdict: 'different_failure', depth: 'L1' });
    expect(judgement.sentence).toContain('ValueError: shape mismatch');
  });

  it('partial where one facet is shown and one is not', () => {
    const both = createEvidence().modules('cell.py').obs({ acc: 2.5 }).exit(0).build();
    const fixed = createEvidence().modules('cell.py').obs({ acc: 0.5 }).exit(0).build();
    const judgement = play([crash, wrong], { candidate: both, fixed, tripwire: tripped() });
    expect(judgement.verdict).toBe('partial');
    expect(judgement.facets.map(({ state }) => state)).toEqual(['absent', 'shown']);
    expect(judgement.sentence).toContain('1 shown, 1 absent');
  });

  it('limits, the platform and a person decide nothing', () => {
    const limited = createEvidence().modules('cell.py').exit(null, { signal: 'SIGKILL', endedBy: 'wall-limit' }).build();
    expect(play([crash], { candidate: limited })).toMatchObject({ verdict: 'inconclusive', reason: 'undecided' });
    expect(playSeries([crash], infraTrial).judgement.verdict).toBe('infra_error');
    const cancelled = { ...infraTrial('candidate', 0), outcome: 'cancelled' as const };
    expect(judge(judgeInput([crash], [cancelled])).verdict).toBe('cancelled');
    expect(judge(judgeInput([crash], []))).toMatchObject({ verdict: 'inconclusive', depth: 'L0', grade: null });
  });
});

describe('judge: grade', () => {
  const arms = { candidate: crashed().build(), fixed: ended().build(), tripwire: tripped() };
  it.each([
    [{ environmentDistance: [{ name: 'torch', asked: '2.6.0', got: '2.5.0' }] }, 'B', 'torch 2.5.0 instead of 2.6.0'],
    [{ environmentDistance: null }, 'B', 'not known'],
    [{ data: 'synthetic' as const }, 'C', 'synthetic'],
    [{ ranksAsked: 2 }, 'C', '1 of 2 ranks'],
    [{}, 'A', 'reported versions'],
  ])('%j is %s', (extra, grade, reason) => {
    const judgement = play([crash], arms, extra);
    expect(judgement).toMatchObject({ verdict: 'reproduced', grade });
    expect(judgement.gradeReason).toContain(reason);
  });
});

describe('foldRun', () => {
  const miss = play([crash], { candidate: ended().build() }, { scope: 'run' });
  const shown = play([crash], { candidate: crashed().build(), fixed: ended().build(), tripwire: tripped() }, { scope: 'run' });
  const unproven = play([wrong], { candidate: observed(2.5), tripwire: tripped() }, { scope: 'run', controls: [] });
  const attempt = (candidate: string, context: number, judgement = miss) => ({ candidate, context, judgement });
  const passed = { environmentProbePassed: true };

  it('takes the best proof there is', () => {
    expect(foldRun([attempt('a', 1), attempt('b', 2, shown), attempt('c', 3)], passed)).toMatchObject({
      verdict: 'reproduced',
      decidedBy: 1,
    });
  });

  it('says not reproduced only after two independent whole misses', () => {
    expect(foldRun([attempt('a', 1), attempt('b', 2)], passed).verdict).toBe('not_reproduced');
    expect(foldRun([attempt('a', 1), attempt('b', 2)], { environmentProbePassed: false }).verdict).toBe('inconclusive');
    expect(foldRun([attempt('a', 1), attempt('a', 2)], passed).verdict).toBe('inconclusive');
    expect(foldRun([attempt('a', 1), attempt('b', 1)], passed).verdict).toBe('inconclusive');
    expect(foldRun([attempt('a', 1)], passed).verdict).toBe('inconclusive');
    expect(foldRun([attempt('a', 1), attempt('b', 2), attempt('c', 3, unproven)], passed).verdict).toBe('inconclusive');
  });

  it('lets the attempt that decided most speak, the first of equals', () => {
    const open = play([observedFacet([], { id: 'open' })], { candidate: ended().build() }, { scope: 'run' });
    expect(open.verdict).toBe('inconclusive');
    expect(miss.verdict).toBe('inconclusive');
    expect(foldRun([attempt('a', 0, open), attempt('b', 1), attempt('c', 1)], passed)).toMatchObject({
      decidedBy: 1,
      sentence: miss.sentence,
    });
    expect(foldRun([attempt('a', 1, shown), attempt('b', 2, shown)], passed).decidedBy).toBe(0);
  });

  it('has an answer without any attempt, and for a platform that failed', () => {
    expect(foldRun([], passed)).toMatchObject({ verdict: 'inconclusive', decidedBy: null });
    const infra = playSeries([crash], infraTrial).judgement;
    expect(foldRun([attempt('a', 1, infra)], passed).verdict).toBe('infra_error');
    expect(foldRun([attempt('a', 1, infra), attempt('b', 1)], passed).verdict).toBe('inconclusive');
  });
});
