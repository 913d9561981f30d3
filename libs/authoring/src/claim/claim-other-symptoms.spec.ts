import { describe, expect, it } from 'vitest';
import { observedFacets, onlyOracle } from '../testing/claimed.js';

describe('symptoms without a check of today', () => {
  it.each([
    ['# Memory grows with every step\n', 'trend'],
    ['# Host RAM leaks in the evaluation loop\n', 'trend'],
    ['# Training gets slower over time\n', 'slow'],
    ['# Results differ from run to run although all seeds are set\n', 'nondeterminism'],
    ['# The two ranks have different weights after the first step\n', 'desync'],
    ['# Outputs on CPU and on GPU differ\n\nThe output on CPU differs a lot.', 'differential'],
    ['# After loading the checkpoint the predictions are wrong\n', 'roundtrip'],
  ])('names %j', (text, kind) => {
    const facets = observedFacets(text);
    expect(facets.map((facet) => facet.oracles[0]?.kind)).toEqual([kind]);
    expect(facets[0]?.note).toBeTruthy();
  });

  it('keeps the words of a symptom that no rule knows', () => {
    const facets = observedFacets('# Augmentation mixes the labels of wrong images\n\n`python show.py`');
    expect(facets).toMatchObject([{ oracles: [], statement: 'Augmentation mixes the labels of wrong images' }]);
    expect(facets[0]?.note).toBeTruthy();
  });

  it('says that an error without type and message cannot be checked', () => {
    expect(observedFacets('# Training crashes in the second epoch\n\n`python train.py`')).toMatchObject([
      { oracles: [], shownBy: 'harness', note: expect.stringContaining('neither') },
    ]);
  });

  it('takes "Killed" for no memory fault', () => {
    expect(observedFacets('# Job ends\n\n```\nepoch 1\nKilled\n```\n')).toMatchObject([
      { oracles: [], note: expect.stringContaining('Killed') },
    ]);
  });

  it('reads a signal', () => {
    expect(onlyOracle('# Crash\n\n```\nepoch 1\nSegmentation fault (core dumped)\n```\n')).toEqual({
      kind: 'exit',
      op: '==',
      signal: 'SIGSEGV',
    });
    expect(onlyOracle('# The loader segfaults with pinned memory\n')).toEqual({ kind: 'exit', op: '==', signal: 'SIGSEGV' });
    expect(onlyOracle('# Process ends by itself\n\nIt exits with code 17 after the first epoch.')).toEqual({
      kind: 'exit',
      op: '==',
      code: 17,
    });
  });

  it('reads a warning that the report is about', () => {
    const text =
      '# Scheduler warning on every start\n\n```\ntrain.py:12: UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`.\n```\n';
    const oracle = onlyOracle(text);
    expect(oracle).toMatchObject({ kind: 'warning', category: 'UserWarning' });
    expect(
      oracle.kind === 'warning' &&
        new RegExp(oracle.pattern ?? '').test('Detected call of `lr_scheduler.step()` before `optimizer.step()`.'),
    ).toBe(true);
  });
});
