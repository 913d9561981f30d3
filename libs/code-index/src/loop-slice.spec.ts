import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexSources } from './code-index.js';
import { loadPythonSyntax } from './python-syntax.js';
import type { TrainingLoop } from './training-files.js';

async function loopsIn(files: Record<string, string>): Promise<TrainingLoop[]> {
  const sources = Object.entries(files).map(([file, text]) => ({ file, kind: 'python' as const, text }));
  return (await indexSources(sources)).loops;
}

describe('loop slices', () => {
  const text = `import torch

WIDTH = 3
UNUSED = 4
model = make(WIDTH)
other = make(UNUSED)
if ready:
    seed = 1
    for epoch in range(2):
        for x in data:
            model(x, seed).backward()
print(other)
`;

  it('keeps the loop, the blocks around it and the assignments that it needs', async () => {
    const [loop] = await loopsIn({ 'train.py': text });
    expect(loop?.text).toBe(
      'WIDTH = 3\n# …\nmodel = make(WIDTH)\n# …\nif ready:\n    seed = 1\n    for epoch in range(2):\n        for x in data:\n            model(x, seed).backward()',
    );
    expect([loop?.startLine, loop?.endLine, loop?.name, loop?.function]).toEqual([3, 11, 'train', null]);
  });

  it('knows the function around the loop, with its decorators', async () => {
    const [loop] = await loopsIn({
      'a/b.py':
        'class T:\n    @timed\n    def fit(self, data):\n        n = 0\n        for x in data:\n            self.loss.backward()\n        return n\n',
    });
    expect(loop?.name).toBe('T.fit');
    expect(loop?.function).toMatchObject({ startLine: 2, endLine: 7 });
    expect(loop?.text).toBe('    def fit(self, data):\n        # …\n        for x in data:\n            self.loss.backward()');
  });

  it('stays Python within blocks, and shows what a step in an else or a try stands in', async () => {
    const [loop] = await loopsIn({
      'train.py':
        'def go(data, fast):\n    if (\n        fast\n    ):\n        warm()\n    else:\n        try:\n            for x in data:\n                f(x).backward()\n        except ValueError:\n            report()\n            raise\n',
    });
    expect(loop?.text).toBe(
      'def go(data, fast):\n    if (\n        fast\n    ):\n        ...  # …\n    else:\n        try:\n            for x in data:\n                f(x).backward()\n        except ValueError:\n            ...  # …',
    );
  });

  it('cuts a long loop down to the step, what it needs and the blocks around them', async () => {
    const filler = Array.from({ length: 300 }, (_, index) => `            log_${index}(x, "${'wide '.repeat(8)}")\n`).join('');
    const [loop] = await loopsIn({
      'train.py': `def go(data):\n    scale = 2\n    unused = 3\n    for x in data:\n        if x:\n${filler}            y = x * scale\n${filler}        else:\n            y = 0\n        loss = f(y)\n        loss.backward()\n`,
    });
    expect(loop?.text).toBe(
      'def go(data):\n    scale = 2\n    # …\n    for x in data:\n        if x:\n            # …\n            y = x * scale\n        # …\n        else:\n            y = 0\n        loss = f(y)\n        loss.backward()',
    );
  });
});

const SIMPLE: string[][] = [
  ['loss.backward()'],
  ['optimizer.step()'],
  ['x = f(y)'],
  ['y = g(x, z)'],
  ['z = (', '    x,', ')'],
  ['log(x)'],
  ['pass'],
];

const statement: fc.Arbitrary<string[]> = fc.letrec<{ statement: string[]; block: string[] }>((tie) => ({
  block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((inner) => inner.flat().map((line) => `    ${line}`)),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...SIMPLE).map((lines) => [...lines]),
    tie('block').map((block) => ['for x in data:', ...block]),
    tie('block').map((block) => ['while more(x):', ...block]),
    tie('block').map((block) => ['with open(y) as z:', ...block]),
    fc.tuple(tie('block'), tie('block')).map(([first, second]) => ['if (', '    x', '):', ...first, 'else:', ...second]),
    fc.tuple(tie('block'), tie('block')).map(([first, second]) => ['try:', ...first, 'except E:', ...second]),
    fc.tuple(tie('block'), tie('block')).map(([first, second]) => ['try:', ...first, 'finally:', ...second]),
    tie('block').map((block) => ['def inner(x):', ...block]),
    fc.integer({ min: 2, max: 80 }).map((size) => Array.from({ length: size }, (_, index) => `wide_${index}("${'w '.repeat(60)}")`)),
  ),
})).statement;

describe('slices of any loop', () => {
  it('are Python within their indentation, and bounded', async () => {
    const syntax = await loadPythonSyntax();
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 3 }), async (statements) => {
        const body = statements.flat().map((line) => `    ${line}`);
        const loops = await loopsIn({ 'train.py': ['def go(data):', ...body, ''].join('\n') });
        for (const loop of loops) {
          const tree = syntax.parse(`${dedented(loop.text)}\n`);
          const isClean = !tree.rootNode.hasError;
          tree.delete();
          expect(isClean, loop.text).toBe(true);
          expect(loop.text.length).toBeLessThanOrEqual(20_000);
        }
      }),
      { numRuns: 60 },
    );
  });
});

function dedented(text: string): string {
  const lines = text.split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join('\n');
}
