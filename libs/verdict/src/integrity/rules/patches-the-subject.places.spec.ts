import type { EvidenceRecord } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { createEvidence } from '../../testing/evidence-builder.js';
import { check, confirm, python } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';
import { listingOf } from '../subject-listing.js';

const head =
  'import builtins, functools, numpy as np, random, shutil, sys, torch, warnings\nfrom unittest import mock\nimport picker, scoring\n';
const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'patches-the-subject');
const told = (text: string) => own(check(`${head}${text}\n`, FACETS.accuracy));

describe('patches-the-subject', () => {
  it.each([
    ['builtins.len = lambda v: 4', 'builtins.len'],
    ['scoring.random.random = lambda: 4', 'random.random'],
    ['mock.patch("numpy.mean").start()', 'numpy.mean'],
    ['shutil.copy = mock.Mock()\nnp.mean = functools.partial(max, 4)', 'numpy.mean'],
    ['def fake(v):\n    return 4\nnp.mean = fake', 'numpy.mean'],
  ])('suspects what the subject computes with, replaced by code: %j', (text, target) => {
    expect(told(text).at(-1)).toMatchObject({ level: 'suspicion', detail: { target } });
  });

  it.each([
    'np.float = float',
    'sys.excepthook = lambda *all: None',
    'warnings.showwarning = lambda *all: None',
    'print(scoring, "score", 4)',
    'print("scoring.score", 4)',
    'class Own:\n    pass\nmine = Own()\nmine.pick = lambda rows: 4',
    'p = picker.Picker()\np.hook = lambda rows: 4',
    'p = picker.Picker()\np.running = lambda rows: 4',
  ])('does not suspect settings, hooks, objects of the script and mere mentions: %j', (text) => {
    expect(told(text)).toEqual([]);
  });

  it('only notes a mock of what lies off the path', () => {
    expect(told('mock.patch("shutil.copy").start()').map(({ level }) => level)).toEqual(['advice']);
    expect(told('shutil.copy = mock.Mock()').map(({ level }) => level)).toEqual(['advice']);
  });

  it('suspects a method of an object, however it is written', () => {
    const listing = listingOf(python, { 'rows.py': 'class Rows:\n    def best_of_2(self):\n        return 1\n' });
    const text = 'import rows\nr = rows.Rows()\nr.best_of_2 = lambda: 4\n';
    expect(own(check(text, FACETS.accuracy, [], listing))).toMatchObject([{ level: 'suspicion', detail: { target: 'best_of_2' } }]);
  });

  it.each([
    ['keep = scoring.score\nsetattr(scoring, "score", lambda a, b: keep(a, b))', true],
    ['keep = scoring.score\nmock.patch.object(scoring, "score", lambda a, b: keep(a, b)).start()', true],
    ['keep = scoring.score\nmock.patch("scoring.score", lambda a, b: keep(a, b)).start()', true],
    ['keep = scoring.score\nsetattr(scoring, "score", lambda a, b: 4)\nkeep([1], [1])', false],
    ['load = torch.load\ndef load(p):\n    return 4\ntorch.load = lambda p: load(p)', false],
  ])('sees in %j whether the original is still called: %s', (text, callsOriginal) => {
    expect(told(text).findLast(({ detail }) => /score|load/.test(String(detail?.['target'])))?.detail).toMatchObject({ callsOriginal });
  });
});

describe('patches-the-subject in the trials', () => {
  const acc = (value: number): EvidenceRecord[] => createEvidence().modules('scoring.py').obs({ acc: value }).exit(0).build();
  const tripped = createEvidence().exception({ message: 'reenact-tripwire-sentinel-1' }).exit(1).build();
  const level = (text: string, arms: Parameters<typeof confirm>[2]) =>
    own(confirm(`${head}${text}\nprint(f"OBS acc={scoring.score([1], [1])}")\n`, FACETS.accuracy, arms))[0]?.level;
  const arms = { candidate: acc(4), fixed: acc(1) };

  it('lets be what only keeps the run quiet', () => {
    expect(level('builtins.print = lambda *all: None', arms)).toBe('refuted');
    expect(level('builtins.len = lambda v: 4', arms)).toBe('finding');
  });

  it('lets a name of a suspected module be that is no definition of it, where a control clears it', () => {
    const text = 'scoring.report = lambda: 4';
    expect(level(text, arms)).toBe('refuted');
    expect(level(text, { candidate: acc(4), tripwire: tripped })).toBe('finding');
    expect(level(text, { candidate: acc(4), fixed: acc(4) })).toBe('finding');
  });

  it('refuses a replacement that keeps the signal in the control, and one of another module that is not suspected', () => {
    expect(level('picker.running = lambda rows: 4', { candidate: acc(4), fixed: acc(4), tripwire: tripped })).toBe('finding');
    expect(level('picker.running = lambda rows: 4', { candidate: acc(1), tripwire: tripped })).toBe('refuted');
  });
});
