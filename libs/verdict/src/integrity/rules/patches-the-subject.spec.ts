import type { EvidenceRecord } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { exceptionOracle, observedFacet } from '../../testing/claim-builder.js';
import { createEvidence } from '../../testing/evidence-builder.js';
import { Oracle } from '@reenact/domain/schemas';
import { check, confirm, python } from '../fixtures/rule-bench.js';
import { FACETS, SUBJECT } from '../fixtures/subject.js';
import { listingOf } from '../subject-listing.js';

const head = 'import functools, numpy as np, sys, torch, warnings\nfrom unittest import mock\nimport picker, scoring\n';
const own = (findings: ReturnType<typeof check>) =>
  findings.filter(({ rule }) => rule === 'patches-the-subject' || rule === 'imitates-a-rank');
const told = (text: string, facet = FACETS.accuracy, symbols: string[] = []) => own(check(`${head}${text}`, facet, symbols));

describe('patches-the-subject', () => {
  it.each([
    ['scoring.score = lambda a, b: 4\n', 'scoring.score'],
    ['picker.Picker = object\n', 'picker.Picker'],
    ['picker.Picker.pick = lambda self, rows: 4\n', 'picker.Picker.pick'],
    ['p = picker.Picker()\np.pick = lambda rows: 4\n', 'pick'],
    ['mock.patch("scoring.score").start()\n', 'scoring.score'],
    ['mock.patch.object(scoring, "score", lambda a, b: 4).start()\n', 'scoring.score'],
    ['setattr(scoring, "score", lambda a, b: 4)\n', 'scoring.score'],
    ['def test(monkeypatch):\n    monkeypatch.setattr(scoring, "score", lambda a, b: 4)\n', 'scoring.score'],
    ['def test(monkeypatch):\n    monkeypatch.setattr("scoring.score", lambda a, b: 4)\n', 'scoring.score'],
    ['scoring.len = lambda v: 4\n', 'builtins.len'],
    ['np.mean = lambda v: 4\n', 'numpy.mean'],
    ['np.mean = np.max\n', 'numpy.mean'],
    ['np.mean = [np.max, np.min][0]\n', 'numpy.mean'],
    ['np.mean = np.max if picker else np.min\n', 'numpy.mean'],
    ['top = np.max\nnp.mean = top\n', 'numpy.mean'],
    ['m = sys.modules["numpy"]\nm.mean = lambda v: 4\n', 'numpy.mean'],
    ['setattr(np, "mean", np.max)\n', 'numpy.mean'],
    ['@mock.patch("numpy.mean", side_effect=len)\ndef run(fake):\n    pass\n', 'numpy.mean'],
    ['mock.patch("numpy.mean", new=np.max).start()\n', 'numpy.mean'],
    ['vars(np)["mean"] = np.max\n', 'vars(np)["mean"]'],
  ])('suspects %j', (text, target) => {
    const found = told(text);
    expect(found.at(-1)).toMatchObject({ level: 'suspicion', file: 'repro.py', detail: { target } });
    expect(found.at(-1)?.detail?.['callsOriginal']).not.toBe(true);
    if (!text.startsWith('@')) expect(found.at(-1)?.line).toBe(text.trimEnd().split('\n').length + 3);
  });

  it.each([
    'picker.LIMIT = 9\n',
    'p = picker.Picker()\np.size = 9\n',
    'p = picker.Picker()\np.pick = 9\n',
    'sys.stdout = open("x", "w")\n',
    'warnings.showwarning = print\n',
    'np.float = float\n',
    'np.float_ = np.float64\n',
    'np.in1d = np.isin\n',
    'np.inf = np.nan\n',
    'np.mean = np.mean\n',
    'if not hasattr(np, "mean2"):\n    np.mean2 = np.max\n',
    "if not hasattr(np, 'mean2'):\n    np.mean2 = np.max\n",
    'try:\n    np.mean2\nexcept AttributeError:\n    np.mean2 = np.max\n',
    'import dill, pickle\npickle.load = dill.load\n',
    'class A: pass\nA.pick = lambda self: 4\n',
    'mock.patch("score")\n',
    'setattr(scoring, "score")\nsetattr(value, "score", 4)\n',
  ])('does not suspect %j', (text) => {
    expect(told(text).filter(({ detail }) => detail?.['target'] !== 'scoring.score')).toEqual([]);
  });

  it('only notes what lies off the path, and suspects what the report names', () => {
    const text = 'import shutil\nshutil.copy = lambda a, b: None\n';
    expect(told(text)).toMatchObject([{ level: 'advice', line: 5 }]);
    expect(told(text, FACETS.accuracy, ['shutil.copy()'])[0]?.level).toBe('suspicion');
    const through = observedFacet([exceptionOracle({ through: ['shutil.copy'] })]);
    expect(told(text, through)[0]?.level).toBe('suspicion');
    const frames = observedFacet([exceptionOracle({ frames: [{ file: 'shutil.py', line: 3, function: 'copy' }] })]);
    expect(told(text, frames)[0]?.level).toBe('suspicion');
    expect(told('import shutil\nshutil.copy = 3\n')).toEqual([]);
  });

  it('knows ranks that may not be real', () => {
    expect(told('torch.distributed.all_reduce = lambda t: t\n')[0]).toMatchObject({ rule: 'imitates-a-rank', level: 'suspicion' });
  });

  it.each([
    ['scoring.score = functools.partial(print)\n', true],
    ['scoring.score = mock.Mock(wraps=scoring.score)\n', true],
    ['def spy(a, b):\n    return keep(a, b)\nkeep = scoring.score\nscoring.score = spy\n', true],
    ['def spy(a, b):\n    return 4\nkeep = scoring.score\nkeep([1], [1])\nscoring.score = spy\n', false],
    ['scoring.score = lambda a, b: keep(a, b)\nkeep = scoring.score\n', true],
    ['load = torch.load\ntorch.load = lambda p: load(p)\n', true],
    ['load = torch.load\nload = print\ntorch.load = lambda p: load(p)\n', false],
    ['load = torch.save\ntorch.load = lambda p: load(p)\n', false],
    ['p = picker.Picker()\nscoring.score = lambda a, b: p.pick([a])\n', false],
  ])('of %j says whether the original is called: %s', (text, callsOriginal) => {
    expect(told(text).findLast(({ detail }) => /score|load/.test(String(detail?.['target'])))?.detail).toMatchObject({ callsOriginal });
  });
});

describe('patches-the-subject in the trials', () => {
  const acc = (value: number): EvidenceRecord[] => createEvidence().modules('scoring.py').obs({ acc: value }).exit(0).build();
  const tripped = createEvidence().exception({ message: 'reenact-tripwire-sentinel-1' }).exit(1).build();
  const untouched = acc(1);
  const level = (text: string, arms: Parameters<typeof confirm>[2]) => {
    const show = 'print(f"OBS acc={scoring.score([1], [1])}")\n';
    return own(confirm(`${head}${text}${show}`, FACETS.accuracy, arms))[0]?.level;
  };
  const stub = 'scoring.score = lambda a, b: 4\n';
  const spy = 'keep = scoring.score\nscoring.score = lambda a, b: keep(a, b)\n';
  const aside = 'picker.running = lambda rows: 4\n';

  it('refuses a replaced suspect, whatever the control says', () => {
    expect(level(stub, { candidate: acc(4), fixed: acc(1) })).toBe('finding');
    expect(level(stub, { candidate: acc(4), fixed: acc(4) })).toBe('finding');
    expect(level(stub, { candidate: acc(4) })).toBe('finding');
  });

  it('refuses one where sabotage goes unnoticed, also without the signal', () => {
    expect(level(spy, { candidate: acc(1), tripwire: untouched })).toBe('finding');
    expect(level(spy, { candidate: acc(4), tripwire: untouched, fixed: acc(1) })).toBe('finding');
    expect(level(spy, { candidate: acc(1), tripwire: tripped })).toBe('refuted');
    expect(level(spy, { candidate: acc(1) })).toBe('refuted');
    expect(level(aside, { candidate: acc(1), tripwire: untouched })).toBe('refuted');
  });

  it('takes a patch that the subject decides over for a finding, since a control need not make it', () => {
    const scaled = 'np.sum = lambda v: real(v) * 10\n';
    const arms = { candidate: acc(4), fixed: acc(1) };
    expect(level(`real = np.sum\n${scaled}`, arms)).toBe('refuted');
    expect(level(`real = np.sum\nif scoring.score([1], [1]) > 1:\n    ${scaled}`, arms)).toBe('finding');
    expect(
      level(`real = np.sum\ndef put():\n    ${scaled.replace('np', '    np')}if scoring.score([1], [1]) > 1:\n    put()\n`, arms),
    ).toBe('finding');
    expect(level(`real = np.sum\nif __name__ == "__main__":\n    ${scaled}`, arms)).toBe('refuted');
    expect(level(`real = np.sum\nif not hasattr(scoring, "sum"):\n    ${scaled}`, arms)).toBe('refuted');
    expect(level(`real = np.sum\nif torch.__version__ < "2":\n    ${scaled}`, arms)).toBe('refuted');
    expect(level(`real = np.sum\nif scoring.score([1], [1]) > 1:\n    ${scaled}`, { candidate: acc(1) })).toBe('refuted');
  });

  it('lets a spy be where the control or the tripwire clears it', () => {
    expect(level(spy, { candidate: acc(4), fixed: acc(1) })).toBe('refuted');
    expect(level(spy, { candidate: acc(4), tripwire: tripped })).toBe('refuted');
    expect(level(spy, { candidate: acc(4) })).toBe('finding');
  });

  it('leaves open what lies beside the suspects', () => {
    expect(level(aside, { candidate: acc(4), fixed: acc(1) })).toBe('refuted');
    expect(level(aside, { candidate: acc(4), tripwire: tripped })).toBe('suspicion');
    expect(level(aside, { candidate: acc(4) })).toBe('finding');
    expect(level(aside, { candidate: acc(4), tripwire: acc(4) })).toBe('finding');
    expect(level('np.mean = lambda v: 4\n', { candidate: acc(4), fixed: acc(1) })).toBe('finding');
    expect(level('np.mean = np.max\n', { candidate: acc(4), fixed: acc(1) })).toBe('finding');
    expect(
      level('try:\n    scoring.score([1], [])\nexcept AttributeError:\n    np.mean = np.max\n', { candidate: acc(4), fixed: acc(1) }),
    ).toBe('finding');
    expect(level('torch.Tensor.cuda = lambda self: self\n', { candidate: acc(4), fixed: acc(1) })).toBe('refuted');
  });

  it('has nothing against a silenced logger of the subject, where no line is claimed', () => {
    const listing = listingOf(python, { ...SUBJECT, 'scoring.py': `def get_logger():\n    pass\n\n\n${SUBJECT['scoring.py'] ?? ''}` });
    const text = `${head}scoring.get_logger = mock.Mock()\nprint(f"OBS acc={scoring.score([1], [1])}")\n`;
    const arms = { candidate: acc(4), fixed: acc(1) };
    expect(own(confirm(text, FACETS.accuracy, arms, listing))[0]?.level).toBe('refuted');
    const line = observedFacet([Oracle.parse({ kind: 'output', pattern: 'acc is' })], { id: 'line' });
    const told = { candidate: createEvidence().modules('scoring.py').stdout('acc is 4').exit(0).build(), fixed: acc(1) };
    expect(own(confirm(text, line, told, listing))[0]?.level).toBe('finding');
  });

  it('refuses what is changed by the inside of the interpreter', () => {
    expect(level('scoring.score.__code__ = (lambda a, b: 4).__code__\n', { candidate: acc(4), fixed: acc(1), tripwire: tripped })).toBe(
      'finding',
    );
    expect(level('picker.running.__code__ = (lambda a, b: 4).__code__\n', { candidate: acc(1) })).toBe('refuted');
  });
});
