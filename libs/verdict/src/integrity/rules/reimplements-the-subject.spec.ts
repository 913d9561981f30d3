import { describe, expect, it } from 'vitest';
import { createEvidence } from '../../testing/evidence-builder.js';
import { check, confirm } from '../fixtures/rule-bench.js';
import { FACETS, SUBJECT } from '../fixtures/subject.js';

const score = SUBJECT['scoring.py'] ?? '';
const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'reimplements-the-subject');
const copies = (fn: string) => own(check(`import learn\nlearn.learn(1)\n${fn}`, FACETS.accuracy));

describe('reimplements-the-subject', () => {
  it('suspects a copy under another name, and says of what', () => {
    expect(copies(score.replace('def score', 'def other'))).toMatchObject([
      { level: 'suspicion', file: 'repro.py', line: 3, detail: { target: 'score' }, message: 'other is nearly score of scoring.py' },
    ]);
  });

  it('looks at tokens, not at comments and blanks', () => {
    expect(copies(score.replaceAll('\n    ', '  # a comment of many words and signs ( ) [ ] { }\n    ')).length).toBe(1);
    const words = 'one two three four five six seven eight nine ten'.split(' ');
    const alike = (share: number) =>
      `def f():\n    return [${Array.from({ length: 40 }, (_, at) => (at < share ? 'label' : words[at % 10])).join(', ')}]\n`;
    expect(copies(alike(0))).toEqual([]);
  });

  it('takes a copy for one from thirty tokens on, and above three fifths of common ones', () => {
    const body = '    right = 0\n    for guess in guesses:\n        for label in labels:\n            right += guess == label\n';
    const copy = (name: string, ...more: string[]) =>
      copies(`def ${name}(guesses, labels):\n${body}${more.map((line) => `    ${line}\n`).join('')}`).length;
    expect([copy('score'), copy('score', 'return'), copy('score', 'return right')]).toEqual([0, 0, 1]);
    // Of 49 tokens of the original and 41 of the copy 27 are common: just three fifths.
    const others = Array.from({ length: 13 }, (_, index) => `other${index}`);
    expect([copy('f', ...others.slice(1)), copy('f', ...others)]).toEqual([1, 0]);
  });

  it('counts a token as often as both have it', () => {
    expect(copies(`def f(guesses, labels):\n    return [${'labels, '.repeat(40)}]\n`)).toEqual([]);
  });

  const text = `import learn\nlearn.learn(1)\n${score}print(f"OBS acc={score([1], [1])}")\n`;
  const obs = (acc: number) => createEvidence().modules('scoring.py').obs({ acc }).exit(0).build();
  const tripped = createEvidence().exception({ message: 'reenact-tripwire-sentinel-1' }).exit(1).build();
  const level = (arms: Parameters<typeof confirm>[2]) => own(confirm(text, FACETS.accuracy, arms))[0]?.level;

  it('is answered by control and tripwire', () => {
    expect(level({ candidate: obs(1) })).toBe('refuted');
    expect(level({ candidate: obs(4) })).toBe('suspicion');
    expect(level({ candidate: obs(4), fixed: obs(4) })).toBe('finding');
    expect(level({ candidate: obs(4), tripwire: obs(4) })).toBe('finding');
    expect(level({ candidate: obs(4), tripwire: tripped })).toBe('refuted');
  });
});
