import type { Claim, Facet, Oracle } from '@reenact/domain';
import { Claim as ClaimSchema } from '@reenact/domain/schemas';
import { readReport } from '@reenact/report';
import { describe, expect, it } from 'vitest';
import { claimFromReport } from './claim-from-report.js';

function claimOf(text: string): Claim {
  return claimFromReport(readReport(new TextEncoder().encode(text)));
}

function live(text: string): Facet[] {
  return claimOf(text).facets.filter((facet) => facet.stance === 'observed');
}

/** The one oracle of the one live facet. */
function onlyOracle(text: string): Oracle {
  const facets = live(text);
  expect(facets.map((facet) => facet.id)).toHaveLength(1);
  expect(facets[0]?.oracles).toHaveLength(1);
  return facets[0]!.oracles[0]!;
}

function kinds(text: string): string[] {
  return live(text).map((facet) => facet.oracles.map((oracle) => oracle.kind).join('+') || 'none');
}

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
    expect(live(text).map((facet) => facet.id)).toEqual(['exception-keyerror', 'exception-zerodivisionerror']);
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
    expect(kinds(text).filter((kind) => kind.includes('exception'))).toEqual([]);
  });
});

describe('standstill', () => {
  it.each([
    '# Evaluation hangs after the last batch\n\nBoth ranks are idle.',
    '# Training never continues after the checkpoint\n\ntorch 2.3, 2 processes.',
    '# Deadlock in the prefetcher\n\nWith four loader workers nothing more is printed.',
    '# DDP job gets stuck\n\nIt has to be killed. No exception.',
    '# Second epoch is never reached\n\nThe program freezes after "epoch 0 done" and makes no progress.',
    '# Training stops after the first epoch\n\nOne worker is done, the other one stays silent. CPU usage drops to zero.',
    '# all_gather blocks forever with an odd number of rows\n',
  ])('reads %j', (text) => {
    expect(onlyOracle(text)).toMatchObject({ kind: 'hang' });
    expect(live(text)[0]?.shownBy).toBe('harness');
  });

  it('takes the time-out error as a form of the standstill', () => {
    const text =
      '# Training hangs in all_reduce\n\nAfter half an hour:\n\n```\nTraceback (most recent call last):\n  File "train.py", line 3, in f\n    dist.all_reduce(t)\nRuntimeError: Timed out waiting 1800000ms for recv operation to complete\n```\n';
    expect(kinds(text)).toEqual(['hang']);
  });

  it('takes an interrupted run for no error', () => {
    const text =
      '# Loader hangs\n\nI have to press Ctrl-C:\n\n```\nTraceback (most recent call last):\n  File "a.py", line 3, in f\n    q.get()\nKeyboardInterrupt\n```\n';
    expect(kinds(text)).toEqual(['hang']);
  });

  it('keeps the error when its peers wait', () => {
    expect(kinds('# Rank 1 dies with a KeyError\n\nRank 1 raises a KeyError, then rank 0 waits.')).toEqual(['exception']);
  });

  it.each([
    '# Slow\n\nThe loss is stuck at 0.69 for all epochs.',
    '# Works\n\nIt does not hang with one worker. The loss is negative.',
    '# Early stopping stops too late\n\nTraining stops after 12 epochs instead of 10.',
  ])('does not read a standstill in %j', (text) => {
    expect(kinds(text)).not.toContain('hang');
  });
});

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
    expect(kinds(text)).not.toContain('nonfinite');
  });

  it.each([
    '# Wrong split\n\nThe order is wrong. The linear model gives over 0.9 accuracy.',
    '# Same order\n\nThe order is the same in every epoch.\n\nExpected: loss falls well below 1.',
    '# Lower accuracy\n\nTraining accuracy is lower than in the paper.',
  ])('binds nothing in %j', (text) => {
    expect(kinds(text)).toEqual(['none']);
  });
});

describe('symptoms without a check of today', () => {
  it.each([
    ['# Memory grows with every step\n', 'trend'],
    ['# Host RAM leaks in the evaluation loop\n', 'trend'],
    ['# Training gets slower over time\n', 'slow'],
    ['# Results differ from run to run although all seeds are set\n', 'nondeterminism'],
    ['# The two ranks have different weights after the first step\n', 'desync'],
    ['# Outputs on CPU and on GPU differ\n\nThe output on CPU differs a lot.', 'differential'],
    ['# After loading the checkpoint the predictions are wrong\n', 'roundtrip'],
  ])('names %j', (text, kind) => {
    const facets = live(text);
    expect(facets.map((facet) => facet.oracles[0]?.kind)).toEqual([kind]);
    expect(facets[0]?.note).toBeTruthy();
  });

  it('keeps the words of a symptom that no rule knows', () => {
    const facets = live('# Augmentation mixes the labels of wrong images\n\n`python show.py`');
    expect(facets).toMatchObject([{ oracles: [], statement: 'Augmentation mixes the labels of wrong images' }]);
    expect(facets[0]?.note).toBeTruthy();
  });

  it('says that an error without type and message cannot be checked', () => {
    expect(live('# Training crashes in the second epoch\n\n`python train.py`')).toMatchObject([
      { oracles: [], shownBy: 'harness', note: expect.stringContaining('neither') },
    ]);
  });

  it('takes "Killed" for no memory fault', () => {
    expect(live('# Job ends\n\n```\nepoch 1\nKilled\n```\n')).toMatchObject([{ oracles: [], note: expect.stringContaining('Killed') }]);
  });

  it('reads a signal', () => {
    expect(onlyOracle('# Crash\n\n```\nepoch 1\nSegmentation fault (core dumped)\n```\n')).toEqual({
      kind: 'exit',
      op: '==',
      signal: 'SIGSEGV',
    });
    expect(onlyOracle('# The loader segfaults with pinned memory\n')).toEqual({ kind: 'exit', op: '==', signal: 'SIGSEGV' });
    expect(onlyOracle('# Process ends by itself\n\nIt exits with code 17 after the first epoch.')).toEqual({
      kind: 'exit',
      op: '==',
      code: 17,
    });
  });

  it('reads a warning that the report is about', () => {
    const text =
      '# Scheduler warning on every start\n\n```\ntrain.py:12: UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`.\n```\n';
    const oracle = onlyOracle(text);
    expect(oracle).toMatchObject({ kind: 'warning', category: 'UserWarning' });
    expect(
      oracle.kind === 'warning' &&
        new RegExp(oracle.pattern ?? '').test('Detected call of `lr_scheduler.step()` before `optimizer.step()`.'),
    ).toBe(true);
  });
});

describe('claimFromReport', () => {
  it.each([
    'It does not work',
    '# Training is broken\n\nIt does not work. Please help.',
    '# Bug\n\nI ran `python train.py` and it does not work as expected. torch 2.1.',
    '# Problem with the training script\n\nThe program fails with an error.',
  ])('asks for the symptom of a report that says no more than that something is wrong: %j', (text) => {
    expect(claimOf(text)).toMatchObject({ facets: [], missing: expect.arrayContaining(['symptom']) });
  });

  it.each([
    ['# Training is broken\n\nAfter a resume the learning rate is ignored.', 'After a resume the learning rate is ignored.'],
    ['# Something is wrong\n\nThe mask is applied to the wrong axis.', 'The mask is applied to the wrong axis.'],
  ])('keeps the words of a report that no rule can bind: %j', (text, statement) => {
    const claim = claimOf(text);
    expect(claim.facets.map((facet) => [facet.statement, facet.oracles.length])).toEqual([[statement, 0]]);
    expect(claim.missing).not.toContain('symptom');
  });

  it('is valid and empty for an empty report', () => {
    const claim = claimOf('');
    expect(ClaimSchema.parse(claim)).toMatchObject({ facets: [], claimedRate: 1 });
    expect(claim.missing).toContain('symptom');
  });

  it.each([
    ['It hangs in 1 of 3 runs.', 1 / 3],
    ['Sometimes the loss is nan.', 0.3],
    ['It fails in about half of the runs with a KeyError.', 0.5],
    ['Every time it ends with a KeyError.', 1],
    ['It ends with a KeyError.', 1],
  ])('reads the rate of %j', (sentence, rate) => {
    expect(claimOf(`# Training fails\n\n${sentence}`).claimedRate).toBeCloseTo(rate, 6);
  });

  it('carries the environment', () => {
    const claim = claimOf(
      '# Save fails\n\ntorch 2.1.2, Python 3.11, 2 processes, CPU. It was fine with torch 2.0.1. `torch.save` raises a TypeError.',
    );
    expect(claim).toMatchObject({
      worldSize: 2,
      environment: {
        python: ['3.11'],
        packages: [{ name: 'torch', version: '2.1.2' }],
        goodPackages: [{ name: 'torch', version: '2.0.1' }],
        devices: ['cpu'],
      },
    });
  });

  it('gives ids that the schema accepts, each once', () => {
    const claim = claimOf(
      '# Two\n\nWith an odd batch it raises a VeryLongNameOfACustomConfigurationError. With an even one it raises an AnotherVeryLongNameOfACustomConfigurationError.',
    );
    expect(ClaimSchema.safeParse(claim).success).toBe(true);
    expect(new Set(claim.facets.map((facet) => facet.id)).size).toBe(2);
  });
});
