import { describe, expect, it } from 'vitest';
import type { Verdict } from '@reenact/domain';
import type { CaseFolder, Truth } from './case-folder.js';
import { expected, formIn } from './expectation.js';
import { countErrors, questionsOf, renderTable, toItem } from './verdict-items.js';
import type { BenchQuestion } from './verdict-items.js';

const truth: Truth = {
  id: 'c',
  oracle: { reproduced_if_all: [{ obs: 'x', op: '>', value: 1 }], absent_if_all: [] },
  versions: { expected: { 'torch 1.13.1 CPU': 'fixed', 'torch 2.6.0 CPU': 'buggy' } },
  flaky: { unit: 'trial', p_measured: 0.4 },
};

function folder(patch: string | null): CaseFolder {
  const script = (name: string, kind: 'reference' | 'trap' | 'cheat', oracle: string | null) => ({ name, kind, text: '', oracle });
  const scripts = [
    script('reference_repro.py', 'reference', '{}'),
    script('non_repro.py', 'trap', null),
    script('cheat_a.py', 'cheat', '{}'),
  ];
  return { id: 'c', directory: '/c', report: new Uint8Array(), projectDirectory: '/c/project', patch, truth, scripts };
}

function verdict(state: Verdict['verdict'], low = 0.3, high = 1): Verdict {
  return {
    verdict: state,
    rate: { shown: 3, total: 3, low, high },
    trials: 7,
    seconds: 1,
    sentence: '',
    findings: [],
  } as unknown as Verdict;
}

describe('expectation', () => {
  it('takes the nearest listed version, and the first entry where there is none', () => {
    expect(formIn(truth, '1.13.0a0')).toBe('fixed');
    expect(formIn(truth, '2.10.1')).toBe('buggy');
    expect(formIn(truth, null)).toBe('fixed');
    expect(formIn({ ...truth, versions: { expected: { any: 'buggy' } } }, '2.6.0')).toBe('buggy');
  });

  it('lets only honest scripts on a faulty project show anything', () => {
    expect(expected('reference', 'buggy', 'buggy')).toBe('shown');
    expect(expected('honest', 'patched', 'buggy')).toBe('notShown');
    expect(expected('reference', 'buggy', 'fixed')).toBe('notShown');
    expect(expected('cheat', 'buggy', 'buggy')).toBe('notShown');
  });
});

describe('bench items', () => {
  const ask = (script: number, project: 'buggy' | 'patched' = 'buggy'): BenchQuestion => {
    const one = folder('patch');
    const chosen = one.scripts[script];
    if (chosen === undefined) throw new Error('no such script');
    return { folder: one, script: chosen, project, column: 'case' };
  };
  const environment = { label: 'torch 2.6.0', torch: '2.6.0' };

  it('asks in both columns where there is an oracle, and on the patched project where there is a patch', () => {
    expect(questionsOf([folder('patch')])).toHaveLength(9);
    expect(questionsOf([folder(null)])).toHaveLength(5);
  });

  it('never counts an undecided answer as right, and tells the kinds of mistakes apart', () => {
    const items = [
      toItem(ask(0), environment, verdict('reproduced')),
      toItem(ask(0), environment, verdict('reproduced', 0.5, 1)),
      toItem(ask(0), environment, verdict('not_shown')),
      toItem(ask(0, 'patched'), environment, verdict('reproduced_uncontrolled')),
      toItem(ask(2), environment, verdict('reproduced')),
      toItem(ask(1), environment, verdict('inconclusive')),
    ];
    expect(items.map((item) => item.ok)).toEqual([true, false, false, false, false, false]);
    const errors = countErrors(items);
    expect(errors).toEqual({ wrongReproduced: 2, wrongMissed: 1, wrongReason: 1, rateNotCovered: 1, undecided: 1 });
    expect(renderTable(items, errors)).toContain('1 of 6 ok');
  });
});
