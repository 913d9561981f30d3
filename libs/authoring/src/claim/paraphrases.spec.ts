import { readReport } from '@reenact/report';
import { describe, expect, it } from 'vitest';
import { claimFromReport } from './claim-from-report.js';

/** Small reports in many words, and what the one oracle of their one live facet must hold; null: a symptom without a check. */
const REPORTS: [report: string, oracle: object | null][] = [
  [
    '# Mixed precision evaluation aborts with "expected scalar type Half but found Float"\n\ntorch 2.6 / 1.13, CPU and autocast with bfloat16.\n\nTraining under autocast is fine, the first evaluation stops with a `RuntimeError`. I do not cast anything by hand.\n\nExpected: a validation number.\n\n`python train.py --amp`\n',
    { kind: 'exception', types: ['RuntimeError'], message: { text: 'expected scalar type Half but found Float' } },
  ],
  [
    '# AttributeError since the update of numpy\n\nnumpy 1.24.2, torch 1.13.1. With numpy 1.23 and older it runs.\n\nThe data module stops at the first call, numpy has no attribute `float` it says.\n\n`python prepare.py`\n',
    { kind: 'exception', types: ['AttributeError'], message: { text: 'attribute float', match: 'keywords' } },
  ],
  [
    '# Replicas have different running statistics\n\ntorch 2.x, gloo, 2 processes.\n\nWhen I compare the running mean of the two ranks after an epoch the values are not equal. The parameters agree. No message.\n\nExpected: the same statistics on each rank.\n',
    { kind: 'desync' },
  ],
  [
    '# KL term becomes infinite\n\nPyTorch 2.6, CPU.\n\nAfter about 20 steps the printed loss is inf, one step later nan. Learning rate 0.01, clipping does not help.\n\n`python vae.py`\n',
    { kind: 'nonfinite', which: 'any', name: 'loss' },
  ],
  [
    '# Predictions of the same picture vary\n\ntorch 1.13 and 2.6.\n\nI call the predict script twice with the same weights and the same picture and get two different probabilities. Seeds are fixed.\n\nExpected: equal numbers.\n',
    { kind: 'nondeterminism' },
  ],
  [
    '# Each epoch takes longer than the one before\n\ntorch 2.6.0, CPU.\n\nEpoch 1 needs 4 s, epoch 10 needs 31 s, the number of batches is constant.\n\n`python fit.py`\n',
    { kind: 'slow' },
  ],
  [
    '# Resident memory rises with every evaluation\n\ntorch 2.6, Linux.\n\nEach evaluation adds about 26 MB that never comes back. After a night the machine swaps.\n\n`python evaluate.py --rounds 50`\n',
    { kind: 'trend' },
  ],
  [
    '# Script does not end after "done"\n\ntorch 2.6, Python 3.12, 2 workers in the loader.\n\nThe last line "done" is printed, but the process stays. In the process list I see two children. Pressing Ctrl-C brings the prompt back.\n\nExpected: the program ends.\n',
    { kind: 'hang' },
  ],
  [
    '# Second rank waits for ever when the checkpoint is missing\n\ngloo, 2 processes, torch 1.13.\n\nIf no checkpoint exists, rank 0 goes on and prints its first step whereas rank 1 is silent; after half an hour there is a time-out message from gloo.\n',
    { kind: 'hang' },
  ],
  [
    '# Accuracy remains at 0.10 whatever I do\n\nten classes, torch 2.6.\n\nFrom the first to the last epoch the accuracy is 0.10, that is chance. The loss does not fall either.\n\nExpected: above 0.9 as in the tutorial.\n',
    { kind: 'printed', op: 'approx', right: 0.1 },
  ],
  [
    '# Division by zero at the end of the epoch for small data sets\n\ntorch 2.x.\n\nWith fewer rows than one batch `train.py` quits with ZeroDivisionError: float division by zero. With more rows everything is fine.\n',
    { kind: 'exception', types: ['ZeroDivisionError'], message: { text: 'float division by zero' } },
  ],
  [
    "# Resume of an old checkpoint: KeyError 'scheduler'\n\nEnvironment: torch 2.6\n\n`python train.py --resume old.pt` → KeyError: 'scheduler'. Newer checkpoints load.\n\nExpected: a default scheduler.\n",
    { kind: 'exception', types: ['KeyError'] },
  ],
  [
    '# Expected all tensors to be on the same device\n\ntorch 2.6 CPU + meta device. The forward of the second block fails with RuntimeError ("Expected all tensors to be on the same device, but found at least two devices, cpu and meta!").\n',
    {
      kind: 'exception',
      types: ['RuntimeError'],
      message: { text: 'Expected all tensors to be on the same device, but found at least two devices, cpu and meta!' },
    },
  ],
  [
    "# Model file can't be read after the upgrade to torch 2.6\n\nWorked with 2.5.1. Now `torch.load` refuses the file: it throws an UnpicklingError that speaks of an unsupported global. Both versions read the same file on disk.\n",
    { kind: 'exception', types: ['UnpicklingError'], message: { text: 'global', match: 'keywords' } },
  ],
  [
    '# Evaluation crashes now and then\n\ntorch 2.6, Python 3.11.\n\nIn roughly one of five starts the evaluation dies with an IndexError in `encode`; the other four are fine. All seeds are set.\n\n`python evaluate.py`\n',
    { kind: 'exception', types: ['IndexError'] },
  ],
  [
    '# Prefetcher sometimes never delivers the last batch\n\nAbout 1 in 4 runs stops before the last batch, nothing is printed any more and no CPU is used.\n',
    { kind: 'hang' },
  ],
  [
    '# Scheduler has no effect\n\nThe learning rate printed in every epoch is 0.1 although StepLR with gamma 0.1 and step 2 is used. No warning.\n\nExpected: 0.1, 0.1, 0.01, ...\n',
    null,
  ],
  [
    '# Number of samples per epoch is too high\n\ntorch 2.6, 2 processes.\n\nOur data set has 1001 rows and the two ranks together report 1002.\n',
    null,
  ],
  [
    '# find_unused_parameters does not help\n\nWith 2 processes I get\n\n    RuntimeError: Expected to mark a variable ready only once. This error is caused by one of the following reasons: 1) Use of a module parameter outside the `forward` function.\n\nWith one process there is no error.\n',
    { kind: 'exception', types: ['RuntimeError'] },
  ],
  [
    "# Start method spawn: AttributeError: Can't pickle local object 'main.<locals>.work'\n\nPython 3.11, macOS and Debian. With fork it works.\n",
    { kind: 'exception', types: ['AttributeError'], message: { text: "Can't pickle local object 'main.<locals>.work'" } },
  ],
  ['# Throughput halves after the first checkpoint\n\nBefore the checkpoint 900 samples per second, afterwards 430.\n', { kind: 'slow' }],
  [
    '# Attention gives not-a-number for rows that are padded completely\n\nAll outputs of such a row are NaN and the loss too.\n',
    { kind: 'nonfinite', which: 'nan' },
  ],
  [
    '# Loss jumps back to its first value after resuming\n\ntorch 2.6. Before the restart the loss was 0.12, after the restart it is 2.31 again. I suspect that the optimizer state is not loaded, maybe a KeyError is swallowed.\n\nExpected: 0.12.\n',
    { kind: 'roundtrip' },
  ],
  [
    '# Warning about non-writable numpy array\n\nUserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors.\n\nIt comes with each batch.\n',
    { kind: 'warning', category: 'UserWarning' },
  ],
  [
    "# Package cannot be imported with Python 3.12\n\n`import clicks` ends with ModuleNotFoundError: No module named 'imp'\n",
    { kind: 'import', types: ['ModuleNotFoundError'], message: "No module named 'imp'" },
  ],
  [
    '# Python dies without a traceback\n\ntorch 2.6. The process ends with exit code 139 as soon as num_workers is 2. No traceback.\n',
    { kind: 'exit', code: 139 },
  ],
  [
    '# Assertion in the sampler when the batch is larger than the data\n\n`assert len(rows) >= batch` fails. AssertionError without text, file sampler.py.\n',
    { kind: 'exception', types: ['AssertionError'] },
  ],
  [
    "# collate_fn breaks for None labels\n\ndefault_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'NoneType'>\n\nIt is a TypeError. It used to be silently skipped with torch 1.12.\n",
    { kind: 'exception', types: ['TypeError'] },
  ],
  [
    '# Validation loss larger than training loss by a factor of 8\n\ntorch 2.6. Training loss 0.4, validation loss 3.2, on the same data.\n',
    null,
  ],
  [
    '# Last batch of the epoch cannot be processed\n\ntorch 2.6, CPU.\n\nWith 101 rows and batches of 10 the run stops in the very last step: `IndexError`, "too many indices". With 100 rows nothing happens. I looked at the data, it is fine.\n\nExpected: the last batch is processed like the others.\n\n`python main.py --rows 101`\n',
    { kind: 'exception', types: ['IndexError'], message: { text: 'too many indices' } },
  ],
  [
    '# DataLoader with workers does not start on spawn\n\ntorch 1.13, Python 3.11.\n\nAs soon as I set the number of workers to 2 the loader throws a TypeError that a generator cannot be pickled. With workers = 0 it is ok.\n\n`python train.py --workers 2`\n',
    { kind: 'exception', types: ['TypeError'], message: { text: 'generator pickled', match: 'keywords' } },
  ],
  [
    '# Restoring fails with missing keys when the model was saved from two processes\n\ntorch 2.x, gloo, 2 processes.\n\n`load_state_dict` complains about missing and unexpected keys, they all begin with "module.". It is a RuntimeError.\n\nExpected: the file can be loaded in one process.\n',
    { kind: 'exception', types: ['RuntimeError'] },
  ],
  [
    '# Barrier is never left when one rank has no data\n\ngloo, two processes.\n\nrank 1 has an empty shard and skips the loop. rank 0 waits in the all-reduce and I see no progress, the log ends with "step 0". After some minutes I stop it by hand.\n',
    { kind: 'hang' },
  ],
  [
    '# Two runs with the same seed give different losses\n\ntorch 2.6, seeds set everywhere.\n\nLoss of epoch 1: 0.5312 in the first run and 0.5287 in the second. num_workers is 2. With num_workers=0 the runs agree.\n',
    { kind: 'nondeterminism' },
  ],
  [
    '# Labels and pictures do not belong together after shuffling\n\nThe accuracy on the training set is about 0.25 with four classes, without shuffling it is 0.98. No error.\n',
    null,
  ],
  [
    '# Cross entropy is below zero\n\ntorch 2.6. From the third epoch on the training loss is negative (-0.8, -1.5 ...). With one-hot targets it is fine.\n',
    { kind: 'printed', op: '<', right: 0 },
  ],
  ['# F1 greater than 1\n\nThe evaluation prints F1 = 1.33 for the small class.\n', { kind: 'printed', op: '>', right: 1 }],
  [
    '# Tokenizer overflow\n\nLong documents: "OverflowError: int too big to convert" at `tokenizer(text)`. Short ones work.\n',
    { kind: 'exception', types: ['OverflowError'], message: { text: 'int too big to convert' } },
  ],
  [
    '# Parameters drift apart between the ranks\n\ngloo, 3 processes. After each step I compare a checksum: rank 0, 1 and 2 have three different values from step 2 on.\n',
    { kind: 'desync' },
  ],
  [
    "# np.float removed\n\n`python features.py` fails on numpy 1.24 (AttributeError: module 'numpy' has no attribute 'float'.). numpy 1.23.5 only warns.\n",
    { kind: 'exception', types: ['AttributeError'], message: { text: "module 'numpy' has no attribute 'float'" } },
  ],
  [
    '# Loss does not decrease\n\nThe loss starts at 2.30 and is still 2.30 after 20 epochs. Gradients are all zero.\n',
    { kind: 'printed', op: 'approx', right: 2.3 },
  ],
  [
    "# Error message is misleading\n\nA wrong file name leads to `KeyError: 'state_dict'` where one would like to see a FileNotFoundError.\n",
    { kind: 'exception', types: ['KeyError'] },
  ],
  [
    '# Evaluation is 20 times slower than training\n\ntorch 2.6 CPU. One evaluation epoch takes 60 s, a training epoch 3 s.\n',
    { kind: 'slow' },
  ],
  [
    '# Crash in `collate`\n\n```\nRuntimeError: stack expects each tensor to be equal size, but got [3, 4] at entry 0 and [3, 5] at entry 1\n```\n\nThe RuntimeError comes from `torch.stack` in the default collate function. With padding the RuntimeError is gone.\n',
    { kind: 'exception', types: ['RuntimeError'], through: ['torch.stack'] },
  ],
  ['# Learning rate becomes inf\n\nAfter the warm-up the printed lr is inf.\n', { kind: 'nonfinite', which: 'inf' }],
  [
    '# Epoch ends early with StopIteration\n\nThe training loop raises `StopIteration` on epoch two as the iterator is created once.\n',
    { kind: 'exception', types: ['StopIteration'] },
  ],
  [
    '# Occasionally RecursionError while copying the model\n\nIn 2 out of 10 runs copy.deepcopy(model) gives RecursionError: maximum recursion depth exceeded.\n',
    { kind: 'exception', types: ['RecursionError'] },
  ],
  [
    '# Job sleeps after the first validation\n\nThe second epoch does not begin. py-spy shows both processes in `broadcast`. No output for an hour.\n',
    { kind: 'hang' },
  ],
  ['# Cosine schedule restarts at the wrong step\n\nExpected restart at step 100, seen at step 101. No exception.\n', null],
  [
    '# Second backward pass is refused\n\ntorch 2.6.0 and 1.13.1 on CPU.\n\nThe first iteration of the recurrent model goes through, the second one is ended by a `RuntimeError` in `backward`: it is about going through the graph a second time. I call backward once per step.\n\nExpected: training for 50 steps.\n\n`python train.py`\n',
    { kind: 'exception', types: ['RuntimeError'], message: { text: 'graph time', match: 'keywords' } },
  ],
  [
    '# Evaluation on a small test set: "Expected more than 1 value per channel when training"\n\ntorch 1.13 / 2.6\n\nTest sets of even size are evaluated without trouble. With an odd number of rows the last batch kills the evaluation. The error is a ValueError from batch norm.\n',
    { kind: 'exception', types: ['ValueError'], message: { text: 'Expected more than 1 value per channel when training' } },
  ],
  [
    '# Optimizer cannot be restored after a layer was added\n\n`resume.py` gives up with a KeyError. The key is a number (5 in my case).\n',
    { kind: 'exception', types: ['KeyError'] },
  ],
  [
    '# No end of the validation on the second rank\n\ngloo, 2 processes, torch 2.x.\n\nrank 0 prints the validation loss and begins the next epoch, rank 1 does not print anything from there on. top shows 0 % for both. I waited for ten minutes.\n\nExpected: both ranks go on.\n',
    { kind: 'hang' },
  ],
  [
    '# Process pool of the feature extraction blocks\n\nPython 3.11. The last chunk is never delivered; with one worker all chunks come. I have to stop it with kill.\n',
    { kind: 'hang' },
  ],
  [
    '# Checkpoint of torch 1.12 does not open in 2.6\n\nWith torch 2.6.0 reading the old file throws `AttributeError`; something about an attribute `_packed` that is not there. In torch 1.12 the file opens.\n',
    { kind: 'exception', types: ['AttributeError'] },
  ],
  [
    '# Gradient computation fails since I use `+=`\n\nRuntimeError, the message says that one of the variables needed for gradient computation has been modified by an inplace operation. Without `+=` it runs.\n',
    { kind: 'exception', types: ['RuntimeError'], message: { text: 'variables gradient computation modified', match: 'keywords' } },
  ],
  [
    '# Fast path of the encoder not available\n\nOn CPU with nested tensors I receive a NotImplementedError when I call `encoder(x)`. It worked in 1.13.\n',
    { kind: 'exception', types: ['NotImplementedError'] },
  ],
  [
    '# Assertion error in the learning-rate finder\n\nAfter 100 steps "AssertionError: No inf checks were recorded for this optimizer." appears.\n',
    { kind: 'exception', types: ['AssertionError'], message: { text: 'No inf checks were recorded for this optimizer' } },
  ],
  [
    '# UnboundLocalError with an empty loader\n\nIf the loader is empty, `train_one_epoch` ends in UnboundLocalError (local variable `loss` referenced before assignment).\n',
    { kind: 'exception', types: ['UnboundLocalError'], message: { text: 'local variable `loss` referenced before assignment' } },
  ],
  [
    "# Accuracy of 3.2 in the log\n\nThe log shows acc=3.2 for the validation set. That can't be.\n",
    { kind: 'printed', op: '>', right: 1 },
  ],
  [
    '# Loss goes NaN with label smoothing\n\ntorch 2.6. Step 0: 0.69, step 1: nan. With smoothing off no NaN appears.\n',
    { kind: 'nonfinite', which: 'nan', name: 'loss' },
  ],
  [
    '# Out of memory after many epochs\n\nThe resident memory of the main process was 400 MB in the beginning and 9 GB after 60 epochs, then the kernel killed it.\n',
    { kind: 'oom' },
  ],
  [
    '# First version took 2 s per epoch, this one 40 s\n\ntorch 1.13 / 2.6. With many small parameter groups the optimizer step is slow.\n',
    { kind: 'slow' },
  ],
  [
    '# Frozen layers are changed anyway\n\nI freeze the encoder, nevertheless its weights are different after training. No message.\n',
    null,
  ],
  ['# Weight decay is applied to biases\n\nI exclude them by name, but the norm of the biases shrinks to 0.\n', null],
  [
    '# Converting the vocabulary\n\nThe program stops, see below.\n\n```\nTraceback (most recent call last):\n  File "vocab.py", line 12, in lookup\n    return table[word]\nKeyError: \'straße\'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "main.py", line 30, in <module>\n    encode(text)\n  File "vocab.py", line 14, in lookup\n    raise LookupError(f"unknown word {word}")\nLookupError: unknown word straße\n```\n',
    { kind: 'exception', types: ['LookupError'], message: { text: 'unknown word straße', match: 'signature' } },
  ],
  [
    '# Two processes: address in use?\n\nWith two processes the start fails with RuntimeError: Default process group has not been initialized, please make sure to call init_process_group. One process works because no group is used.\n',
    {
      kind: 'exception',
      types: ['RuntimeError'],
      message: { text: 'Default process group has not been initialized, please make sure to call init_process_group' },
    },
  ],
  [
    "# unexpected keyword argument 'verbose'\n\nSince torch 2.7 `ReduceLROnPlateau.__init__()` got an unexpected keyword argument 'verbose'. It is a TypeError. Fine with 2.6.\n",
    { kind: 'exception', types: ['TypeError'], message: { text: 'keyword verbose', match: 'keywords' } },
  ],
  [
    '# The same seed, another result\n\nEvery start of `python fit.py` prints another final loss although PYTHONHASHSEED is not touched and all seeds are 0.\n',
    { kind: 'nondeterminism' },
  ],
];

describe('claims of paraphrased reports', () => {
  it.each(REPORTS)('reads %j', (text, oracle) => {
    const live = claimFromReport(readReport(new TextEncoder().encode(text))).facets.filter((facet) => facet.stance === 'observed');
    expect(live).toHaveLength(1);
    if (oracle === null) expect(live[0]).toMatchObject({ oracles: [], note: expect.any(String) });
    else expect(live[0]?.oracles).toMatchObject([oracle]);
  });
});
