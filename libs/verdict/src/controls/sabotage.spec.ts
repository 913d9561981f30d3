import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPythonSyntax, type PythonSyntax } from '@reenact/code-index';
import { replaceFunction, replaceFunctions } from './sabotage.js';

const SUBJECT = `import math


class Meter:
    """Counts."""

    @property
    def mean(self):
        return total(self.values) / count(self.values, 1)

    def update(self, value, n=1):
        self.values.append(value * n)
        log(value)


def count(values, start):
    return len(values) + start
`;

let python: PythonSyntax;
let folder: string;
beforeAll(async () => {
  python = await loadPythonSyntax();
  folder = await mkdtemp(join(tmpdir(), 'reenact-sabotage-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const replace = (name: string, text: string) => replaceFunction(python, SUBJECT, { file: 'meter.py', function: name, text });

describe('replaceFunction', () => {
  it('puts a definition in the place of another, with its indent, and leaves all else', () => {
    expect(replace('count', 'def count(values, start):\n    return len(values)\n')).toBe(
      SUBJECT.replace('len(values) + start', 'len(values)'),
    );
    const method = 'def mean(self):\n    return total(self.values) / count(self.values, 0)';
    expect(replace('Meter.mean', method)).toBe(SUBJECT.replace('count(self.values, 1)', 'count(self.values, 0)'));
    expect(replace('Meter.mean', method.replace(/^/gm, '        '))).toBe(
      SUBJECT.replace('count(self.values, 1)', 'count(self.values, 0)'),
    );
  });

  it.each([
    ['another name', 'count', 'def counted(values, start):\n    return len(values)'],
    ['other parameters', 'count', 'def count(values, start=0):\n    return len(values)'],
    ['no definition', 'count', 'return len(values)'],
    ['two definitions', 'count', 'def count(values, start):\n    return len(values)\n\ndef other():\n    pass'],
    ['nothing changed', 'count', 'def count(values, start):\n    return  len(values) + start'],
    ['a broken text', 'count', 'def count(values, start):\n    return len(values'],
    ['an emptied function', 'Meter.update', 'def update(self, value, n=1):\n    pass'],
    ['the program ended', 'count', 'def count(values, start):\n    exit(0)\n    return len(values)'],
    ['a module of the system', 'count', 'def count(values, start):\n    import os\n    os._exit(0)\n    return len(values)'],
    ['printing', 'count', 'def count(values, start):\n    print("OBS acc=0.5")\n    return len(values)'],
    [
      'errors caught',
      'Meter.update',
      'def update(self, value, n=1):\n    try:\n        self.values.append(value * n)\n    except Exception:\n        log(value)',
    ],
    ['no such function', 'Meter.sum', 'def sum(self):\n    return 0'],
  ])('refuses %s', (_what, name, text) => {
    expect(() => replace(name, text)).toThrow(expect.objectContaining({ code: 'patch-does-not-apply' }));
  });
});

describe('replaceFunctions', () => {
  const functions = [{ file: 'meter.py', function: 'count', text: 'def count(values, start):\n    return len(values)' }];

  it('changes suspected functions of a copy, and no others', async () => {
    const directory = join(folder, 'copy');
    await mkdir(directory);
    await writeFile(join(directory, 'meter.py'), SUBJECT);
    await expect(
      replaceFunctions(python, directory, { suspects: [{ file: 'meter.py', function: 'Meter.mean' }], functions }),
    ).rejects.toThrow(/not suspected/);
    await expect(replaceFunctions(python, directory, { suspects: [], functions: [] })).rejects.toThrow(/no function/);
    await replaceFunctions(python, directory, { suspects: [{ file: 'meter.py', function: 'count' }], functions });
    expect(await readFile(join(directory, 'meter.py'), 'utf8')).toContain('return len(values)\n');
  });

  it('writes through no link', async () => {
    const directory = join(folder, 'linked');
    await mkdir(directory);
    await writeFile(join(folder, 'outside.py'), SUBJECT);
    await symlink(join(folder, 'outside.py'), join(directory, 'meter.py'));
    await expect(replaceFunctions(python, directory, { suspects: functions, functions })).rejects.toThrow(/no such file/);
  });
});
