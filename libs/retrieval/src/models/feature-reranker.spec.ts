import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RerankCandidate, RerankQuery } from '@reenact/domain';
import { FEATURE_WEIGHTS, createFeatureReranker, rerankFeatures, scoreFeatures } from './feature-reranker.js';
import type { RerankFeatures } from './feature-reranker.js';
import { rerankerContract } from './testing/reranker-contract.js';

const QUERY: RerankQuery = {
  title: 'Loss is NaN after resuming from a checkpoint',
  errors: ["RuntimeError: expected scalar type Half but found Float in optimizer state 'exp_avg'"],
  frames: [{ file: '/home/user/project/train/loop.py', function: 'resume', line: 42 }],
  symbols: ['trainer.Checkpoint.load', 'scaler'],
};

const candidate = (changes: Partial<RerankCandidate> = {}): RerankCandidate => ({
  file: 'lib/other.py',
  kind: 'function',
  name: 'unrelated',
  startLine: 1,
  endLine: 10,
  text: 'def unrelated():\n    pass',
  score: 0.4,
  ...changes,
});

describe('createFeatureReranker', () => {
  rerankerContract(async () => createFeatureReranker());

  it.each([
    ['the function of a frame', { file: 'train/loop.py', name: 'Loop.resume' }],
    ['the lines of a frame', { file: 'train/loop.py', startLine: 40, endLine: 44 }],
    ['the file of a frame', { file: 'train/loop.py' }],
    ['the definition of a symbol', { name: 'Checkpoint.load' }],
    ['the use of a symbol', { text: 'def unrelated():\n    scaler.step()' }],
    ['the place that raises', { text: "raise RuntimeError('expected scalar type Half but found Float')" }],
  ])('puts %s first', async (_, changes) => {
    const [plain, better] = await createFeatureReranker().rerank(QUERY, [candidate(), candidate(changes)]);
    expect(better).toBeGreaterThan(plain!);
  });

  it('leaves the order of the search where a report names no place', async () => {
    const plain = { title: QUERY.title, errors: [], frames: [], symbols: [] };
    const [first, second] = [candidate({ score: 0.6 }), candidate({ score: 0.5, text: `def unrelated():\n    "${QUERY.title}"` })];
    const [better, worse] = await createFeatureReranker().rerank(plain, [first, second]);
    expect(better).toBeGreaterThan(worse!);
  });

  it('puts a test behind what it tests', async () => {
    const paths = ['lib/loop.py', 'tests/loop.py', 'lib/test_loop.py', 'lib/loop_test.py', 'latest/loop.py', 'contest/loop.py'];
    const scores = await createFeatureReranker().rerank(
      QUERY,
      paths.map((file) => candidate({ file, startLine: 100, endLine: 110 })),
    );
    expect(scores.map((score) => score < scores[0]!)).toEqual([false, true, true, true, false, false]);
  });

  it('takes a file of the same name for half a match only', () => {
    expect(rerankFeatures(QUERY, candidate({ file: 'eval/loop.py', name: 'resume' }))).toMatchObject({
      frameFile: 0.5,
      frameFunction: 0.5,
    });
    expect(rerankFeatures(QUERY, candidate({ file: 'train/loop.py', name: 'resume' }))).toMatchObject({ frameFile: 1, frameFunction: 1 });
    expect(rerankFeatures(QUERY, candidate({ file: 'my_train/loop.py' }))).toMatchObject({ frameFile: 0.5 });
  });

  it('never loses by a feature, but by being a test', () => {
    const feature = fc.double({ min: 0, max: 1, noNaN: true });
    const names = Object.keys(FEATURE_WEIGHTS) as (keyof RerankFeatures)[];
    const features = fc.record(Object.fromEntries(names.map((name) => [name, feature])) as Record<keyof RerankFeatures, typeof feature>);
    fc.assert(
      fc.property(features, fc.constantFrom(...names), feature, (given, name, raised) => {
        const more = { ...given, [name]: Math.max(given[name], raised) };
        const gain = scoreFeatures(more) - scoreFeatures(given);
        if (name === 'test') expect(gain).toBeLessThanOrEqual(1e-12);
        else expect(gain).toBeGreaterThanOrEqual(-1e-12);
      }),
    );
  });

  it('keeps every feature between 0 and 1 for hostile reports', () => {
    const words = fc.array(fc.string({ maxLength: 30 }), { maxLength: 5 });
    const frames = fc.array(fc.record({ file: fc.string(), function: fc.string(), line: fc.integer() }), { maxLength: 3 });
    const report = fc.record({ title: fc.string(), errors: words, symbols: words, frames });
    fc.assert(
      fc.property(report, fc.string(), (query, text) => {
        for (const value of Object.values(rerankFeatures(query, candidate({ text })))) expect(value >= 0 && value <= 1).toBe(true);
      }),
    );
  });
});
