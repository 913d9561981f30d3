import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildsDistribution, isBuildCommand } from './build-command.js';

const words = (command: string): string[] => command.split(' ');

describe('isBuildCommand', () => {
  it.each([
    'python setup.py build_ext --inplace',
    '/usr/bin/python3.12 -W ignore ./setup.py --quiet bdist_wheel',
    'python -m pip install --no-deps .',
    'python -m pip --isolated install -e .',
    'python -I -m build',
    'pip3.11 wheel .',
    '/opt/env/bin/pip install flash-attn',
    'uv pip install .',
    'poetry build',
    'maturin develop',
    'make -j4',
  ])('knows %s', (command) => {
    expect(isBuildCommand(words(command))).toBe(true);
  });

  it.each([
    'python train.py install',
    'python setup.py --help',
    'python /work/script/setup.py build',
    'python ../other/setup.py build',
    'python -c setup.py build',
    'python -m pip list',
    'python -m pip',
    'python -m train build',
    'pip --version',
    'python',
    'poetry run build',
    'constructor install',
    'python -W build setup.py',
  ])('does not take %s for one', (command) => {
    expect(isBuildCommand(words(command))).toBe(false);
  });

  it('takes any words', () => {
    fc.assert(fc.property(fc.array(fc.string(), { maxLength: 6 }), (argv) => typeof isBuildCommand(argv) === 'boolean'));
    expect(isBuildCommand([])).toBe(false);
  });
});

describe('buildsDistribution', () => {
  it('reads names as package indexes do, and takes the project itself', () => {
    expect(buildsDistribution(words('pip install Flash_Attn==2.5'), 'flash-attn')).toBe(true);
    expect(buildsDistribution(words('pip install .'), 'anything')).toBe(true);
    expect(buildsDistribution(words('pip install ./'), 'anything')).toBe(true);
    expect(buildsDistribution(words('pip install .[dev]'), 'anything')).toBe(true);
    expect(buildsDistribution(words('python setup.py build'), 'anything')).toBe(true);
    expect(buildsDistribution(words('pip install flash-attn-helper'), 'flash-attn')).toBe(false);
  });
});
