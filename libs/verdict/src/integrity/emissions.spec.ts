import { describe, expect, it } from 'vitest';
import { collectEmissions, collectObservations } from './emissions.js';
import { python, subject } from './fixtures/rule-bench.js';
import { FROM_SUBJECT, has } from './labels.js';
import { followScript, type ScriptFlow } from './script-flow.js';
import { HOLE } from './text-template.js';

function following<T>(text: string, ask: (flow: ScriptFlow) => T): T {
  const flow = followScript(python, [{ path: 'repro.py', text: `import sys, os, logging, warnings, reenact\n${text}\n` }], subject);
  if (flow === null) throw new Error('the script cannot be read');
  try {
    return ask(flow);
  } finally {
    flow.dispose();
  }
}
/** Texts that a script writes, computed parts as □. */
const written = (text: string): string[] =>
  following(text, (flow) =>
    collectEmissions(flow).map(({ template }) =>
      [...template.text].map((character) => (character >= HOLE.first && character <= HOLE.last ? '□' : character)).join(''),
    ),
  );
/** Name, literal and choices of what a script observes. */
const observed = (text: string): unknown[] =>
  following(text, (flow) => collectObservations(collectEmissions(flow)).map(({ name, literal, choices }) => [name, literal, choices]));

describe('collectEmissions', () => {
  it.each([
    ['print("a", "b")', ['a b']],
    ['print("a", "b", sep="")', ['ab']],
    ['print("a", "b", sep=", ")', ['a, b']],
    ['print("a", "b", end="")', ['a b']],
    ['print("a", # no\n  "b")', ['a b']],
    ['print("a", n)', ['a □']],
    ['sys.stdout.write("a")', ['a']],
    ['stderr.write("a")', ['a']],
    ['handle.write("a")', []],
    ['os.write(1, b"a")', ['a']],
    ['logging.error("a")', ['a']],
    ['from logging import error\nerror("a")', ['a']],
    ['from logging import getLogger\ngetLogger("a")', []],
    ['log.info("a")', ['a']],
    ['rows.info("a")', []],
    ['log.append("a")', []],
    ['warnings.warn("a", UserWarning)', ['a']],
    ['sys.exit("a")', ['a']],
    ['sys.exit(3)', []],
    ['sys.exit("a" "b")', ['ab']],
    ['reenact.observe("a", 3)', ['a 3']],
    ['other.observe("a", 3)', []],
    ['str("a")', []],
  ])('of %j: %j', (text, expected) => {
    expect(written(text)).toEqual(expected);
  });

  it('takes what decides over a text, and over whether it is written', () => {
    const decided = (text: string): boolean =>
      following(`import scoring\nvalue = scoring.score([1], [1])\n${text}`, (flow) =>
        has(collectEmissions(flow)[0]?.labels ?? 0, FROM_SUBJECT),
      );
    expect(decided('print("a")')).toBe(false);
    expect(decided('print("a", value)')).toBe(true);
    expect(decided('if value:\n    print("a")')).toBe(true);
  });
});

describe('collectObservations', () => {
  it.each([
    [
      'print("OBS acc=3 loss=0.5")',
      [
        ['acc', '3', []],
        ['loss', '0.5', []],
      ],
    ],
    ['print("  OBS acc=3")', [['acc', '3', []]]],
    ['print("first\\nOBS acc=3\\nlast=4")', [['acc', '3', []]]],
    ['print("an OBS acc=3")', []],
    ['print("OBSERVED acc=3")', []],
    ['print("acc=3")', []],
    ['print("OBS acc")', []],
    ['print(f"OBS acc={n}")', [['acc', null, []]]],
    ['print(f"OBS acc={3 if n else 4}")', [['acc', null, ['3', '4']]]],
    ['print(f"OBS acc={3 if n else 4}0")', [['acc', null, []]]],
    [
      'print(f"OBS a={n} b={3 if n else 4}")',
      [
        ['a', null, []],
        ['b', null, ['3', '4']],
      ],
    ],
    ['print(f"OBS {n}=3")', [[null, '3', []]]],
    ['print("OBS", n)', [[null, null, []]]],
    [
      'print("OBS acc=3", n)',
      [
        ['acc', '3', []],
        [null, null, []],
      ],
    ],
    ['print(n)', [[null, null, []]]],
    ['print("acc", n)', []],
    ['reenact.observe("acc", 3)', [['acc', '3', []]]],
    ['reenact.observe("acc", n)', [['acc', null, []]]],
    ['reenact.observe(n, 3)', [[null, '3', []]]],
  ])('of %j: %j', (text, expected) => {
    expect(observed(text)).toEqual(expected);
  });

  it.each([
    'print(f"OBS a={value} b={n}")',
    'print(f"OBS b={n} a=%s" % value)',
    'print(f"OBS b={n} a={{}}".format(value))',
    'print(f" b={n} ".join(["OBS", f"a={value}"]))',
  ])('gives each pair of a line what decides over it alone: %s', (text) => {
    const fromSubject = following(`import scoring\nvalue = scoring.score([1], [1])\nn = 4\nn = n * 1\n${text}`, (flow) =>
      Object.fromEntries(collectObservations(collectEmissions(flow)).map(({ name, labels }) => [name, has(labels, FROM_SUBJECT)])),
    );
    expect(fromSubject).toEqual({ a: true, b: false });
  });
});
