import { describe, expect, it } from 'vitest';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { createEvidence } from '../testing/index.js';
import { hasName, numbersIn, observedNumbers, printedMetrics } from './named-numbers.js';

const printed = (line: string) => printedMetrics(createEvidenceView(createEvidence().stdout(line).build()));
const named = (line: string) => printed(line).map(({ name, value }) => [name, value]);

describe('a printed number', () => {
  it.each([
    ['loss: 0.5', [['loss', 0.5]]],
    ['whatever=1e-3', [['whatever', 0.001]]],
    ['val/loss = nan', [['val/loss', NaN]]],
    ['loss nan', [['loss', NaN]]],
    ['Train_Loss -inf', [['Train_Loss', -Infinity]]],
    [
      'acc 0.5 loss 2',
      [
        ['acc', 0.5],
        ['loss', 2],
      ],
    ],
    ['ppl +infinity', [['ppl', Infinity]]],
    ['loss   1', [['loss', 1]]],
  ])('has its name in %j', (line, expected) => {
    expect(named(line)).toEqual(expected);
  });

  it.each(['found nan', 'no inf', 'glossy 1', 'loss    1', 'loss: 1.2.3', 'loss: 12abc', 'loss: none', 'OBS loss=1', '  OBS loss=1', ''])(
    'has no name in %j',
    (line) => {
      expect(named(line)).toEqual([]);
    },
  );

  it('has the step that its line tells', () => {
    const step = (line: string) => printed(line).find(({ name }) => name === 'loss')?.step;
    expect(step('step 7: loss: 1')).toBe(7);
    expect(step('global_step=8 loss: 1')).toBe(8);
    expect(step('[iter #9] loss: 1')).toBe(9);
    expect(step('batch 10 loss: 1')).toBe(10);
    expect(step('footstep 7 loss: 1')).toBeNull();
    expect(step('loss: 1')).toBeNull();
  });

  it('has the word before its name, and its process and stream', () => {
    expect(printed('val loss 0.5')).toMatchObject([{ before: 'val', source: '//10/stdout', text: 'val loss 0.5', seq: 2 }]);
    expect(printed('loss 0.5')[0]?.before).toBe('');
    expect(printed('val: loss 0.5')[0]?.before).toBe('');
  });
});

describe('an observed number', () => {
  const observed = (records: ReturnType<typeof createEvidence>) => observedNumbers(createEvidenceView(records.build()).observations);

  it('is every number of the line but its step and rank', () => {
    const numbers = observed(createEvidence().obs({ loss: '0.5', grads: [1, { w: 'nan' }], note: 'x', ok: true, step: '3', rank: 1 }));
    expect(numbers.map(({ name, value, step, source }) => [name, value, step, source])).toEqual([
      ['loss', 0.5, 3, '//10/1'],
      ['grads', 1, 3, '//10/1'],
      ['grads', NaN, 3, '//10/1'],
    ]);
    expect(numbers[0]).toMatchObject({ before: '', text: 'OBS loss="0.5"', seq: 2 });
  });

  it('has no step where the line has none, or a word', () => {
    expect(observed(createEvidence().obs({ loss: 1 }))[0]).toMatchObject({ step: null, source: '//10/null' });
    expect(observed(createEvidence().obs({ loss: 1, step: 'last' }))[0]?.step).toBeNull();
  });
});

it('finds no number in text, truth values and nothing', () => {
  expect(numbersIn(['a', true, null, {}, []])).toEqual([]);
  expect(numbersIn({ a: 1, b: [[2]] })).toEqual([1, 2]);
});

it('knows a name as a whole or by its last part, in any case', () => {
  expect(hasName('Loss', 'lOSS')).toBe(true);
  expect(hasName('train/Loss', 'loss')).toBe(true);
  expect(hasName('train.loss', 'loss')).toBe(true);
  expect(hasName('train/loss', 'train/loss')).toBe(true);
  expect(hasName('loss/train', 'loss')).toBe(false);
  expect(hasName('train_loss', 'loss')).toBe(false);
  expect(hasName('loss', 'train/loss')).toBe(false);
});
