import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { plainClaim, plainReport } from '../testing/index.js';
import { proposeFromProject } from './from-project.js';
import { openTree } from './subject-tree.js';

const MAIN = 'if __name__ == "__main__":\n    run()\n';
const folders: string[] = [];

function writeTree(files: Record<string, string>): { treeDirectory: string; treeFiles: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-portfolio-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { treeDirectory: folder, treeFiles: Object.keys(files) };
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function argvOf(text: string, files: Record<string, string>, options: { frames?: string[]; pytest?: boolean } = {}): string[] {
  const claim = plainClaim([], { frames: (options.frames ?? []).map((file) => ({ file })) });
  const candidates = proposeFromProject(
    { report: plainReport(text), claim, ...writeTree(files) },
    { pytestAvailable: options.pytest ?? true },
  );
  return candidates.map(({ launch }) => launch.steps[0]!.argv.slice(1).join(' '));
}

describe('proposeFromProject', () => {
  it('puts the file that the report names before the usual entry points', () => {
    expect(argvOf('`inspect_it.py` shows it', { 'train.py': MAIN, 'inspect_it.py': MAIN, 'lib.py': 'x = 1\n' })).toEqual([
      'inspect_it.py',
      'train.py',
    ]);
  });

  it('prefers an entry point that imports a module of the trace', () => {
    const files = { 'a.py': `import other\n${MAIN}`, 'b.py': `import loss\n${MAIN}`, 'loss.py': 'def f(): pass\n', 'other.py': '' };
    expect(argvOf('a crash', files, { frames: ['loss.py'] })).toEqual(['b.py', 'a.py']);
  });

  it('gives tests near the symptom, with pytest or with unittest', () => {
    const files = { 'tests/test_loss.py': 'import unittest\nimport loss\n', 'tests/test_far.py': 'import unittest\n', 'loss.py': '' };
    expect(argvOf('a crash', files, { frames: ['loss.py'] })).toEqual(['-m pytest -x -q -p no:cacheprovider tests/test_loss.py']);
    expect(argvOf('a crash', files, { frames: ['loss.py'], pytest: false })).toEqual(['-m unittest tests/test_loss.py']);
  });

  it('adds a fresh file for a needed path and leaves out what it cannot start', () => {
    const files = {
      'main.py': 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--out-file", required=True)\np.parse_args()\n' + MAIN,
      'run.py': 'import argparse\np = argparse.ArgumentParser()\np.add_argument("count", type=int)\np.parse_args()\n' + MAIN,
      'train.py': 'import sys\nmode = {"a": 1}[sys.argv[1]]\n' + MAIN,
    };
    expect(argvOf('a crash', files)).toEqual(['main.py --out-file out.bin']);
  });

  it.each([
    ['a flag', 'With `--amp` the loss gets NaN.', ['main.py --amp', 'main.py']],
    ['a value', 'It crashes with batch_size=3 and --amp.', ['main.py --amp --batch-size 3', 'main.py']],
    ['an option with its value', 'Use --batch-size 5 and see it fail.', ['main.py --batch-size 5', 'main.py']],
    ['nothing out of a whole command', '`python other.py --batch-size 5` fails.', ['main.py']],
    ['no flag that works', 'It fails. With `--amp` it is fine.', ['main.py']],
    ['no flag that is left away', 'It fails without `--amp`.', ['main.py']],
    ['no value of another kind', 'It fails, batch_size=none.', ['main.py']],
    ['nothing that the program does not declare', 'It fails with --fast and --lr 3.', ['main.py']],
  ])('takes from the report %s', (_name, text, expected) => {
    const source = 'p.add_argument("--amp", action="store_true")\np.add_argument("--batch-size", type=int, default=8)\n';
    expect(argvOf(text, { 'main.py': source + MAIN })).toEqual(expected);
  });

  it('starts as many ranks as the report names where the program waits for a launcher', () => {
    const ranksOf = (source: string): number => {
      const claim = plainClaim([], { worldSize: 2 });
      return proposeFromProject({ report: plainReport('two processes'), claim, ...writeTree({ 'main.py': source + MAIN }) })[0]!.launch
        .steps[0]!.ranks;
    };
    expect(ranksOf('rank = int(os.environ["RANK"])\n')).toBe(2);
    expect(ranksOf('os.environ["RANK"] = "0"\nmp.spawn(f, nprocs=2)\n')).toBe(1);
    expect(ranksOf('x = 1\n')).toBe(1);
  });

  it('takes a choice that the report names', () => {
    const files = { 'main.py': 'p.add_argument("mode", choices=["fast", "slow"])\n' + MAIN };
    expect(argvOf('in slow mode it hangs', files)).toEqual(['main.py slow']);
  });
});

describe('openTree', () => {
  it('reads nothing outside the tree', () => {
    const { treeDirectory } = writeTree({ 'a.py': 'inside\n' });
    const other = writeTree({ 'secret.txt': 'outside\n' });
    symlinkSync(join(other.treeDirectory, 'secret.txt'), join(treeDirectory, 'link.txt'));
    const tree = openTree(treeDirectory, ['a.py', 'link.txt', '../secret.txt', '/etc/passwd', 'absent.py']);
    expect(tree.files).toEqual(['a.py', 'link.txt', 'absent.py']);
    expect(['a.py', 'link.txt', '../secret.txt', '/etc/passwd', 'absent.py'].map((path) => tree.read(path))).toEqual([
      'inside\n',
      null,
      null,
      null,
      null,
    ]);
  });
});
