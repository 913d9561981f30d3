import type { Arm, EvidenceRecord, Facet } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { createEvidence, exceptionOracle, finishedTrial, frame, observedFacet, playSeries, relationOracle } from '../testing/index.js';
import type { ControlArm } from '../verification/trial-plan.js';
import { lacksControl } from './lacks-control.js';

const crash = observedFacet([
  exceptionOracle({ types: ['IndexError'], message: { text: 'Dimension out of range', match: 'contains' }, through: ['generate'] }),
]);
const wrong = observedFacet([relationOracle('acc', '>', 1)], { id: 'wrong', shownBy: 'measurement' });
const stack = [frame('script', 'repro.py', '<module>'), frame('subject', 'cell.py', 'generate')];
const crashed = createEvidence()
  .modules('cell.py')
  .exception({ type: 'builtins.IndexError', message: 'Dimension out of range', frames: stack })
  .exit(1)
  .build();
const tripped = createEvidence()
  .modules('cell.py')
  .exception({ type: 'builtins.RuntimeError', message: 'reenact-tripwire-sentinel-1', frames: stack })
  .exit(1)
  .build();
const ended = createEvidence().modules('cell.py').stdout('done').exit(0).build();
const elsewhere = createEvidence().modules('cell.py').exception({ type: 'builtins.KeyError', message: 'x', frames: stack }).exit(1).build();
const observed = (acc: number) => createEvidence().modules('cell.py').obs({ acc }).exit(0).build();

function play(facets: Facet[], arms: Partial<Record<Arm, EvidenceRecord[]>>, controls: ControlArm[]) {
  return playSeries(facets, (arm, index) => finishedTrial(arm, index, arms[arm] ?? ended, facets), {
    controls: controls.map((arm) => ({ arm, label: arm })),
  });
}
const asked = (played: ReturnType<typeof play>, arm: Arm) => played.finished.filter((trial) => trial.arm === arm).length;

describe('a trigger taken out, a suspected function replaced', () => {
  it.each(['trigger', 'sabotage'] as const)('%s is a control where the signal goes with it, but no fail→pass', (arm) => {
    const { judgement } = play([crash], { candidate: crashed, tripwire: tripped }, [arm]);
    expect(judgement).toMatchObject({ verdict: 'reproduced', depth: 'L5' });
    expect(judgement.controls[0]).toMatchObject({ arm, state: 'absent', rate: { shown: 0, total: 3 } });
  });

  it.each(['trigger', 'sabotage'] as const)('%s lets a measured number count', (arm) => {
    const arms = { candidate: observed(2.5), tripwire: tripped, [arm]: observed(0.5) };
    expect(play([wrong], arms, [arm]).judgement.verdict).toBe('reproduced');
    // The number has to be there: a control that measures nothing tells nothing.
    expect(play([wrong], { ...arms, [arm]: ended }, [arm]).judgement.verdict).toBe('inconclusive');
  });

  it.each(['trigger', 'sabotage'] as const)('%s that keeps the signal is no control, and nothing is held against the script', (arm) => {
    const { judgement, reason } = play([crash], { candidate: crashed, tripwire: tripped, [arm]: crashed }, [arm]);
    expect(judgement).toMatchObject({ verdict: 'reproduced_uncontrolled', findings: [] });
    expect(judgement.controls[0]).toMatchObject({ arm, state: 'undecided', note: 'the signal stays, so this is not what brings it about' });
    expect(reason).toBe('complete');
    const measured = { candidate: observed(2.5), tripwire: tripped, [arm]: observed(2.5) };
    expect(play([wrong], measured, [arm]).judgement).toMatchObject({ verdict: 'inconclusive', reason: 'control' });
  });

  it('are asked only where the control before them says nothing', () => {
    const all: ControlArm[] = ['fixed', 'trigger', 'sabotage'];
    const first = play([crash], { candidate: crashed, tripwire: tripped }, all);
    expect(all.map((arm) => asked(first, arm))).toEqual([3, 0, 0]);
    expect(first.judgement.controls[1]).toMatchObject({ arm: 'trigger', state: 'not-run', note: 'not needed' });
    const second = play([crash], { candidate: crashed, tripwire: tripped, fixed: elsewhere }, all);
    expect(all.map((arm) => asked(second, arm))).toEqual([3, 3, 0]);
    expect(second.judgement.verdict).toBe('reproduced');
    const third = play([crash], { candidate: crashed, tripwire: tripped, fixed: elsewhere, trigger: crashed }, all);
    expect(all.map((arm) => asked(third, arm))).toEqual([3, 1, 3]);
    expect(third.judgement.verdict).toBe('reproduced');
  });

  it('never outweigh a fix that keeps the signal', () => {
    const { judgement } = play([crash], { candidate: crashed, tripwire: tripped, fixed: crashed }, ['fixed', 'trigger', 'sabotage']);
    expect(judgement.verdict).not.toMatch(/^reproduced/);
  });
});

describe('lacksControl', () => {
  it('holds where the signal is there and nothing tells it apart', () => {
    expect(lacksControl(play([crash], { candidate: crashed, tripwire: tripped }, []).judgement)).toBe(true);
    expect(lacksControl(play([wrong], { candidate: observed(2.5), tripwire: tripped }, []).judgement)).toBe(true);
    expect(
      lacksControl(play([wrong], { candidate: observed(2.5), tripwire: tripped, trigger: observed(2.5) }, ['trigger']).judgement),
    ).toBe(true);
  });

  it('does not where the signal never came, a control told, or something else is wrong', () => {
    expect(lacksControl(play([crash], { candidate: ended }, []).judgement)).toBe(false);
    expect(lacksControl(play([crash], { candidate: crashed, tripwire: tripped }, ['fixed']).judgement)).toBe(false);
    expect(lacksControl(play([wrong], { candidate: observed(2.5), tripwire: tripped, fixed: observed(2.5) }, ['fixed']).judgement)).toBe(
      false,
    );
    expect(lacksControl(play([wrong], { candidate: observed(2.5), tripwire: observed(2.5) }, []).judgement)).toBe(false);
  });
});
