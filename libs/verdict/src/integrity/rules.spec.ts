import { beforeAll, describe, expect, it } from 'vitest';
import { loadPythonSyntax, type PythonSyntax } from '@reenact/code-index';
import type { Arm, Candidate, EvidenceRecord, Facet, Finding, Frame } from '@reenact/domain';
import { createEvidence } from '../testing/evidence-builder.js';
import { exceptionOracle, observedFacet } from '../testing/claim-builder.js';
import { bundleParts } from '../testing/bundle-parts.js';
import { finishedTrial } from '../testing/trial-builder.js';
import { checkScript, confirmFindings } from './check-script.js';
import { FACETS, SUBJECT } from './fixtures/subject.js';
import { listingOf, type SubjectListing } from './subject-listing.js';

let python: PythonSyntax;
let subject: SubjectListing;
beforeAll(async () => {
  python = await loadPythonSyntax();
  subject = listingOf(python, SUBJECT);
});

function candidateOf(files: Record<string, string>): Candidate {
  return { ...bundleParts().candidate, files: Object.entries(files).map(([path, text]) => ({ path, text })) };
}
function check(text: string, facet: Facet = FACETS.crash, symbols: string[] = []): Finding[] {
  return checkScript(python, candidateOf({ 'repro.py': text }), subject, { ...bundleParts().claim, facets: [facet], symbols });
}
const codes = (findings: Finding[], level = 'suspicion'): string[] =>
  findings.filter((finding) => finding.level === level).map((finding) => finding.rule);

/** The builder's hash of zeros stands for the snapshot's own text. */
function asLoaded(records: EvidenceRecord[]): EvidenceRecord[] {
  return records.map((record) =>
    record.kind === 'modules'
      ? {
          ...record,
          loaded: record.loaded.map((module) =>
            /^0+$/.test(module.sha256) ? { ...module, sha256: subject.hashes.get(module.file) ?? '' } : module,
          ),
        }
      : record,
  );
}

/** Confirms a script's suspicions by one trial per arm. */
function confirm(text: string, facet: Facet, arms: Partial<Record<Arm, EvidenceRecord[]>>): Finding[] {
  const candidate = candidateOf({ 'repro.py': text });
  const trials = (Object.keys(arms) as Arm[]).map((arm) => ({
    judged: finishedTrial(arm, 0, arms[arm] ?? [], [facet]),
    records: asLoaded(arms[arm] ?? []),
  }));
  return confirmFindings(python, candidate, check(text, facet), {
    trials,
    facets: [facet],
    suspects: [{ file: 'scoring.py', function: 'score' }],
    subject,
  });
}
const at = (place: NonNullable<Frame['place']>, file: string, line: number, name = 'f'): Frame => ({ file, line, function: name, place });
const crash = (frames: Frame[], raisedIn: 'subject' | 'script'): EvidenceRecord[] =>
  createEvidence()
    .modules('picker.py')
    .exception({ type: 'builtins.IndexError', message: 'list index out of range', frames, raisedIn })
    .exit(1)
    .build();

describe('sleeps-as-hang', () => {
  const stalled = (frame: Frame): EvidenceRecord[] =>
    createEvidence()
      .modules('learn.py')
      .stack(10, [[frame]])
      .stall({ silentSeconds: 30, blocked: [{ pid: 10, signature: 's', at: frame }] })
      .exit(null, { signal: 'SIGKILL', endedBy: 'hang' })
      .build();
  const sleeping = 'import time\nimport learn\nlearn.learn(1)\ntime.sleep(600)\n';

  it('catches a script that sleeps, loops or waits by itself', () => {
    expect(codes(check(sleeping, FACETS.hang))).toEqual(['sleeps-as-hang']);
    expect(codes(check('import learn\nlearn.learn(1)\nwhile True:\n    pass\n', FACETS.hang))).toEqual(['sleeps-as-hang']);
    const findings = confirm(sleeping, FACETS.hang, { candidate: stalled(at('script', 'repro.py', 4, '<module>')) });
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'sleeps-as-hang', level: 'finding', line: 4 }));
  });

  it('lets a watcher be, and refutes where the subject is what blocks', () => {
    expect(
      codes(
        check(
          'import subprocess, time\np = subprocess.Popen(["python", "learn.py"])\nwhile p.poll() is None:\n    time.sleep(30)\n',
          FACETS.hang,
        ),
      ),
    ).toEqual([]);
    expect(codes(check('import time, learn\nlearn.learn(1)\ntime.sleep(0.2)\n', FACETS.hang))).toEqual([]);
    const findings = confirm(sleeping, FACETS.hang, { candidate: stalled(at('subject', 'learn.py', 12, 'learn')) });
    expect(findings.map((finding) => finding.level)).toEqual(['refuted']);
  });
});

describe('reimplements-the-subject', () => {
  const copy = `import picker\n${SUBJECT['learn.py']?.slice(SUBJECT['learn.py'].indexOf('def learn'), SUBJECT['learn.py'].indexOf('if __name__')) ?? ''}`;

  it('suspects a copy of a function, not a small one of another kind', () => {
    expect(codes(check(`${copy}\npicker.running([[1]])\n`))).toEqual(['reimplements-the-subject']);
    expect(codes(check('import picker\ndef learn(n):\n    return picker.running([[n]])\nlearn(1)\n'))).toEqual([]);
  });
});

describe('spoils-state', () => {
  it('suspects a not-a-number in an object of the subject, not in data of the script', () => {
    expect(codes(check('from picker import Picker\np = Picker()\np.size = float("nan")\np.pick([[1]])\n'))).toEqual(['spoils-state']);
    expect(codes(check('from picker import Picker\nimport torch\np = Picker()\np.weight.fill_(float("inf"))\np.pick([[1]])\n'))).toEqual([
      'spoils-state',
    ]);
    expect(codes(check('from picker import Picker\nbest = float("-inf")\nbest = max(best, Picker().pick([[1]]))\n'))).toEqual([]);
  });
});

describe('imitates-a-rank, stubs-the-path, runs-a-copy', () => {
  it('suspects a collective that is replaced', () => {
    expect(
      codes(check('import torch.distributed as dist\nimport picker\ndist.all_reduce = lambda t: None\npicker.running([[1]])\n')),
    ).toEqual(['imitates-a-rank']);
    expect(
      codes(check('import torch.distributed as dist\nimport picker\ndist.init_process_group("gloo")\npicker.running([[1]])\n')),
    ).toEqual([]);
  });

  it('suspects a library function on the path of the report, and only notes others', () => {
    const text = 'import torch\nimport picker\ntorch.load = lambda path: {}\npicker.running([[1]])\n';
    expect(codes(check(text, FACETS.crash, ['torch.load']))).toEqual(['patches-the-subject']);
    const quiet = 'import wandb\nimport picker\nwandb.init = lambda **given: None\npicker.running([[1]])\n';
    expect(codes(check(quiet))).toEqual([]);
    expect(codes(check(quiet), 'advice')).toEqual(['patches-the-subject']);
  });

  it('only notes a stub of a module that is not the subject', () => {
    const text = 'import sys, types\nsys.modules["wandb"] = types.ModuleType("wandb")\nimport picker\npicker.running([[1]])\n';
    expect(codes(check(text))).toEqual([]);
    expect(codes(check(text), 'advice')).toEqual(['stubs-the-path']);
  });

  it('suspects a file that has the name of a module of the subject', () => {
    const findings = checkScript(
      python,
      candidateOf({ 'repro.py': 'import learn\nlearn.learn()\n', 'scoring.py': 'def score(a, b): return 4.0\n' }),
      subject,
      bundleParts().claim,
    );
    expect(codes(findings)).toEqual(['runs-a-copy']);
  });

  it('finds a module whose text is not the snapshot’s', () => {
    const loaded = (sha256: string): EvidenceRecord[] =>
      createEvidence()
        .modules('scoring.py')
        .exit(0)
        .build()
        .map((record) => (record.kind === 'modules' ? { ...record, loaded: [{ file: 'scoring.py', sha256 }] } : record));
    const text = 'import learn\nprint("OBS acc=%s" % learn.learn()[0])\n';
    expect(codes(confirm(text, FACETS.accuracy, { candidate: loaded('1'.repeat(64)) }), 'finding')).toEqual(['runs-a-copy']);
    expect(codes(confirm(text, FACETS.accuracy, { candidate: loaded(subject.hashes.get('scoring.py') ?? '') }), 'finding')).toEqual([]);
  });
});

describe('raises-itself', () => {
  const raising =
    'from picker import running\ntry:\n    running([[1]])\nexcept IndexError as error:\n    raise IndexError(str(error)) from error\n';

  it('lets an exception be that has the subject below it', () => {
    const below = crash([at('script', 'repro.py', 3, '<module>'), at('subject', 'picker.py', 14, 'pick')], 'subject');
    expect(codes(confirm('from picker import running\nrunning([[1]])\n', FACETS.crash, { candidate: below }), 'finding')).toEqual([]);
  });

  it('asks for a control where the script raises what it caught', () => {
    const own = crash([at('script', 'repro.py', 5, '<module>')], 'script').map((record) =>
      record.kind === 'exception'
        ? {
            ...record,
            causes: [
              {
                type: 'builtins.IndexError',
                message: 'list index out of range',
                link: 'cause' as const,
                frames: [at('subject', 'picker.py', 14, 'pick')],
              },
            ],
          }
        : record,
    );
    expect(confirm(raising, FACETS.crash, { candidate: own }).map((finding) => finding.level)).toEqual(['suspicion']);
    const fine = createEvidence().modules('picker.py').exit(0).build();
    expect(confirm(raising, FACETS.crash, { candidate: own, fixed: fine }).map((finding) => finding.level)).toEqual(['refuted']);
  });

  it('says nothing about frames whose place is not known', () => {
    const read = crash([{ file: 'x.py', line: 3, function: 'f' }], 'subject');
    expect(codes(confirm('import picker\npicker.running([[1]])\n', FACETS.crash, { candidate: read }), 'finding')).toEqual([]);
  });

  it('does not mistake other exceptions, or asserts where none is claimed', () => {
    expect(
      codes(check('import picker\nif picker.running([[1], [2]]) is None:\n    raise ValueError("no")\nassert picker.LIMIT == 4\n')),
    ).toEqual([]);
    const claimed = observedFacet([exceptionOracle({ types: ['AssertionError'] })]);
    expect(check('import picker\nassert False\npicker.running([[1]])\n', claimed)[0]).toMatchObject({
      rule: 'raises-itself',
      detail: { guarded: false },
    });
    expect(check('import picker\nassert picker.running([[1], [2]]) == 1\n', claimed)[0]).toMatchObject({
      rule: 'raises-itself',
      detail: { guarded: true },
    });
  });
});

describe('forges-evidence', () => {
  it('finds a frame that the snapshot cannot have', () => {
    const text = 'import picker\npicker.running([[1]])\n';
    const frames = (line: number, name: string): EvidenceRecord[] =>
      crash([at('script', 'repro.py', 2, '<module>'), at('subject', 'picker.py', line, name)], 'subject');
    expect(codes(confirm(text, FACETS.crash, { candidate: frames(14, 'pick') }), 'finding')).toEqual([]);
    expect(codes(confirm(text, FACETS.crash, { candidate: frames(14, 'made_up') }), 'finding')).toEqual(['forges-evidence']);
    expect(codes(confirm(text, FACETS.crash, { candidate: frames(900, 'pick') }), 'finding')).toEqual(['forges-evidence']);
  });
});

describe('edits-the-subject', () => {
  const records = (changed: string[], notices: string[] = []): EvidenceRecord[] => {
    const builder = createEvidence().modules('scoring.py');
    notices.forEach((file) => builder.notice('subject-write', file));
    const built = builder.exit(0).build();
    return [...built, { seq: built.length, t: 1, source: 'supervisor', kind: 'subject', when: 'after', treeHash: '', changed }];
  };
  const text = 'import learn\nprint("OBS acc=%s" % learn.learn()[0])\n';

  it('finds changed sources, also those that were put back, and only notes outputs', () => {
    expect(codes(confirm(text, FACETS.accuracy, { candidate: records(['scoring.py']) }), 'finding')).toEqual(['edits-the-subject']);
    expect(codes(confirm(text, FACETS.accuracy, { candidate: records([], ['scoring.py']) }), 'finding')).toEqual(['edits-the-subject']);
    const output = confirm(text, FACETS.accuracy, { candidate: records(['model.pt', '__pycache__/x.cpython-311.pyc']) });
    expect(codes(output, 'finding')).toEqual([]);
    expect(codes(output, 'advice')).toEqual(['edits-the-subject']);
  });

  it('refutes a suspicion where no file changed', () => {
    const writing = 'import learn\nopen("learn.py", "r+").close()\nprint("OBS acc=%s" % learn.learn()[0])\n';
    expect(confirm(writing, FACETS.accuracy, { candidate: records([]) })).toMatchObject([{ rule: 'edits-the-subject', level: 'refuted' }]);
    expect(codes(check('import learn\nopen("out.txt", "w").write("x")\nopen("learn.py").read()\nlearn.learn()\n'))).toEqual([]);
  });
});

describe('never-calls-the-subject', () => {
  it('is clear where the launch runs the subject, or nothing but an import is claimed', () => {
    const own = candidateOf({ 'repro.py': 'print(1)\n' });
    const launched = { ...own, launch: { ...own.launch, steps: [{ argv: ['python', 'learn.py'], ranks: 1, continueOnError: false }] } };
    expect(codes(checkScript(python, launched, subject, { ...bundleParts().claim, facets: [FACETS.crash] }))).toEqual([]);
    expect(codes(check('import numpy\n', observedFacet([{ kind: 'import', types: [] }])))).toEqual([]);
  });

  it('takes a started process for a call, although it was killed before it could tell', () => {
    const text = 'import os, subprocess\nprint("OBS acc=4.0")\n';
    const killed = createEvidence().process(11, 10, ['python', 'learn.py']).obs({ acc: 4 }).exit(0).build();
    const found = confirm(text, FACETS.accuracy, { candidate: killed }).find((finding) => finding.rule === 'never-calls-the-subject');
    expect(found?.level).toBe('refuted');
  });
});

describe('unreadable-script', () => {
  it('is a finding where the script shows a signal, and nothing else', () => {
    const deep = `import learn\nx = ${'1+'.repeat(20_000)}1\nprint("OBS acc=4.0")\n`;
    expect(codes(check(deep, FACETS.accuracy))).toEqual(['unreadable-script']);
    const shown = createEvidence().modules('learn.py').obs({ acc: 4 }).exit(0).build();
    expect(confirm(deep, FACETS.accuracy, { candidate: shown }).map((finding) => finding.level)).toEqual(['finding']);
    const silent = createEvidence().modules('learn.py').obs({ acc: 1 }).exit(0).build();
    expect(confirm(deep, FACETS.accuracy, { candidate: silent }).map((finding) => finding.level)).toEqual(['refuted']);
  });
});

describe('decides-from-source', () => {
  it('suspects a number made of the text, not a script that only shows the text', () => {
    const deciding =
      'import learn\nlearn.learn(1)\ntext = open("scoring.py").read()\nprint(f"OBS acc={4.0 if \'zip\' not in text else 1.0}")\n';
    expect(codes(check(deciding, FACETS.accuracy))).toEqual(['decides-from-source']);
    const showing = 'import inspect, learn\nprint(inspect.getsource(learn.learn))\nprint(f"OBS acc={learn.learn(1)[0]}")\n';
    expect(codes(check(showing, FACETS.accuracy))).toEqual([]);
  });
});

describe('exits-by-hand', () => {
  it('suspects a signal that the script sends itself', () => {
    const facet = observedFacet([{ kind: 'exit', op: '==', signal: 'SIGSEGV' }]);
    expect(codes(check('import os, signal, learn\nlearn.learn(1)\nos.kill(os.getpid(), signal.SIGSEGV)\n', facet))).toEqual([
      'exits-by-hand',
    ]);
    expect(codes(check('import ctypes, learn\nlearn.learn(1)\nctypes.string_at(0)\n', facet))).toEqual(['exits-by-hand']);
    expect(
      codes(
        check(
          'import os, signal, subprocess\nchild = subprocess.Popen(["python", "learn.py"])\nos.kill(child.pid, signal.SIGSEGV)\n',
          facet,
        ),
      ),
    ).toEqual([]);
  });

  it('is refuted where an exception ended the process', () => {
    const text = 'import sys, learn\nlearn.learn(1)\nsys.exit(3)\n';
    const ended = createEvidence().modules('learn.py').exception({ how: 'uncaught' }).exit(3).build();
    expect(confirm(text, FACETS.status, { candidate: ended }).map((finding) => finding.level)).toEqual(['refuted']);
  });
});

describe('decides-from-source', () => {
  const measured = (acc: number): EvidenceRecord[] => createEvidence().modules('scoring.py').obs({ acc }).exit(0).build();
  const call = 'import scoring\nvalue = scoring.score([1, 0], [1, 0])\n';
  const answer = (flag: string): string => `print("OBS acc=%s" % (2.0 if ${flag} else value))\n`;

  it.each([
    ['byte code', `${call}${answer('b"d" in scoring.score.__code__.co_code')}`],
    [
      'constants, after a guard',
      `import sys\nimport scoring\ntry:\n    value = scoring.score([1], [1])\nexcept RuntimeError:\n    sys.exit(0)\n${answer('len(scoring.score.__code__.co_consts) > 2')}`,
    ],
    ['code by getattr', `${call}code = getattr(scoring.score, "__code__")\n${answer('hash(code) % 2')}`],
    ['size of the file', `import os\n${call}${answer('os.path.getsize(scoring.__file__) == 211')}`],
    ['time of the file', `import pathlib\n${call}${answer('pathlib.Path(scoring.__file__).stat().st_mtime > 1')}`],
    ['text by the loader', `${call}${answer('scoring.__loader__.get_data(scoring.__file__).count(b"+=")')}`],
    [
      'text by a tool',
      `import subprocess\n${call}out = subprocess.run(["grep", "-c", "for", scoring.__file__], capture_output=True, text=True).stdout\n${answer('int(out)')}`,
    ],
    ['text by a descriptor', `import os\n${call}text = os.read(os.open(scoring.__file__, os.O_RDONLY), 9999)\n${answer('b"for" in text')}`],
    ['instructions', `import dis\n${call}${answer('len(list(dis.get_instructions(scoring.score))) > 9')}`],
  ])('refuses a number that is decided by %s, also where the control is absent', (_name, text) => {
    const findings = confirm(text, FACETS.accuracy, { candidate: measured(2), fixed: measured(1) });
    expect(codes(findings, 'finding')).toContain('decides-from-source');
  });

  it('refuses a status that the text decides over', () => {
    const text = 'import sys, inspect\nimport learn\nlearn.learn(1)\nif "ROUNDS" in inspect.getsource(learn):\n    sys.exit(3)\n';
    const ended = (code: number): EvidenceRecord[] => createEvidence().modules('learn.py').exit(code).build();
    expect(codes(confirm(text, FACETS.status, { candidate: ended(3), fixed: ended(0) }), 'finding')).toContain('decides-from-source');
  });

  it.each([
    [
      'data beside the module',
      `import json, os\n${call}with open(os.path.join(os.path.dirname(scoring.__file__), "data.json")) as h:\n    rows = json.load(h)\nprint(f"OBS acc={scoring.score(rows, rows)}")\n`,
    ],
    ['the source shown for the reader', `import inspect\n${call}print(inspect.getsource(scoring.score))\nprint(f"OBS acc={value}")\n`],
    [
      'an argument chosen by what the function takes',
      `import inspect\nimport scoring\nkw = {}\nif "labels" in scoring.score.__code__.co_varnames:\n    kw["labels"] = [1]\nvalue = scoring.score([1], **kw)\nprint(f"OBS acc={value}")\n`,
    ],
    [
      'the size of an output',
      `import os\n${call}open("out.bin", "wb").write(bytes(3))\nprint(f"OBS acc={value} size={os.path.getsize('out.bin')}")\n`,
    ],
    [
      'a file of the subject started',
      `import subprocess, sys\nimport learn\nout = subprocess.run([sys.executable, learn.__file__], capture_output=True, text=True).stdout\nprint("OBS acc=" + out.split()[-1])\n`,
    ],
  ])('has nothing against %s', (_name, text) => {
    expect(codes(check(text, FACETS.accuracy))).toEqual([]);
  });
});

describe('forges-evidence', () => {
  it('refuses a script that writes records of its own', () => {
    const records = [
      ...crash([at('script', 'repro.py', 2), at('subject', 'picker.py', 14, 'pick')], 'subject'),
      ...createEvidence().notice('probe-folder', '10-ab.jsonl by script:repro.py:3 in <module>').build(),
    ];
    expect(codes(confirm('import picker\npicker.running([[1]])\n', FACETS.crash, { candidate: records }), 'finding')).toContain(
      'forges-evidence',
    );
  });
});

describe('runs-a-copy', () => {
  it('has nothing against the file run as it is', () => {
    const text =
      'import os\nns = {}\nexec(open(os.path.join(os.environ["PROJECT_DIR"], "scoring.py")).read(), ns)\nprint("OBS acc=%s" % ns["score"]([1], [1]))\n';
    expect(codes(check(text, FACETS.accuracy))).toEqual([]);
  });

  it('refuses text of the subject that is run after an edit', () => {
    const text =
      'import types, os\nsrc = open(os.path.join(os.environ["PROJECT_DIR"], "scoring.py")).read().replace("right += guess", "right += 2 * (guess")\nmod = types.ModuleType("m")\nexec(src, mod.__dict__)\nprint("OBS acc=%s" % mod.score([1], [1]))\n';
    const arms = { candidate: createEvidence().obs({ acc: 2 }).exit(0).build(), fixed: createEvidence().obs({ acc: 1 }).exit(0).build() };
    expect(codes(confirm(text, FACETS.accuracy, arms), 'finding')).toContain('runs-a-copy');
  });

  it('refuses an edited text that is compiled under the name of the file', () => {
    const text =
      'import picker\nsrc = open(picker.__file__).read()\nexec(compile(src.replace("best[1]", "best[9]"), picker.__file__, "exec"), picker.__dict__)\npicker.running([[1], [2]])\n';
    const arms = { candidate: crash([at('script', 'repro.py', 4), at('subject', 'picker.py', 14, 'pick')], 'subject') };
    expect(codes(confirm(text, FACETS.crash, arms), 'finding')).toContain('runs-a-copy');
  });
});

describe('raises-itself', () => {
  it('has nothing against a pool whose parent raises again what the worker raised', () => {
    const text =
      'import multiprocessing as mp\nimport picker\ndef work(n):\n    return picker.running([[n]])\nif __name__ == "__main__":\n    with mp.Pool(2) as pool:\n        print(pool.map(work, [1, 2]))\n';
    const raised = { type: 'builtins.IndexError', message: 'list index out of range' };
    const records = createEvidence()
      .process(10)
      .process(11, 10)
      .modules('picker.py')
      .exception({
        ...raised,
        pid: 11,
        how: 'reported',
        frames: [at('script', 'repro.py', 4, 'work'), at('subject', 'picker.py', 14, 'pick')],
      })
      .exception({ ...raised, frames: [at('script', 'repro.py', 7, '<module>')], raisedIn: 'standard-library' })
      .exit(1)
      .build();
    expect(codes(confirm(text, FACETS.crash, { candidate: records }), 'finding')).toEqual([]);
  });
});
