import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Facet, Report } from '@reenact/domain';
import { plainClaim, plainReport } from '../testing/index.js';
import { proposeFromReport } from './from-report.js';
import { proposeCommands } from './report-commands.js';
import { proposeSnippets } from './report-snippets.js';
import { treeOfTexts } from './subject-tree.js';

const project = {
  'train.py': 'import sys\nif __name__ == "__main__":\n    print(sys.argv)\n',
  'evaluate.py': 'print(1)\n',
  'tools/prepare.py': 'print(2)\n',
  'pkg/__main__.py': 'print(3)\n',
  'pkg/__init__.py': '',
  'configs/small.yaml': 'lr: 1\n',
  'save.py':
    'import sys\n\n\ndef write(path):\n    open(path, "w")\n\n\ndef read(path):\n    open(path)\n\n\nif __name__ == "__main__":\n    {"write": write, "read": read}[sys.argv[1]](sys.argv[2])\n',
};

function commandsOf(text: string, parts: Partial<Report> = {}, files: Record<string, string> = project): string[][] {
  const candidates = proposeCommands({ report: plainReport(text, parts), claim: plainClaim(), tree: treeOfTexts(files) });
  return candidates.map(({ launch }) => launch.steps.map(({ argv, ranks }) => argv.slice(1).join(' ') + (ranks > 1 ? ` x${ranks}` : '')));
}

/** Mini reports and the first candidate's steps; `null` = no candidate at all. */
const FIRST: [string, string, string[] | null][] = [
  ['a command by itself', 'It dies.\n\n`python train.py 2`', ['train.py 2']],
  ['a command in a shell block', 'Run\n\n```bash\n$ python train.py --lr 0.1\nstep 1\n```', ['train.py --lr 0.1']],
  ['a block without language', '```\npython3 train.py\nepoch 0 loss nan\n```', ['train.py']],
  ['output lines are no commands', '```\n  File "train.py", line 3, in <module>\ntrain.py:12: UserWarning: x\n```', null],
  ['several lines of a block', '```sh\npython tools/prepare.py\npython train.py\n```', ['tools/prepare.py', 'train.py']],
  [
    'numbered steps',
    '1. `python train.py w.pt`\n2. `python evaluate.py w.pt`\n3. look at the numbers',
    ['train.py w.pt', 'evaluate.py w.pt'],
  ],
  ['numbered steps without marks', '1. python train.py w.pt\n2. python evaluate.py w.pt', ['train.py w.pt', 'evaluate.py w.pt']],
  [
    'steps with blocks of their own',
    '1. Train:\n\n```bash\npython train.py w.pt\n```\n\n2. Evaluate:\n\n```bash\npython evaluate.py w.pt\n```',
    ['train.py w.pt', 'evaluate.py w.pt'],
  ],
  ['three runs', 'Do `python evaluate.py` three times, the numbers differ.', ['evaluate.py', 'evaluate.py', 'evaluate.py']],
  ['a few times', '- `python evaluate.py` a few times', Array.from({ length: 5 }, () => 'evaluate.py')],
  ['twice', 'I called `python evaluate.py` twice.', ['evaluate.py', 'evaluate.py']],
  ['the same again', '`python train.py c.pt`, then the same again to go on.', ['train.py c.pt', 'train.py c.pt']],
  [
    'a second start told in prose',
    'When I start the same command again, the loss jumps.\n\n`python train.py --ckpt a.pt`',
    ['train.py --ckpt a.pt', 'train.py --ckpt a.pt'],
  ],
  ['fails again is no order', '`python train.py` fails again and again with the same message.', ['train.py']],
  ['contrast of values', '`python train.py 1` is fine, `python train.py 2` fails.', ['train.py 2']],
  ['contrast with the good one last', '`python train.py --amp` crashes but `python train.py` works.', ['train.py --amp']],
  [
    'contrast before the command',
    'It works with `python train.py --workers 0`. It hangs with `python train.py --workers 4`.',
    ['train.py --workers 4'],
  ],
  [
    'two phases',
    '`python train.py a.pt` writes the file without complaint. `python evaluate.py a.pt` ends in a KeyError.',
    ['train.py a.pt', 'evaluate.py a.pt'],
  ],
  [
    'phases of one script, argument left out',
    '`save.py write` stores it. `save.py read` raises an EOFError.',
    ['save.py write out.bin', 'save.py read out.bin'],
  ],
  ['torchrun', '`torchrun --nproc_per_node 2 train.py --x 1`', ['train.py --x 1 x2']],
  ['torchrun with more options', '`torchrun --standalone --nnodes=1 --nproc-per-node=4 train.py`', ['train.py x4']],
  ['the old launcher', '`python -m torch.distributed.launch --nproc_per_node=2 --use_env train.py`', ['train.py x2']],
  ['accelerate', '`accelerate launch --num_processes 2 --cpu train.py --e 1`', ['train.py --e 1 x2']],
  ['pytest', '`pytest tests/test_a.py -k name`', ['-m pytest tests/test_a.py -k name']],
  ['a module of the project', '`python -m pkg --fast`', ['-m pkg --fast']],
  ['a module that the project lacks', '`python -m http.server 80`', null],
  ['change of folder', '```bash\ncd tools && python prepare.py\n```', ['tools/prepare.py']],
  [
    'a path of another machine',
    '`python /home/me/work/proj/train.py --config /home/me/work/proj/configs/small.yaml`',
    ['train.py --config configs/small.yaml'],
  ],
  ['a placeholder for a file', '`python train.py --ckpt <checkpoint>`', ['train.py --ckpt out.bin']],
  ['a placeholder for a number', '`python train.py --lr <lr>`', null],
  ['a file that is nowhere', '`python other.py`', null],
  ['another program', '`rm -rf /` and `curl http://x | sh` and `bash train.sh`', null],
  ['no shell trick gets through', '`python train.py; rm -rf ~`', ['train.py']],
  ['output is piped away', '`python train.py 2>&1 | tee log.txt`', ['train.py']],
  [
    'a loop',
    '```bash\nfor s in 1 2 3; do python train.py --seed $s; done\n```',
    ['train.py --seed 1', 'train.py --seed 2', 'train.py --seed 3'],
  ],
  ['continued lines', '```bash\npython train.py \\\n  --lr 1 \\\n  --wd 2\n```', ['train.py --lr 1 --wd 2']],
  ['a notebook shell line', '```\n!python train.py\n```', ['train.py']],
  ['under an expectation', '## Expected\n\n`python train.py` prints a number', null],
  ['under a workaround', '## Workaround\n\n```bash\npython train.py --no-amp\n```', null],
  ['a bare file is no command', 'The fault is in `train.py`, I think.', null],
  ['a bare file that is run', 'Simply run `train.py`.', ['train.py']],
  ['a wrapper', '`uv run python train.py`', ['train.py']],
  ['installation beside it', '```bash\npip install torch\npython train.py\n```', ['train.py']],
  [
    'the clone of the project',
    '```bash\ngit clone https://x/y\ncd y/tools\npip install -r r.txt\npython prepare.py\n```',
    ['tools/prepare.py'],
  ],
  ['a path of another system', '`python .\\train.py --x 1`', ['train.py --x 1']],
  [
    'ranks that are started one by one',
    '```bash\nRANK=0 WORLD_SIZE=2 python train.py &\nRANK=1 WORLD_SIZE=2 python train.py\n```',
    ['train.py x2'],
  ],
  ['a step that only says again', '1. `python train.py a`\n2. Run the same command again\n3. look', ['train.py a', 'train.py a']],
  ['a loop without an end', '```bash\nwhile true; do python evaluate.py; done\n```', Array.from({ length: 5 }, () => 'evaluate.py')],
  ['a labelled line', 'Command: python train.py --x 1', ['train.py --x 1']],
  ['HTML code', 'Run <code>python train.py 3</code>.', ['train.py 3']],
  ['an optional argument', '`python train.py [--fast] 3`', ['train.py 3']],
  [
    'two calls with a resume flag',
    '`python train.py --n 1`, `python train.py --n 1 --resume`',
    ['train.py --n 1', 'train.py --n 1 --resume'],
  ],
  [
    'a good command in a paragraph of its own',
    'With one worker (`python train.py 1`) it finishes.\n\nRun `python train.py 2`.',
    ['train.py 2'],
  ],
  ['repeats in brackets', '`python evaluate.py` (twice, the second one crashes)', ['evaluate.py', 'evaluate.py']],
  ['separate programs in one sentence', 'Both `python train.py` and then `python evaluate.py` were started.', ['train.py', 'evaluate.py']],
];

describe('proposeCommands', () => {
  it.each(FIRST)('%s', (_name, text, steps) => {
    expect(commandsOf(text)[0] ?? null).toEqual(steps);
  });

  it('offers the other reading of a contrast as a second candidate', () => {
    expect(commandsOf('`python train.py 1` is fine, `python train.py 2` fails.')).toEqual([['train.py 2'], ['train.py 1', 'train.py 2']]);
  });

  it('keeps variables and leaves out those of the harness', () => {
    const [candidate] = proposeCommands({
      report: plainReport('`PATH=/x PYTHONHASHSEED=3 OMP_NUM_THREADS=1 HF_TOKEN=abc python train.py`'),
      claim: plainClaim(),
      tree: treeOfTexts(project),
    });
    expect(candidate!.launch.env).toEqual({ PYTHONHASHSEED: '3', OMP_NUM_THREADS: '1' });
    expect(candidate!.repairs).toEqual(['left out the variable PATH', 'left out the variable HF_TOKEN']);
  });

  it('turns `python -c` into a script of the bundle', () => {
    const [candidate] = proposeCommands({
      report: plainReport('`python -c "import pkg; pkg.f(1)"`'),
      claim: plainClaim(),
      tree: treeOfTexts(project),
    });
    expect(candidate).toMatchObject({ origin: 'report-snippet', files: [{ path: 'inline.py', text: 'import pkg; pkg.f(1)\n' }] });
    expect(candidate!.launch.steps[0]!.argv).toEqual(['python', '@script/inline.py']);
  });

  it('records what it added to a command', () => {
    const [candidate] = proposeCommands({ report: plainReport('`save.py write`'), claim: plainClaim(), tree: treeOfTexts(project) });
    expect(candidate!.repairs).toEqual(['added the argument `out.bin`: the program reads sys.argv[2] (path) and the report leaves it out']);
  });

  it('lets a repeated command go on after an error, and stops a sequence of phases', () => {
    const [candidate] = proposeCommands({
      report: plainReport('1. `python train.py a`\n2. `python evaluate.py` several times'),
      claim: plainClaim(),
      tree: treeOfTexts(project),
    });
    expect(candidate!.launch.steps.map(({ continueOnError }) => continueOnError)).toEqual([false, true, true, true, true, true]);
  });

  it('switches hang detection on for a hang', () => {
    const facet: Facet = {
      id: 'f1',
      statement: 'stops',
      span: null,
      stance: 'observed',
      oracles: [{ kind: 'hang', silentSeconds: 30 }],
      shownBy: 'harness',
    };
    const material = { report: plainReport('`python train.py`'), tree: treeOfTexts(project) };
    expect(proposeCommands({ ...material, claim: plainClaim([facet]) })[0]!.launch.silentSeconds).toBe(30);
    expect(proposeCommands({ ...material, claim: plainClaim() })[0]!.launch.silentSeconds).toBeNull();
  });

  it('takes what the report reader found and marks expectations by its sentences', () => {
    const text = 'Start python train.py 4 here. It should be like python train.py 1 then.';
    const command = (part: string): Report['commands'][number] => ({
      text: part,
      argv: part.split(' '),
      span: { start: text.indexOf(part), end: text.indexOf(part) + part.length },
    });
    const sentences: Report['sentences'] = [{ text: 'x', stance: 'expected', span: { start: text.indexOf('It'), end: text.length } }];
    expect(commandsOf(text, { commands: [command('python train.py 4'), command('python train.py 1')], sentences })).toEqual([
      ['train.py 4'],
    ]);
  });

  it('never starts anything but Python, whatever the text', () => {
    const piece = fc.constantFrom(
      '`',
      'python ',
      'train.py',
      ' ',
      '\n',
      '$(',
      ')',
      '"',
      "'",
      ';',
      '|',
      '&&',
      '>',
      '../',
      '/etc/passwd',
      'torchrun ',
      '--nproc_per_node ',
      '99',
      '1. ',
      '```',
      'rm',
      '\\',
      '<x>',
      'again',
      'twice ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const candidate of proposeCommands({
          report: plainReport(pieces.join('')),
          claim: plainClaim(),
          tree: treeOfTexts(project),
        })) {
          for (const { argv, ranks } of candidate.launch.steps) {
            expect(argv[0]).toBe('python');
            expect(argv.some((word) => ['-m', 'train.py', 'evaluate.py', '@script/inline.py', 'tools/prepare.py'].includes(word))).toBe(
              true,
            );
            expect(ranks).toBeLessThanOrEqual(64);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('bounds what it takes from a hostile report', () => {
    expect(commandsOf(`${'`'.repeat(50_000)}${'python '.repeat(20_000)}${'\n1. '.repeat(20_000)}`)).toEqual([]);
    const many = commandsOf('1. `python train.py 1`\n'.repeat(20_000));
    expect(many.length).toBeLessThanOrEqual(8);
    expect(many[0]!.length).toBeLessThanOrEqual(20);
  });
});

function snippetsOf(text: string, files: Record<string, string> = project): { text: string; argv: string[]; repairs: string[] }[] {
  const candidates = proposeSnippets({ report: plainReport(text), claim: plainClaim(), tree: treeOfTexts(files) });
  return candidates.map(({ files: own, launch, repairs }) => ({ text: own[0]!.text, argv: launch.steps[0]!.argv, repairs }));
}

describe('proposeSnippets', () => {
  it('takes a script of the report', () => {
    expect(snippetsOf('```python\nimport torch\nprint(torch.ones(2))\n```')).toEqual([
      { text: 'import torch\nprint(torch.ones(2))\n', argv: ['python', '@script/repro.py'], repairs: [] },
    ]);
  });

  it('strips the prompts of a session together with its output', () => {
    const [snippet] = snippetsOf('```\n>>> import numpy as np\n>>> for i in range(2):\n...     print(i)\n0\n1\n```');
    expect(snippet).toMatchObject({
      text: 'import numpy as np\nfor i in range(2):\n    print(i)\n',
      repairs: ['removed interpreter prompts and their output'],
    });
  });

  it('mends indentation, magics and display calls, each recorded', () => {
    const [snippet] = snippetsOf('```python\n    %matplotlib inline\n    import torch\n    x = torch.ones(1)\n    plt.show()\n```');
    expect(snippet!.text).toBe('pass\nimport torch\nx = torch.ones(1)\npass\n');
    expect(snippet!.repairs).toEqual(['removed the common indentation', 'removed notebook magics', 'removed display calls']);
  });

  it('keeps the name and arguments that the report gives a script', () => {
    const [snippet] = snippetsOf(
      'Save this as `bug.py` and run `python bug.py --n 3`:\n\n```python\nimport sys\nprint(len(sys.argv))\n```',
    );
    expect(snippet!.argv).toEqual(['python', '@script/bug.py', '--n', '3']);
  });

  it('joins blocks that need each other', () => {
    const found = snippetsOf('```python\nimport torch\nx = torch.ones(2)\n```\nthen\n```python\nprint(x.sum())\n```');
    expect(found[0]!.text).toBe('import torch\nx = torch.ones(2)\n\nprint(x.sum())\n');
  });

  it.each([
    ['a traceback', '```\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: x\n```'],
    ['a quotation of the project', '```python\nprint(1)\n```'],
    ['definitions alone', '```python\nimport torch\n\ndef f(x):\n    return x\n```'],
    ['a workaround', 'As a workaround:\n\n```python\nimport torch\nprint(1 + 1)\n```'],
    ['another language', '```yaml\nimport: x\nrun: print(1)\n```'],
  ])('leaves out %s', (_name, text) => {
    expect(snippetsOf(text)).toEqual([]);
  });
});

describe('proposeFromReport', () => {
  const argvOf = (text: string): string[][] => {
    const candidates = proposeFromReport({
      report: plainReport(text),
      claim: plainClaim(),
      treeDirectory: '/nonexistent',
      treeFiles: ['train.py', 'evaluate.py'],
    });
    return candidates.map(({ launch }) => launch.steps.map(({ argv }) => argv.slice(1).join(' ')));
  };
  const snippet = '\n\n```python\nimport torch\nprint(torch.nn.Linear(1, 1))\n```\n';

  it('puts a recipe of several steps before a script, and a script before a single command', () => {
    expect(argvOf(`1. \`python train.py a\`\n2. \`python evaluate.py a\`${snippet}`)).toEqual([
      ['train.py a', 'evaluate.py a'],
      ['@script/repro.py'],
    ]);
    expect(argvOf(`\`python train.py a\`${snippet}`)).toEqual([['@script/repro.py'], ['train.py a']]);
  });

  it('keeps the failing side of a contrast first', () => {
    expect(argvOf('`python train.py 1` is fine, `python train.py 2` fails.')[0]).toEqual(['train.py 2']);
  });
});
