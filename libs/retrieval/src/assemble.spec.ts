import type { SourceFile } from '@reenact/code-index';
import { indexSources } from '@reenact/code-index';
import type { Context, ContextQuery } from '@reenact/domain';
import { Context as ContextSchema } from '@reenact/domain/schemas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleContexts } from './assemble.js';
import { blockLines, BUDGET_BYTES, overlapShare } from './blocks.js';
import { rankInMemory } from './testing/rank-in-memory.js';

function python(files: Record<string, string>): SourceFile[] {
  return Object.entries(files).map(([file, text]) => ({ file, kind: 'python', text }));
}

async function contextsOf(files: SourceFile[], query: Partial<ContextQuery>): Promise<Context[]> {
  const code = await indexSources(files);
  return assembleContexts(code, await rankInMemory(code, query));
}

const PROJECT = python({
  'train.py':
    'import torch\nfrom meters import Meter\nfrom vision.net import Net\n\n\ndef fit(net, data):\n    meter = Meter()\n    for x in data:\n        loss = net(x).sum()\n        loss.backward()\n        meter.update(loss)\n    return meter\n',
  'meters.py': 'class Meter:\n    """Keeps a running average."""\n\n    def update(self, value):\n        self.total += value\n',
  'vision/__init__.py': '',
  'vision/net.py': 'import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return self.pool(x)\n',
  'audio/__init__.py': '',
  'audio/resample.py': 'def resample(wave, rate):\n    """Resamples a wave form of audio."""\n    return wave[::rate]\n',
});

describe('contexts', () => {
  it('puts the frames of the report first, then the loop, then what the words find', async () => {
    const frames = [
      { file: '/home/me/code/train.py', function: 'fit', line: 11 },
      { file: '/home/me/code/meters.py', function: 'update', line: 5 },
      { file: '/usr/lib/python3/dist-packages/torch/nn/modules/module.py', function: '_call_impl', line: 2 },
    ];
    const [first] = await contextsOf(PROJECT, { title: 'Running average is wrong', frames });
    expect(first?.blocks.slice(0, 2).map((block) => [block.role, block.file, block.name])).toEqual([
      ['frame', 'meters.py', 'Meter.update'],
      ['frame', 'train.py', 'fit'],
    ]);
    expect(first?.blocks.some((block) => block.name === 'Meter')).toBe(true);
  });

  it('shows the training loop with the definitions that it imports', async () => {
    const [first] = await contextsOf(PROJECT, { title: 'backward of the loss in fit' });
    expect(first?.blocks[0]).toMatchObject({ role: 'training-loop', file: 'train.py', name: 'fit', startLine: 6, endLine: 12 });
    expect(first?.blocks.filter((block) => block.role === 'dependency').map((block) => block.name)).toEqual(['Meter']);
  });

  it('makes the module that the report speaks of the first context, also without a loop', async () => {
    const [first] = await contextsOf(PROJECT, { title: 'resample breaks the wave form', symbols: ['resample'] });
    expect(first?.module).toBe('audio');
    expect(first?.blocks[0]?.file).toBe('audio/resample.py');
  });

  it('gives nothing for an empty tree and for words that occur nowhere', async () => {
    expect(await contextsOf([], { title: 'loss' })).toEqual([]);
    expect((await contextsOf(python({ 'a.py': 'x = 1\n' }), { title: 'zebra' })).flatMap((context) => context.blocks)).toEqual([]);
  });

  it('prefers the file that defines the function where two files bear the name', async () => {
    const files = python({ 'a/data.py': 'def load():\n    return 1\n', 'b/data.py': 'def save():\n    return 2\n' });
    const [first] = await contextsOf(files, { title: 'x', frames: [{ file: 'data.py', function: 'save' }] });
    expect(first?.blocks[0]).toMatchObject({ role: 'frame', file: 'b/data.py' });
  });

  it('cuts a huge function around the line of the frame and names it in the manifest', async () => {
    const body = Array.from({ length: 2000 }, (_, index) => `    value_${index} = compute(${index})`).join('\n');
    const [first] = await contextsOf(python({ 'big.py': `def run():\n${body}\n` }), {
      frames: [{ file: 'big.py', function: 'run', line: 1000 }],
    });
    const frame = first?.blocks[0];
    expect(frame?.role).toBe('frame');
    expect(frame?.text).toContain('value_998 =');
    expect(frame?.text.split('\n')).toHaveLength((frame?.endLine ?? 0) - (frame?.startLine ?? 0) + 1);
    expect(first?.cut[0]).toMatch(/^big\.py:1-2001 run, all but lines \d+-\d+$/);
  });
});

const WORDS = ['loss', 'train', 'batch', 'shape', 'rank', 'cache', 'audio', 'image'];
const word = fc.constantFrom(...WORDS);
const unit = fc.tuple(word, word, fc.integer({ min: 1, max: 20 })).map(([name, inner, size]) => {
  const body = Array.from(
    { length: size },
    (_, index) => `        self.${inner}_${index} = ${inner}(${name}, ${index})  # ${'wide '.repeat(40)}${index}`,
  ).join('\n');
  return `class ${name}:\n    def ${inner}(self, data):\n${body}\n        for x in data:\n            self.loss.backward()\n`;
});
const project = fc.dictionary(
  fc.tuple(word, word).map(([folder, file]) => `${folder}/${file}.py`),
  fc.array(unit, { minLength: 1, maxLength: 3 }).map((units) => units.join('\n')),
  { minKeys: 1, maxKeys: 6, noNullPrototype: true },
);
const query = fc.record({
  title: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
  body: fc.array(word, { maxLength: 10 }).map((words) => words.join(' ')),
  frames: fc.array(
    fc.record({
      file: fc.tuple(word, word).map(([folder, file]) => `/x/${folder}/${file}.py`),
      function: word,
      line: fc.integer({ min: 1, max: 200 }),
    }),
    { maxLength: 4 },
  ),
  symbols: fc.array(word, { maxLength: 3 }),
});

describe('contexts of any project', () => {
  it('are at most five, within budget, diverse, valid, and byte-identical for equal input in any file order', async () => {
    await fc.assert(
      fc.asyncProperty(project, query, async (files, asked) => {
        const contexts = await contextsOf(python(files), asked);
        const reversed = await contextsOf(python(files).reverse(), asked);
        expect(JSON.stringify(reversed)).toBe(JSON.stringify(contexts));
        expect(contexts.length).toBeLessThanOrEqual(5);
        contexts.forEach((context, place) => {
          expect(ContextSchema.parse(context).rank).toBe(place + 1);
          const bytes = (roles: string[]): number =>
            context.blocks.filter((block) => roles.includes(block.role)).reduce((sum, block) => sum + Buffer.byteLength(block.text), 0);
          expect(bytes(['training-loop'])).toBeLessThanOrEqual(BUDGET_BYTES['training-loop']);
          expect(bytes(['frame'])).toBeLessThanOrEqual(BUDGET_BYTES.frame);
          expect(bytes(['snippet', 'configuration'])).toBeLessThanOrEqual(BUDGET_BYTES.snippet);
          expect(bytes(['dependency'])).toBeLessThanOrEqual(BUDGET_BYTES.dependency);
          expect(context.bytes).toBeLessThanOrEqual(38_000);
          const lines = new Set(context.blocks.flatMap(blockLines));
          for (const other of contexts.slice(0, place))
            expect(overlapShare(lines, new Set(other.blocks.flatMap(blockLines)))).toBeLessThanOrEqual(0.6);
        });
      }),
      { numRuns: 20 },
    );
  });
});
