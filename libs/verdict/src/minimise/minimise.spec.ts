import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPythonSyntax, type PythonSyntax } from '@reenact/code-index';
import { Launch } from '@reenact/domain/schemas';
import type { Candidate, CutResult, CutVariant } from '@reenact/domain';
import { applyCuts, sizeOf } from './apply-cuts.js';
import { nextCut, NO_CUT } from './next-cut.js';
import { listCuts } from './script-cuts.js';

let python: PythonSyntax;
beforeAll(async () => {
  python = await loadPythonSyntax();
});

function candidateOf(text: string, argv: string[] = ['python', '@script/a.py'], ranks = 1): Candidate {
  const launch = Launch.parse({ schemaVersion: 1, steps: [{ argv, ranks }] });
  return { schemaVersion: 1, id: 'a', origin: 'given', files: [{ path: 'a.py', text }], launch, source: 'a', repairs: [] };
}
const textOf = (candidate: Candidate): string => candidate.files[0]?.text ?? '';
const isBroken = (text: string): boolean => {
  const tree = python.parse(text);
  try {
    return tree.rootNode.hasError;
  } finally {
    tree.delete();
  }
};

/** Carries a minimisation out; the fault is kept where `keeps` says so and the script is Python. */
function minimise(candidate: Candidate, keeps: (candidate: Candidate) => boolean, maxTests = 1000) {
  const cuts = listCuts(python, candidate);
  const results: CutResult[] = [];
  for (;;) {
    const step = nextCut(candidate, cuts, results, maxTests);
    const cut = applyCuts(candidate, cuts, step.variant);
    if (step.done) return { cut, results };
    results.push({ variant: step.variant, keeps: !isBroken(textOf(cut)) && keeps(cut) });
  }
}

const SCRIPT = `import sys
import json  # for nothing


def helper(values):
    """Adds up."""
    total = 0
    for value in values:
        # a comment
        total += value
    return total


class Unused:
    def method(self):
        return 1


def main():
    data = list(range(1000))
    if len(data) > 3:
        print("many")
    else:
        print("few")
    try:
        crash(data, 64)
    finally:
        print("done")


main()
`;

describe('applyCuts', () => {
  it('changes nothing without a cut', () => {
    const candidate = candidateOf(SCRIPT);
    expect(applyCuts(candidate, listCuts(python, candidate), NO_CUT)).toEqual(candidate);
  });

  it('leaves Python behind, whatever is taken out', () => {
    const candidate = candidateOf(SCRIPT);
    const cuts = listCuts(python, candidate);
    const all = cuts.statements.map((_, index) => index);
    fc.assert(fc.property(fc.subarray(all), (removed) => !isBroken(textOf(applyCuts(candidate, cuts, { ...NO_CUT, removed })))));
    expect(textOf(applyCuts(candidate, cuts, { ...NO_CUT, removed: all })).trim()).toBe('');
  });

  it('takes whole lines with the comment behind them, and leaves pass in a block that is emptied', () => {
    const candidate = candidateOf('import json  # note\n\nif True:\n    a = 1\n    b = 2\nc = 3\n');
    const cuts = listCuts(python, candidate);
    const at = (text: string) => cuts.statements.findIndex((cut) => textOf(candidate).slice(cut.start, cut.end) === text);
    const removed = [at('import json'), at('a = 1'), at('b = 2')].sort((a, b) => a - b);
    expect(textOf(applyCuts(candidate, cuts, { ...NO_CUT, removed }))).toBe('if True:\n    pass\nc = 3\n');
  });

  it('puts smaller numbers into script and command line, and fewer ranks into a step', () => {
    const candidate = candidateOf('train(steps=1000)\n', ['python', '@script/a.py', '--epochs=90', '64'], 8);
    const cuts = listCuts(python, candidate);
    expect(cuts.numbers.map(({ value }) => value)).toEqual([90, 64, 1000]);
    const numbers: CutVariant['numbers'] = [
      [0, 2],
      [2, 125],
    ];
    const cut = applyCuts(candidate, cuts, { removed: [], numbers, ranks: [[0, 2]] });
    expect(cut.launch.steps[0]).toMatchObject({ argv: ['python', '@script/a.py', '--epochs=2', '64'], ranks: 2 });
    expect(textOf(cut)).toBe('train(steps=125)\n');
  });
});

describe('nextCut', () => {
  it('keeps what the fault needs, and nothing else', () => {
    const { cut } = minimise(candidateOf(SCRIPT), (one) => /def main[^]*data = [^]*crash\(data, \d+\)[^]*\nmain\(\)/.test(textOf(one)));
    expect(textOf(cut)).toBe(`def main():
    data = list(range(2))
    try:
        crash(data, 2)
    finally:
        pass


main()
`);
  });

  it('brings a script of 200 lines down to 25 or fewer', () => {
    const filler = Array.from({ length: 60 }, (_, index) => `def unused_${index}(x):\n    return x + ${index}\n`).join('\n');
    const candidate = candidateOf(`import torch\n${filler}\nmodel = build()\n${'model.step()\n'.repeat(80)}model.save()\n`);
    expect(sizeOf(candidate).lines).toBeGreaterThanOrEqual(200);
    const { cut, results } = minimise(candidate, (one) => textOf(one).includes('model = build()') && textOf(one).includes('model.save()'));
    expect(sizeOf(cut).lines).toBeLessThanOrEqual(2);
    expect(results.length).toBeLessThan(60);
  });

  it('goes on from its results alone, as after a kill', () => {
    const candidate = candidateOf(SCRIPT);
    const cuts = listCuts(python, candidate);
    const { results } = minimise(candidate, (one) => textOf(one).includes('crash('));
    for (const count of [0, 1, 5, results.length - 1]) {
      const step = nextCut(candidate, cuts, results.slice(0, count), 1000);
      expect(step).toEqual({ done: false, variant: results[count]?.variant });
    }
  });

  it('ends at its limit with the smallest that kept the fault so far', () => {
    const { cut, results } = minimise(candidateOf(SCRIPT), (one) => textOf(one).includes('crash('), 6);
    expect(results).toHaveLength(6);
    expect(textOf(cut)).toContain('crash(');
  });

  it('gives the whole back where every cut loses the fault', () => {
    const candidate = candidateOf(SCRIPT, ['python', '@script/a.py', '100'], 4);
    expect(minimise(candidate, () => false).cut).toEqual(candidate);
  });
});
