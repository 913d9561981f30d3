import { describe, expect, it } from 'vitest';
import type { Report } from '@reenact/domain';
import { readReport } from '../read-report.js';

function read(text: string): Report {
  return readReport(new TextEncoder().encode(text));
}

function packages(text: string): string[] {
  return read(text).packages.map((entry) => `${entry.name} ${entry.version} ${entry.role} ${entry.source}`);
}

describe('packages', () => {
  it.each([
    ['torch 1.13.1 and 2.6.0, CPU', ['torch 1.13.1 used prose', 'torch 2.6.0 used prose']],
    ['torch 1.13 / 2.6', ['torch 1.13 used prose', 'torch 2.6 used prose']],
    ['PyTorch 2.x (also seen with 1.13)', ['torch 2.x used prose', 'torch 1.13 used prose']],
    ['PyTorch version 2.1.0+cu121 on Linux', ['torch 2.1.0+cu121 used prose']],
    ['numpy==1.24.2 and scikit-learn v1.3.0', ['numpy 1.24.2 used prose', 'scikit-learn 1.3.0 used prose']],
    ['It was fine with torch 1.12 and the same code.', ['torch 1.12 good prose']],
    ['With torch 2.5 and older the same files load.', ['torch 2.5 good prose']],
    ['Since the upgrade from torch 2.0.1 to torch 2.1.0 it fails.', ['torch 2.0.1 good prose', 'torch 2.1.0 used prose']],
    ['torch 2.2 works, torch 2.3 fails.', ['torch 2.2 good prose', 'torch 2.3 used prose']],
    ['It no longer works with torch 2.4.', ['torch 2.4 used prose']],
    ['Not torchy 1.2.3 and not my-torch 1.2', []],
  ])('reads %j', (text, expected) => {
    expect(packages(`# Title\n\n${text}\n`)).toEqual(expected);
  });

  it('reads pip freeze, pip list, conda list and collect_env', () => {
    expect(packages('# T\n```\nnumpy==1.26.4\ntorch @ 2.1.0\ntransformers>=4.30.1\n```')).toEqual([
      'numpy 1.26.4 used pip',
      'torch 2.1.0 used requirement',
      'transformers 4.30.1 used requirement',
    ]);
    expect(packages('# T\n```\nPackage    Version\n---------- -------\nPillow     10.0.1\ntorch      2.0.1\n```')).toEqual([
      'pillow 10.0.1 used pip',
      'torch 2.0.1 used pip',
    ]);
    expect(
      packages(
        '# T\n```\n# packages in environment at /opt/env:\nnumpy        1.26.4    py311h64a7726_0    conda-forge\npytorch      2.1.2     py3.11_cpu_0       pytorch\n```',
      ),
    ).toEqual(['numpy 1.26.4 used conda', 'torch 2.1.2 used conda']);
    expect(packages('# T\n```\nPyTorch version: 2.3.0\n[pip3] numpy==1.26.4\n[conda] torchvision 0.18.0 pypi_0 pypi\n```')).toEqual([
      'torch 2.3.0 used collect-env',
      'numpy 1.26.4 used collect-env',
      'torchvision 0.18.0 used conda',
    ]);
  });

  it('reads Markdown tables and leaves what is no distribution', () => {
    expect(packages('# T\n\n| package | version |\n| --- | --- |\n| torch | 2.6.0 |\n| Python | 3.12.1 |\n| CUDA | 12.1 |\n')).toEqual([
      'torch 2.6.0 used table',
    ]);
  });

  it('takes lines of a training log for no list', () => {
    expect(packages('# T\n```\nloss 0.5.1\nacc 0.9.2\nstep 1.0.0\n```')).toEqual([]);
  });
});

describe('commands', () => {
  it.each([
    ['`python train.py 2`', [['python', 'train.py', '2']]],
    ['Run `torchrun --nproc_per_node 2 train.py --lr 0.1` and wait.', [['torchrun', '--nproc_per_node', '2', 'train.py', '--lr', '0.1']]],
    [
      '1. `python a.py`\n2. `python b.py x`',
      [
        ['python', 'a.py'],
        ['python', 'b.py', 'x'],
      ],
    ],
    [
      '1. python prepare.py --rows 10\n2. python train.py',
      [
        ['python', 'prepare.py', '--rows', '10'],
        ['python', 'train.py'],
      ],
    ],
    [
      '```\n$ CUDA_VISIBLE_DEVICES=0 python -m click.train "two words"\n```',
      [['CUDA_VISIBLE_DEVICES=0', 'python', '-m', 'click.train', 'two words']],
    ],
    ['```bash\npython train.py \\\n  --epochs 3\n```', [['python', 'train.py', '--epochs', '3']]],
    [
      '`train.py start` writes, `train.py resume` reads.',
      [
        ['train.py', 'start'],
        ['train.py', 'resume'],
      ],
    ],
    ['See `train.py` and `torch.save` with Python 3.11.', []],
    ['python is a language, python 3.11 as well', []],
    ['`python "open`', []],
  ])('reads %j', (text, expected) => {
    expect(read(`# Title\n\n${text}\n`).commands.map((command) => command.argv)).toEqual(expected);
  });
});

describe('system', () => {
  it.each([
    ['Python 3.12/3.13, CPU', ['3.12', '3.13']],
    ['Python 3.11 and 3.13', ['3.11', '3.13']],
    ['Python version: 3.9.18', ['3.9.18']],
    ['python=3.8', ['3.8']],
    ['my-python 3.8 tool, jpython 3', []],
  ])('reads Python versions of %j', (text, expected) => {
    expect(read(text).pythonVersions.map((entry) => entry.version)).toEqual(expected);
  });

  it.each([
    ['2 processes on one host', 2],
    ['the two-worker run', 2],
    ['Training with four data-parallel workers', 4],
    ['`torchrun --nproc_per_node=8 a.py`', 8],
    ['world_size = 16', 16],
    ['mpirun -np 3 python a.py', 3],
    ['With one worker it finishes.', null],
    ['a DataLoader with num_workers=4 and 4 workers for loading', null],
    ['2 workers in the loader', null],
  ])('reads the world size of %j', (text, expected) => {
    expect(read(text).worldSize?.value ?? null).toBe(expected);
  });

  it('reads devices, counts, backend and system', () => {
    const report = read('# T\n\n8 x NVIDIA A100 GPUs, backend NCCL, Ubuntu 22.04 LTS. No TPU.');
    expect(report.devices.some((device) => device.kind === 'cuda' && device.model === 'NVIDIA A100' && device.count === 8)).toBe(true);
    expect(report.devices.some((device) => device.kind === 'tpu')).toBe(false);
    expect([report.backend, report.operatingSystem]).toEqual(['nccl', 'Ubuntu 22.04 LTS']);
    expect(read('CPU use falls to zero').devices).toEqual([]);
  });
});

describe('numbers and words about frequency', () => {
  it('gives numbers their unit and the quantity that they belong to', () => {
    const numbers = read('# T\n\nThe loss stays at 1.0986 in 40 000 steps. Each step adds 26 MB, accuracy around 2, lr is 1e-6.').numbers;
    expect(numbers.map(({ value, unit, name }) => [value, unit, name])).toEqual([
      [1.0986, undefined, 'loss'],
      [40_000, 'steps', 'loss'],
      [26, 'MB', 'step'],
      [2, undefined, 'accuracy'],
      [1e-6, undefined, 'lr'],
    ]);
  });

  it.each([
    ['It fails in 1 of 3 runs.', 1 / 3],
    ['It hangs one time out of ten.', null],
    ['3 out of 10 tries crash.', 0.3],
    ['It sometimes fails.', 0.3],
    ['About half of the runs hang.', 0.5],
    ['The run fails every time.', 1],
    ['In 20 % of the runs the loss is nan.', 0.2],
    ['It always works with one worker.', null],
    ['It fails.', null],
    ['Expected: the same number every time.', null],
  ])('reads %j', (sentence, rate) => {
    const found = read(`# T\n\n${sentence}`).frequency;
    if (rate === null) expect(found).toBeNull();
    else expect(found?.rate).toBeCloseTo(rate, 9);
  });

  it('reads seeds, links, files, symbols and the date', () => {
    const report = read(
      '# T\n\nDate: 2025-03-04\n\ntorch.manual_seed(7), `--seed 11`. See https://example.org/issues/3. File net/loss.py, `torch.save` and `Net.forward()`.',
    );
    expect(report.seeds.map((seed) => seed.value)).toEqual([7, 11]);
    expect(report.links.map((link) => link.url)).toEqual(['https://example.org/issues/3']);
    expect(report.files.map((file) => file.path)).toEqual(['net/loss.py']);
    expect(report.symbols.map((symbol) => symbol.name)).toEqual(expect.arrayContaining(['torch.save', 'Net.forward', 'torch.manual_seed']));
    expect(report.date).toBe('2025-03-04');
    expect(read('# T\n\nfiled on March 4, 2025').date).toBe('2025-03-04');
  });

  it('lists what is missing', () => {
    expect(read('# Broken').missing).toEqual(expect.arrayContaining(['command', 'version', 'code', 'environment']));
    expect(read('# T\n\ntorch 2.6, Python 3.11, CPU. Raises KeyError.\n\n`python a.py`').missing).toEqual([]);
    expect(read('# T\n\nFails on our own private data set with KeyError.').missing).toContain('data');
  });
});
