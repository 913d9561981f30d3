import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsContentWords, stem } from './content-words.js';
import { maskMessage } from './mask-message.js';
import { matchMessage } from './message-match.js';
import { lineSimilarity } from './text-similarity.js';

const signature = (message: string, text: string) => matchMessage(message, { text, match: 'signature' });

describe('maskMessage', () => {
  it('masks what differs from run to run', () => {
    const left = maskMessage('object at 0x7f3a2b of /home/ann/run7/data.pt, took 3.5 s at 2024-05-01 10:11:12, id 3f2a9c1b4d5e6f70');
    const right = maskMessage('object at 0x1234 of /root/x/y/other.pt, took 12 s at 2023-01-02 01:01:01, id 0a1b2c3d4e5f6071');
    expect(left.text).toBe(right.text);
  });

  it('keeps ranks and dtypes', () => {
    expect(maskMessage('got 3D input').text).not.toBe(maskMessage('got 4D input').text);
    expect(maskMessage('4-dimensional weight').text).not.toBe(maskMessage('2-dimensional weight').text);
    expect(maskMessage('expected Float but got Half').text).not.toBe(maskMessage('expected Float but got Double').text);
    expect(maskMessage('size [64, 784]').text).toBe(maskMessage('size [32, 784]').text);
    expect(maskMessage('size [64, 784]').text).not.toBe(maskMessage('size [64, 1, 784]').text);
    expect(maskMessage('mat1 and mat2 (32x10 and 5x2)').text).toBe(maskMessage('mat1 and mat2 (8x10 and 7x2)').text);
  });

  it('masks a number in a name, a UUID and a hash as one', () => {
    expect(maskMessage('no key layer12.weight in block_12_conv').text).toBe('no key layer<n>.weight in block_<n>_conv');
    expect(maskMessage('no key layer2.weight in block_2_conv').text).toBe(maskMessage('no key layer345.weight in block_10_conv').text);
    expect(maskMessage('log10 failed').text).not.toBe(maskMessage('log2 failed').text);
    expect(maskMessage('built for sm_80').text).not.toBe(maskMessage('built for sm_86').text);
    expect(maskMessage('GPU 6BA7B810-9dad-11d1-80b4-00c04fd430c8 lost').text).toBe('GPU <hash> lost');
    expect(maskMessage('GPU 12345678-1234-1234-1234-123456789012 lost').text).toBe('GPU <hash> lost');
    expect(maskMessage('key 3F2A9C1B4D5E6F70 is gone').text).toBe('key <hash> is gone');
  });

  it('counts every size of a shape', () => {
    const rank = (text: string) => maskMessage(text).kept;
    expect(rank('shape (None, 28, 28)')).toEqual(rank('shape [?, 3, 4]'));
    expect(rank('got [s0, 3] and 2x?')).toEqual(rank('got [5, 3] and 4x7'));
    expect(rank('[2*s0 + 1, 3]')).toEqual(rank('(N, C)'));
    expect(rank(`[${'2, '.repeat(20)}2]`)).toHaveLength(1);
    expect(rank('torch.Size([])')).toEqual(rank('shape ()'));
    expect(rank('tensor<2x?xf32>')).toEqual(rank('shape [1, 2] of f32'));
    expect(rank('step() of foo(None) and (input, weight)')).toEqual([]);
  });

  it('is idempotent in effect and never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        const once = maskMessage(text);
        expect(maskMessage(text)).toEqual(once);
        expect(once.text.length).toBeLessThanOrEqual(20 * (text.length + 1));
      }),
    );
  });

  it('is linear over hostile text', () => {
    for (const hostile of [
      '/a'.repeat(50_000),
      '1,'.repeat(50_000),
      '['.repeat(50_000),
      '0x'.repeat(50_000),
      'a1'.repeat(50_000),
      '1x'.repeat(50_000),
      `[${'s0 + a, '.repeat(50_000)}`,
      '(a - '.repeat(50_000),
      'tensor<1x'.repeat(50_000),
      'DT_A'.repeat(50_000),
      'cuda.'.repeat(50_000),
    ]) {
      expect(maskMessage(hostile).text.length).toBeGreaterThan(0);
    }
  });
});

describe('matchMessage', () => {
  const range = 'Dimension out of range (expected to be in range of [-1, 0], but got 1)';

  it('takes the same fault for the same', () => {
    expect(signature(range, range)).toBe('equal');
    expect(signature('shape mismatch: [64, 10] and [64, 5]', 'shape mismatch: [8, 10] and [8, 5]')).toBe('equal');
    expect(
      signature(
        'Weights only load failed. This file can still be loaded\n\tmore text',
        'Weights only load failed. This file can still be loaded',
      ),
    ).toBe('equal');
  });

  it('tells another rank, range or dtype apart', () => {
    expect(signature('Dimension out of range (expected to be in range of [-2, 1], but got 2)', range)).toBe('none');
    expect(signature('Expected 3D input but got 2D', 'Expected 4D input but got 2D')).toBe('none');
    expect(signature('expected scalar type Float but found Double', 'expected scalar type Float but found Half')).toBe('none');
  });

  it.each([
    [
      'Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same',
      'Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same',
    ],
    ['Expected CPUFloatType but got CUDAFloatType for argument #2', 'Expected CUDAFloatType but got CPUFloatType for argument #2'],
    ['Expected object of backend CPU but got backend CUDA', 'Expected object of backend CUDA but got backend CPU'],
  ])('tells another device kind apart: %s', (left, right) => {
    expect(signature(left, right)).toBe('none');
    expect(signature(left, left)).toBe('equal');
  });

  it.each([
    ['cannot compute MatMul as input #1 was expected to be a DT_FLOAT', 'cannot compute MatMul as input #1 was expected to be a DT_HALF'],
    ['DT_INT32 is not in the list of allowed values', 'DT_INT64 is not in the list of allowed values'],
    ['body_fun output and input must have identical types, got f32[2]', 'body_fun output and input must have identical types, got bf16[2]'],
    ['body_fun output and input must have identical types, got f32[2]', 'body_fun output and input must have identical types, got s64[2]'],
    ['Unexpected input data type. Actual: (tensor(double))', 'Unexpected input data type. Actual: (tensor(float))'],
    ['expected a tensor of scalar type long for the index', 'expected a tensor of scalar type int for the index'],
    ['expected a tensor of dtype half for the weight of it', 'expected a tensor of dtype double for the weight of it'],
    ["ufunc 'add' did not contain a loop with signature '<f4'", "ufunc 'add' did not contain a loop with signature '<f8'"],
    ["ufunc 'add' did not contain a loop with signature '<f4'", "ufunc 'add' did not contain a loop with signature '>f4'"],
    ["Cannot cast array data from dtype('float32')", "Cannot cast array data from dtype('float64')"],
    ["Cannot cast array data from dtype('O') by the rule", "Cannot cast array data from dtype('<U5') by the rule"],
  ])('tells another dtype apart: %s', (left, right) => {
    expect(signature(left, right)).toBe('none');
    expect(signature(left, left)).toBe('equal');
  });

  it.each([
    ['expected shape=(None, 28, 28), found another shape', 'expected shape=(None, 28), found another shape'],
    ['cannot broadcast the shape [s0, 3] to the target', 'cannot broadcast the shape [s0, 3, s1] to the target'],
    ['cannot broadcast the shape [?,3] to the target', 'cannot broadcast the shape [?] to the target'],
    ['the argument of type float32[] does not fit the loop', 'the argument of type float32[3] does not fit the loop'],
    ['shape torch.Size([]) cannot be broadcast to the target', 'shape torch.Size([1]) cannot be broadcast to the target'],
    [`a list of sizes [${'2, '.repeat(14)}2] is too long`, `a list of sizes [${'2, '.repeat(15)}2] is too long`],
    ['the module torch.nn.Conv2d does not take this argument', 'the module torch.nn.Conv3d does not take this argument'],
  ])('tells another rank apart: %s', (left, right) => {
    expect(signature(left, right)).toBe('none');
    expect(signature(left, left)).toBe('equal');
  });

  it('calls a small difference similar and a big one none', () => {
    expect(
      signature(
        'The size of tensor a must match the size of tensor b at non-singleton dimension',
        'The size of tensor a must match size of tensor b at non-singleton dimension',
      ),
    ).toBe('similar');
    expect(signature('could not open the file', 'index is out of bounds')).toBe('none');
    expect(signature('anything', '')).toBe('none');
  });

  it.each([
    ['cannot find __version__ in tokenbox/__init__.py', 'cannot find __version__ in emptybox/__init__.py'],
    ["step() got an unexpected keyword argument 'closure'", "step() got an unexpected keyword argument 'closures'"],
    ['no parameter of the name encoder.weight was found', 'no parameter of the name encoder.biases was found'],
    ["unhashable type: 'list'", "unhashable type: 'dict'"],
  ])('tells a message that names something else apart: %s', (left, right) => {
    expect(signature(left, right)).toBe('none');
    expect(signature(left, left)).toBe('equal');
  });

  it('knows the other ways', () => {
    expect(matchMessage(range, { text: 'out of range (expected to be', match: 'contains' })).toBe('equal');
    expect(matchMessage(range, { text: '', match: 'contains' })).toBe('none');
    expect(matchMessage(range, { text: 'but got \\d+', match: 'regex' })).toBe('equal');
    expect(matchMessage("cannot pickle 'WeakRef' object", { text: 'an object that cannot be pickled', match: 'keywords' })).toBe('equal');
    expect(
      matchMessage('Expected to have finished reduction in the prior iteration', {
        text: 'reduction in the prior iteration not being finished',
        match: 'keywords',
      }),
    ).toBe('equal');
    expect(matchMessage('Expected to have finished reduction', { text: 'prior iteration', match: 'keywords' })).toBe('none');
  });

  it('is equal to itself whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), (text) => {
        fc.pre(maskMessage(text).text !== '');
        expect(signature(text, text)).toBe('equal');
      }),
    );
  });
});

describe('content words', () => {
  it('stems lightly', () => {
    expect(stem('pickled')).toBe(stem('pickle'));
    expect(stem('finished')).toBe(stem('finish'));
    expect(stem('running')).toBe(stem('run'));
    expect(stem('weights')).toBe(stem('weight'));
  });

  it('asks for something', () => {
    expect(containsContentWords('whatever', 'it is not the')).toBe(false);
    expect(containsContentWords('the gradient is gone', 'graph')).toBe(false);
  });
});

describe('lineSimilarity', () => {
  it('is symmetric, within [0, 1], and 1 only for the same', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (left, right) => {
        const similarity = lineSimilarity(left, right);
        expect(similarity).toBe(lineSimilarity(right, left));
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity === 1).toBe(left === right);
      }),
    );
  });
});
