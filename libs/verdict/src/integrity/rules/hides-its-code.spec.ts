import { describe, expect, it } from 'vitest';
import { createEvidence } from '../../testing/evidence-builder.js';
import { check, confirm } from '../fixtures/rule-bench.js';
import { FACETS } from '../fixtures/subject.js';

const head = 'import base64, functools, importlib, marshal, pickle, subprocess, sys, scoring\nvalue = scoring.score([1], [1])\n';
const own = (findings: ReturnType<typeof check>) => findings.filter(({ rule }) => rule === 'hides-its-code');
const told = (text: string) => own(check(`${head}${text}\n`, FACETS.accuracy));

describe('hides-its-code', () => {
  it.each([
    ['exec(base64.b64decode("cA=="))', 'encoded'],
    ['eval("".join(chr(c) for c in (49, 50)))', 'encoded'],
    ['exec("1"[::-1])', 'encoded'],
    ['marshal.loads(bytes.fromhex("80"))', 'encoded'],
    ['a = base64.b64decode("cA==")\nb = a\nc = b\nexec(c)', 'encoded'],
    ['getattr(scoring, "erocs"[::-1])', 'put together'],
    ['getattr(scoring.score, "__co" + "de__")', 'put together'],
    ['getattr(scoring.score, "".join(["__co", "de__"]))', 'put together'],
    ['getattr(scoring.score, "_".join(["co", "consts"]))', 'put together'],
    ['importlib.import_module(base64.b64decode("cA==").decode())', 'put together'],
    ['__import__("gnirocs"[::-1])', 'put together'],
    ['subprocess.run([sys.executable, "-I", "x.py"])', 'apart from its environment'],
    ['subprocess.run(["python3", "-uE", "x.py"])', 'apart from its environment'],
    ['list(map(functools.partial(print, eval), [eval]))', 'handed on as a value'],
    ['run = [exec]', 'handed on as a value'],
  ])('suspects %j', (text, message) => {
    const found = told(text).at(-1);
    expect(found).toMatchObject({
      level: 'suspicion',
      file: 'repro.py',
      line: text.split('\n').length + 2,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    'exec("x = 1")',
    'base64.b64decode("cA==")',
    'a = base64.b64decode("cA==")\nb = a\nc = b\nd = c\nexec(d)',
    'getattr(scoring, "score")',
    'getattr(scoring, name)',
    'getattr(base64.b64decode("cA=="), "decode")',
    'getattr(scoring, "sc" + "ore")',
    'getattr(scoring, "la", "yer" + "s")',
    'rows = [1, 2][::-1]\neval(rows)',
    'subprocess.run([sys.executable, "-u", "x.py"])',
    'subprocess.run(["echo", "-I"])',
    'def f(eval=3):\n    return eval',
    'model.eval()',
    'print(eval("1"))',
  ])('does not suspect %j', (text) => {
    expect(told(text)).toEqual([]);
  });

  const run = (acc: number, code?: string) => {
    const builder = createEvidence().modules('scoring.py').obs({ acc });
    return (code === undefined ? builder : builder.notice(code, 'score by repro.py:3')).exit(0).build();
  };
  const levels = (text: string, candidate: ReturnType<typeof run>) =>
    own(confirm(`${head}${text}\n`, FACETS.accuracy, { candidate })).map(({ level }) => level);

  it('is a finding with a signal, refuted without', () => {
    expect(levels('exec(base64.b64decode("cA=="))', run(4))).toEqual(['finding']);
    expect(levels('exec(base64.b64decode("cA=="))', run(1))).toEqual(['refuted']);
  });

  it('tells what only the probe saw', () => {
    expect([levels('x = 3', run(4, 'code-read')), levels('x = 3', run(4, 'code-write'))]).toEqual([['finding'], ['finding']]);
    expect([levels('x = 3', run(4, 'other')), levels('x = 3', run(4)), levels('x = 3', run(1, 'code-read'))]).toEqual([[], [], []]);
    expect(levels('x = scoring.score.__code__', run(4, 'code-read'))).toEqual([]);
    expect(own(confirm(`${head}x = 3\n`, FACETS.accuracy, { candidate: run(4, 'code-read') }))[0]?.evidence).toMatch(/^record \d+$/);
  });
});
