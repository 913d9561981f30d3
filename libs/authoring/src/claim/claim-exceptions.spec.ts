import { describe, expect, it } from 'vitest';
import { observedFacets, onlyOracle, oracleKinds } from '../testing/claimed.js';

describe('exceptions', () => {
  const told: [why: string, text: string, expected: object][] = [
    [
      'a type in the title, the message in the text',
      '# Decoding stops with a KeyError\n\ntorch 2.1.\n\nThe first batch is fine. Then it fails with "special token table has no entry" in the tokenizer.\n\n`python decode.py`',
      { types: ['KeyError'], message: { text: 'special token table has no entry', match: 'contains' } },
    ],
    [
      'type and message after a colon',
      '# Export is broken\n\nRunning the export ends in `ValueError: bucket has no rows`.\n',
      { types: ['ValueError'], message: { text: 'bucket has no rows', match: 'contains' } },
    ],
    [
      'a describing clause',
      '# Cannot write the index\n\nAt the end a `TypeError` about a lock that cannot be pickled comes out of `torch.save`.',
      { types: ['TypeError'], message: { text: 'lock pickled', match: 'keywords' }, through: ['torch.save'] },
    ],
    [
      'the message is talked about in the next sentence',
      '# Two processes fail\n\nThe second step raises a `RuntimeError`. The message talks about unused gradients of the prior reduction.',
      { types: ['RuntimeError'], message: { text: 'unused gradients prior reduction', match: 'keywords' } },
    ],
    [
      'a saying clause with quotation',
      '# Crash in the sampler\n\nIt dies with an IndexError saying "replacement is off but num_samples is too big".',
      { types: ['IndexError'], message: { text: 'replacement is off but num_samples is too big', match: 'contains' } },
    ],
    [
      'a dotted type',
      '# OOM handler\n\nEvaluation crashes with torch.OutOfMemoryError after the third batch.',
      { types: ['torch.OutOfMemoryError'] },
    ],
    [
      'a type alone',
      '# Loading the vocabulary\n\nI get a UnicodeDecodeError as soon as the file has umlauts.',
      { types: ['UnicodeDecodeError'] },
    ],
    [
      'own names in the message are left out',
      '# Resume fails\n\n`train.py resume` ends in an `UnpicklingError`; the message mentions globals and a class of ours.',
      { types: ['UnpicklingError'], message: { text: 'globals', match: 'keywords' } },
    ],
    [
      'paraphrased vocabulary is not required',
      '# Shapes\n\nThe forward pass raises a RuntimeError about mismatched tensor sizes.',
      { types: ['RuntimeError'] },
    ],
    [
      'a method on a variable',
      '# Step fails\n\nA `RuntimeError` is raised by `optimizer.step()` when the scaler is on.',
      { types: ['RuntimeError'], through: ['step'] },
    ],
    [
      'a line of output alone',
      '# Broken\n\n```\nepoch 0\nRuntimeError: output with shape [1] broadcasts\n```\n',
      { types: ['RuntimeError'], message: { text: 'output with shape [1] broadcasts', match: 'signature' } },
    ],
    [
      'found and expected error in one sentence',
      '# Wrong error\n\nIt should raise ValueError but ends in an AssertionError.',
      { types: ['AssertionError'] },
    ],
    [
      'instead of',
      '# Wrong error for empty input\n\nAn empty list gives an IndexError instead of a ValueError.',
      { types: ['IndexError'] },
    ],
    [
      'works on one, fails on the other',
      '# DDP\n\nOn one process it is fine, with two it crashes with a `RuntimeError`.',
      { types: ['RuntimeError'] },
    ],
    [
      'a quoted message without type',
      '# Joining fails\n\nGenerating ends with "Dimension out of range (expected to be in range of [-1, 0], but got 1)".',
      { types: [], message: { text: 'Dimension out of range (expected to be in range of [-1, 0], but got 1)', match: 'contains' } },
    ],
    [
      'an elided message',
      '# Load\n\nIt fails with RuntimeError: "Error(s) in loading state_dict for Net: ... size".',
      { types: ['RuntimeError'], message: { text: 'Error(s) in loading state_dict for Net:', match: 'contains' } },
    ],
    [
      'several mentions of one error',
      '# KeyError in collate\n\nThe loader raises a KeyError. The KeyError comes in every epoch.\n\nAgain: `KeyError`, always the same.',
      { types: ['KeyError'] },
    ],
  ];
  it.each(told)('reads %s', (_why, text, expected) => {
    expect(onlyOracle(text)).toMatchObject({ kind: 'exception', ...expected });
  });

  it('takes message and frames from a trace and merges the prose with it', () => {
    const text = `# Training dies with a ValueError

When I start training I get a ValueError:

\`\`\`
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    fit()
  File "net/fit.py", line 30, in fit
    check(row)
ValueError: row 12 has 3 columns
\`\`\`
`;
    const oracle = onlyOracle(text);
    expect(oracle).toMatchObject({
      kind: 'exception',
      types: ['ValueError'],
      message: { text: 'row 12 has 3 columns', match: 'signature' },
      through: [],
    });
    expect(oracle.kind === 'exception' && oracle.frames.map((frame) => `${frame.file}:${String(frame.line)}`)).toEqual([
      'train.py:9',
      'net/fit.py:30',
    ]);
  });

  it('takes the root over ranks and leaves the consequences out', () => {
    const text = `# Two ranks fail
[rank0]: Traceback (most recent call last):
[rank0]:   File "train.py", line 4, in main
[rank0]:     dist.barrier()
[rank0]: RuntimeError: Connection closed by peer
[rank1]: Traceback (most recent call last):
[rank1]:   File "train.py", line 3, in main
[rank1]:     t[9]
[rank1]: IndexError: list index out of range
`;
    expect(onlyOracle(text)).toMatchObject({ types: ['IndexError'], message: { text: 'list index out of range' } });
  });

  it('reads through the wrapper of a spawned process', () => {
    const text = `# Spawn\n\n\`\`\`\nTraceback (most recent call last):\n  File "t.py", line 3, in <module>\n    mp.spawn(f, nprocs=2)\ntorch.multiprocessing.spawn.ProcessRaisedException: \n\n-- Process 1 terminated with the following error:\nTraceback (most recent call last):\n  File "t.py", line 8, in f\n    g()\nKeyError: 'b'\n\`\`\`\n`;
    expect(onlyOracle(text)).toMatchObject({ kind: 'exception', types: ['KeyError'], message: { text: "'b'" } });
  });

  it('keeps two different errors apart', () => {
    const text = '# Two failures\n\nWith an odd batch the loader raises a KeyError. With an even one the model raises a ZeroDivisionError.';
    expect(observedFacets(text).map((facet) => facet.id)).toEqual(['exception-keyerror', 'exception-zerodivisionerror']);
  });

  it('reads a failing import', () => {
    const text =
      '# Cannot start\n\n```\nTraceback (most recent call last):\n  File "train.py", line 2, in <module>\n    from torch._six import inf\nModuleNotFoundError: No module named \'torch._six\'\n```\n';
    expect(onlyOracle(text)).toEqual({ kind: 'import', types: ['ModuleNotFoundError'], message: "No module named 'torch._six'" });
  });

  it.each([
    ['no error', '# Loss differs between ranks\n\nThere is no error. The two workers have different weights after one step.'],
    ['no exception', '# Order\n\nBatches have the same order in each epoch. No exception and no warning.'],
    ['does not crash', '# Accuracy is wrong\n\nIt does not crash, but the accuracy is 1.7.'],
    ['expected', '# Bad input is accepted\n\nA negative rate is silently taken.\n\nExpected: ValueError.'],
    [
      'a section of expectation',
      '# Negative sizes\n\nThe call returns an empty list.\n\n## Expected behaviour\n\nIt raises a `ValueError`.',
    ],
    ['a guess', '# Outputs differ from run to run\n\nThe sum changes on every run. Maybe a KeyError is swallowed somewhere.'],
    ['a handled one', '# Slow loader\n\nReading gets slower every hour. We catch KeyError in the collate function.'],
    [
      'a contrast',
      '# Wrong result on two processes\n\nThe result is wrong with two processes. With one process a missing key gives no KeyError and it works.',
    ],
    ['a wish', '# Silent overflow\n\nThe counter wraps around to a wrong value. It should raise an OverflowError.'],
  ])('makes no exception out of %s', (_why, text) => {
    expect(oracleKinds(text).filter((kind) => kind.includes('exception'))).toEqual([]);
  });
});
