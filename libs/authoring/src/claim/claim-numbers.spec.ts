import type { Oracle } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { onlyOracle, oracleKinds } from '../testing/claimed.js';

describe('numbers', () => {
  const printed = (text: string): Oracle => {
    const oracle = onlyOracle(text);
    expect(oracle.kind).toBe('printed');
    return oracle;
  };

  it.each([
    ['# Test accuracy above 1\n\ntorch 2.2', { op: '>', right: 1 }],
    ['# Metric is odd\n\nThe validation accuracy that is printed is about 3.', { op: '>', right: 1 }],
    ['# Accuracy of 140 %\n\nThe accuracy is 140 % after the first epoch.', { op: '>', right: 100 }],
    ['# Loss becomes negative\n\nCross entropy.', { op: '<', right: 0 }],
    ['# Loss stays at 0.6931\n\nBinary classifier.', { op: 'approx', right: 0.6931, take: 'all' }],
    ['# Model does not learn\n\nThe loss is stuck around 2.303 in all epochs.', { op: 'approx', right: 2.303, take: 'all' }],
    ['# F1 score too high\n\nThe F1 score is 1.3, it should lie between 0 and 1.', { op: '>', right: 1 }],
    ['# Perplexity of 0.4\n\nThe perplexity is 0.4 on the test set.', { op: '<', right: 1 }],
  ])('binds %j', (text, expected) => {
    expect(printed(text)).toMatchObject(expected);
  });

  it.each([
    ['val_acc=2.4', 'accuracy', '2.4'],
    ['epoch 3 val loss 0.1 acc 2.475', 'accuracy', '2.475'],
    ['Accuracy: 1.5e+00', 'accuracy', '1.5e+00'],
  ])('finds the number in %j', (line, _metric, number) => {
    const oracle = printed('# Validation accuracy above 1\n');
    const pattern = oracle.kind === 'printed' ? new RegExp(oracle.pattern, oracle.flags) : /$^/;
    expect(pattern.exec(line)?.[1]).toBe(number);
  });

  it.each(['accuracyless 3', 'vacc 3', 'acc', 'accuracy of model 7 is fine'])('finds none in %j', (line) => {
    const oracle = printed('# Validation accuracy above 1\n');
    expect(oracle.kind === 'printed' && new RegExp(oracle.pattern, oracle.flags).exec(line)).toBeNull();
  });

  it('allows a plateau the noise of its last digits, not more', () => {
    const oracle = printed('# Loss stays at 1.0986\n');
    expect(oracle.kind === 'printed' ? oracle.absolute : 1).toBeLessThan(0.01);
  });

  it.each([
    ['# Loss turns into NaN\n\nAfter 3 steps.', { which: 'nan', name: 'loss' }],
    ['# NaN after a few steps\n\nFrom step 4 on the loss is `nan`.', { which: 'nan', name: 'loss' }],
    ['# Gradients are inf\n\nThe gradient norm goes to inf with fp16.', { which: 'inf' }],
    ['# Weights are NaN after loading\n', { which: 'nan' }],
  ])('reads numbers that are none: %j', (text, expected) => {
    expect(onlyOracle(text)).toMatchObject({ kind: 'nonfinite', ...expected });
  });

  it.each([
    '# Sampler\n\nThe infinite sampler gives the same order in every epoch.',
    '# Slow\n\nNo NaN appears, but the training gets slower every epoch.',
  ])('reads no NaN in %j', (text) => {
    expect(oracleKinds(text)).not.toContain('nonfinite');
  });

  it.each([
    '# Wrong split\n\nThe order is wrong. The linear model gives over 0.9 accuracy.',
    '# Same order\n\nThe order is the same in every epoch.\n\nExpected: loss falls well below 1.',
    '# Lower accuracy\n\nTraining accuracy is lower than in the paper.',
  ])('binds nothing in %j', (text) => {
    expect(oracleKinds(text)).toEqual(['none']);
  });
});
