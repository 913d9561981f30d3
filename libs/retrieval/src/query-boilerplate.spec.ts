import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskVariables, meaningfulLines } from './query-boilerplate.js';

/** Forms as projects hand them out (headings and collectors' keys are theirs, the stories ours), with what the reporter tells. */
const FORMS: [form: string, lines: string[], told: string[]][] = [
  [
    'PyTorch',
    [
      '### 🐛 Describe the bug',
      '',
      'The padded rows count in my ragged pooling.',
      '```python',
      'pooled = ragged_mean(rows, lengths)',
      '```',
      '### Versions',
      '',
      'Collecting environment information...',
      'PyTorch version: 2.1.0+cpu',
      'Is debug build: False',
      'CUDA used to build PyTorch: None',
      'OS: Debian GNU/Linux 12 (bookworm) (x86_64)',
      'CPU max MHz:                        3500.0000',
      'Flags:                              fpu vme de pse tsc msr pae mce cx8',
      'Vulnerability Meltdown:             Not affected',
      'Versions of relevant libraries:',
      '[pip3] numpy==1.26.0',
      '[conda] Could not collect',
      '',
      'cc @someone @another',
    ],
    ['The padded rows count in my ragged pooling.', 'pooled = ragged_mean(rows, lengths)'],
  ],
  [
    'TensorFlow',
    [
      '### Issue type',
      '',
      'Bug',
      '### Have you reproduced the bug with TensorFlow Nightly?',
      'Yes',
      '### Source',
      'binary',
      '### TensorFlow version',
      '2.12',
      '### Custom code',
      'Yes',
      '### OS platform and distribution',
      '_No response_',
      '### GPU model and memory',
      '_No response_',
      '### Current behavior?',
      'The window of the dataset drops its tail.',
      '### Standalone code to reproduce the issue',
      '```shell',
      'ds = make_windows(rows)',
      '```',
      '### Relevant log output',
      '_No response_',
    ],
    ['The window of the dataset drops its tail.', 'ds = make_windows(rows)'],
  ],
  [
    'TensorFlow, the older one, and Keras',
    [
      '**System information**.',
      '- Have I written custom code (as opposed to using a stock example script provided in Keras): yes',
      '- OS Platform and Distribution (e.g., Linux Ubuntu 16.04): Ubuntu',
      '- TensorFlow installed from (source or binary): binary',
      '- TensorFlow version (use command below): v2.9.1',
      '- Python version: 3.9',
      '- GPU model and memory: none',
      '- Exact command to reproduce:',
      '',
      '**Describe the problem**.',
      '',
      'Masking is lost after the reshape.',
    ],
    ['Masking is lost after the reshape.'],
  ],
  [
    'Hugging Face',
    [
      '### System Info',
      '',
      '- `transformers` version: 4.38.0',
      '- Platform: Linux-5.15.0-x86_64-with-glibc2.35',
      '- Python version: 3.10.12',
      '- PyTorch version (GPU?): 2.2.0 (True)',
      '- Using GPU in script?: <fill in>',
      '- `Accelerate` default config:',
      '\t- compute_environment: LOCAL_MACHINE',
      '\t- distributed_type: MULTI_GPU',
      '### Who can help?',
      '@someone',
      '### Information',
      '- [ ] The official example scripts',
      '- [X] My own modified scripts',
      '### Tasks',
      '- [ ] An officially supported task in the `examples` folder',
      '### Reproduction',
      'Call `trainer.evaluate()` twice.',
      '### Expected behavior',
      'Both answers agree.',
    ],
    ['Call `trainer.evaluate()` twice.', 'Both answers agree.'],
  ],
  [
    'Lightning',
    [
      '### Bug description',
      'The monitored value is one epoch old.',
      '### What version are you seeing the problem on?',
      'v2.1',
      '### How to reproduce the bug',
      '```python',
      'self.log("val", loss)',
      '```',
      '### Environment',
      '<details>',
      '  <summary>Current environment</summary>',
      '* CUDA:',
      '\t- GPU: None',
      '* Packages:',
      '\t- torchmetrics:      1.2.0',
      '\t- absl-py:           2.0.0',
      '* System:',
      '\t- OS:                Linux',
      '</details>',
      '### More info',
      '_No response_',
    ],
    ['The monitored value is one epoch old.', 'self.log("val", loss)'],
  ],
  [
    'JAX',
    [
      '### Description',
      'The scan returns stale carries.',
      '### What jax/jaxlib version are you using?',
      '0.4.13',
      '### Which accelerator(s) are you using?',
      'CPU',
      '### System info (python version, jaxlib version, accelerator, etc.)',
      'jax:    0.4.13',
      'jaxlib: 0.4.13',
      'device info: cpu-1, 1 local devices',
      'process_count: 1',
    ],
    ['The scan returns stale carries.'],
  ],
  [
    'a sentence in the wrong section',
    ['## Environment', 'torch 2.0, python 3.10', 'With two loader workers the order of my batches differs from one start to the next.'],
    ['With two loader workers the order of my batches differs from one start to the next.'],
  ],
  ['a label with its text', ['**Environment**: torch 2.1, gloo', '**Expected behaviour:** equal sums'], ['equal sums']],
];

function told(body: string): string[] {
  return meaningfulLines(body)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

describe('what a report tells', () => {
  it.each(FORMS)('reads the form of %s', (_form, lines, expected) => {
    expect(told(lines.join('\n'))).toEqual(expected);
  });

  it('drops comments of forms, check marks, requirements and links', () => {
    const lines = [
      '<!-- please search',
      'first -->',
      'Loss is nan, see https://example.org/train/42',
      '- [x] I have searched',
      'torch==2.1.0',
    ];
    expect(told([...lines, 'the end <!-- never closed'].join('\n'))).toEqual(['Loss is nan, see', 'the end <!-- never closed']);
  });

  it('keeps sentences that begin like a key of a collector', () => {
    const lines = [
      'Using DDP the following happens: the second step dies',
      'Model: returns nan after the first step',
      'Memory: grows per step',
    ];
    expect(told(lines.join('\n'))).toEqual(lines);
  });

  it('drops frames of libraries with their code, in the forms of Python, IPython, pytest and native code', () => {
    const lines = [
      '  File "/home/me/proj/train.py", line 3, in main',
      '    fit(model)',
      '  File "/opt/lib/python3.10/site-packages/torch/nn/modules/module.py", line 9, in _call_impl',
      '    return forward_call(*args)',
      '           ^^^^^^^^^^^^^^^^^^^',
      'RuntimeError: shape mismatch',
      '/opt/conda/lib/python3.8/site-packages/torch/nn/functional.py in linear(input, weight)',
      '   1846         return handle(weight)',
      '-> 1848     return torch._C._nn.linear(input, weight)',
      '',
      '../site-packages/torch/optim/adam.py:12: in step',
      '    adam_update(grads)',
      'frame #3: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f00 in /opt/libc10.so)',
      '#4  0x00007f0012345678 in at::native::copy_ () from libtorch.so',
      'it stops there',
    ];
    const kept = told(lines.join('\n'));
    expect(kept).toEqual(['File "proj/train.py", line  , in main', 'fit(model)', 'RuntimeError: shape mismatch', 'it stops there']);
  });

  it('says once what a log says a thousand times', () => {
    const log = Array.from({ length: 1000 }, (_, step) => `step ${step} loss ${step / 7}`);
    expect(told([...log, 'Epoch 1:  40%|████      | 4/10 [00:01<00:02]', 'loss is nan'].join('\n'))).toEqual([
      'step   loss',
      'loss is nan',
    ]);
  });

  it('masks what differs from run to run, and nothing inside of names', () => {
    const text = 'Conv2d at 0x7f0012ab got 64 of /home/me/work/src/net.py in fp16, C:\\a\\b\\c\\d.py deadbeef0123456789';
    expect(maskVariables(text).replace(/\s+/g, ' ')).toBe('Conv2d at got of src/net.py in fp16, c/d.py ');
  });
});

describe('hostile reports', () => {
  const piece = fc.constantFrom(
    ...[
      '<!--',
      '-->',
      '```',
      '~~~',
      '# ',
      '**',
      '<summary>',
      '|',
      '+-',
      '1.',
      '/a',
      '0x',
      'a ',
      ' ',
      '- [',
      '@x ',
      'File "',
      '.py:1: in ',
      '%|',
    ],
    ...['OS: ', 'x==', '-> 1 ', 'CPU(', 'jax  1', '\n', '\t', '\u2028', 'é', 'Error: '],
  );

  it('give no more than they hold, without repeated lines', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const lines = told(pieces.join(''));
        expect(lines.join('').length).toBeLessThanOrEqual(pieces.join('').length + 2 * lines.length);
        expect(new Set(lines).size).toBe(lines.length);
      }),
    );
  });

  // Each text is 200,000 characters that make a pattern with a nested or overlapping repetition try them all again and again.
  it.each(['<!--', 'File "', '1.1', '/a', '**', '**a', 'ab1', '<summary>', '| ', '1%', '@a ', '# #', 'a-', ' \t', '+-=', 'x: ', '0x0'])(
    'are read in linear time: %j again and again',
    (part) => {
      for (const end of ['', '\n']) {
        const body = (part.repeat(600) + end).repeat(Math.ceil(200_000 / (part.length * 600 + end.length)));
        expect(meaningfulLines(body).length).toBeLessThanOrEqual(100_000);
      }
    },
  );
});
