import { describe, expect, it } from 'vitest';
import type { EvidenceRecord } from '@reenact/domain';
import { createEvidence } from '../testing/evidence-builder.js';
import { at, check, codes, confirm, crash } from './fixtures/rule-bench.js';
import { FACETS } from './fixtures/subject.js';

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

describe('decides-from-source', () => {
  it('suspects a number made of the text, not a script that only shows the text', () => {
    const deciding =
      'import learn\nlearn.learn(1)\ntext = open("scoring.py").read()\nprint(f"OBS acc={4.0 if \'zip\' not in text else 1.0}")\n';
    expect(codes(check(deciding, FACETS.accuracy))).toEqual(['decides-from-source']);
    const showing = 'import inspect, learn\nprint(inspect.getsource(learn.learn))\nprint(f"OBS acc={learn.learn(1)[0]}")\n';
    expect(codes(check(showing, FACETS.accuracy))).toEqual([]);
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
    [
      'calls counted by a profiler',
      `import sys\nimport scoring\nseen = []\ndef watch(frame, event, argument):\n    seen.append(event)\nsys.setprofile(watch)\nvalue = scoring.score([1], [1])\nsys.setprofile(None)\nprint(f"OBS acc={len(seen) / 2}")\n`,
    ],
    [
      'lines counted by a trace function',
      `import sys\nimport scoring\nlines = [0]\ndef watch(frame, event, argument):\n    if event == "line":\n        lines[0] += 1\n    return watch\nsys.settrace(watch)\nvalue = scoring.score([1], [1])\nsys.settrace(None)\nprint(f"OBS acc={lines[0]}")\n`,
    ],
    [
      'a callback of the monitoring interface',
      `import sys\nimport scoring\nkept = {}\ndef line(code, number):\n    kept[number] = True\nsys.monitoring.register_callback(3, 32, line)\nvalue = scoring.score([1], [1])\nprint(f"OBS acc={len(kept)}")\n`,
    ],
    ['a name that the module has', `${call}${answer('hasattr(scoring, "zip_longest")')}`],
    ['a name among those of the module', `${call}${answer('"zip_longest" not in dir(scoring)')}`],
    ['an entry of its dictionary', `${call}${answer('"zip_longest" in scoring.__dict__')}`],
    ['a name by a text in another call', `${call}name = "zip_longest"\nprint("zip_longest")\n${answer('hasattr(scoring, "zip_longest")')}`],
    ['a name that is put together', `${call}${answer('hasattr(scoring, f"zip_{1}")')}`],
    ['a name among its members', `import inspect\n${call}${answer('"zip_longest" in inspect.getmembers(scoring)')}`],
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
      'a function that is used where the module has it',
      `${call}print(f"OBS acc={scoring.f1([1], [1]) if hasattr(scoring, 'f1') else value}")\n`,
    ],
    [
      'a function that is fetched where the module has it',
      `${call}f = getattr(scoring, "f1", None)\nprint(f"OBS acc={f([1], [1]) if hasattr(scoring, 'f1') else value}")\n`,
    ],
    ['a name that another module has', `import math\n${call}print(f"OBS acc={value if hasattr(math, 'isqrt') else value + 0}")\n`],
    ['a word in a text', `${call}print(f"OBS acc={value if 'a' in 'abc' else value + 0}")\n`],
    ['the names shown for the reader', `${call}print(dir(scoring), hasattr(scoring, "f1"))\nprint(f"OBS acc={value}")\n`],
    [
      'lines noted by a trace function beside the value',
      `import sys\nimport scoring\nlines = []\ndef watch(frame, event, argument):\n    lines.append(frame.f_lineno)\n    return watch\nsys.settrace(watch)\nvalue = scoring.score([1], [1])\nsys.settrace(None)\nprint(lines)\nprint(f"OBS acc={value}")\n`,
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
