import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPythonSyntax } from '@reenact/code-index';
import { outlinePython } from './python-outline.js';
import { buildTripwire } from './tripwire.js';

const SENTINEL = 'abcdef0123456789';
const MODULE = `"""Doc."""
from __future__ import annotations
import contextlib, functools


def plain(a, b=(1,
                2)):  # comment
    # another
    return a


def documented():
    """Doc."""
    return 1


def one_line(): return 1


def compound(x):
\tfor i in range(3):
\t\tx += i
\treturn x


def outer():
    @functools.lru_cache(None)
    def inner():
        return 1
    return inner()


def generate():
    yield 1


async def later():
    return 1


@contextlib.contextmanager
def managed():
    yield


class Thing:
    def method(self):
        return 1

    @property
    def prop(self):
        return 1

    @staticmethod
    def static():
        if True:
            return 1

    @classmethod
    def made(cls):
        global COUNT
        COUNT = 1


def swallowing():
    for _ in range(1000):
        try:
            plain(1)
        except Exception:
            pass
`;
const CALLS: Record<string, string> = {
  plain: 'm.plain(1)',
  documented: 'm.documented()',
  one_line: 'm.one_line()',
  compound: 'm.compound(1)',
  'outer.inner': 'm.outer()',
  generate: 'list(m.generate())',
  later: 'import asyncio; asyncio.run(m.later())',
  managed: 'm.managed().__enter__()',
  'Thing.method': 'm.Thing().method()',
  'Thing.prop': 'm.Thing().prop',
  'Thing.static': 'm.Thing.static()',
  'Thing.made': 'm.Thing.made()',
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripwire-'));
  await mkdir(join(folder, 'probe'));
  await writeFile(join(folder, 'm.py'), MODULE);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});
function python(code: string, probe: string | null = null) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    ...(probe === null ? {} : { REENACT_PROBE_DIR: probe }),
  };
  return spawnSync('python3', ['-c', `import m; ${code}`], { encoding: 'utf8', cwd: folder, env });
}

describe('buildTripwire', () => {
  it('raises in every kind of function, with one physical line per function', { timeout: 120_000 }, async () => {
    const syntax = await loadPythonSyntax();
    const suspects = Object.keys(CALLS).map((name) => ({ file: 'm.py', function: name }));
    expect(await buildTripwire(syntax, folder, suspects, SENTINEL)).toEqual({ wired: suspects, unwired: [] });
    const names = outlinePython(syntax, await readFile(join(folder, 'm.py'), 'utf8')).functions.map((fn) => fn.name);
    expect(names).toEqual(outlinePython(syntax, MODULE).functions.map((fn) => fn.name));
    for (const [name, call] of Object.entries(CALLS)) {
      const result = python(call);
      expect(`${name}: ${result.stderr}`).toContain(`RuntimeError: reenact-tripwire-${SENTINEL}`);
      expect(result.stderr).toContain(`reenact-tripwire-${SENTINEL} m.py:${name}`);
    }
  });

  it('leaves a trace, once, when a script swallows it', async () => {
    await buildTripwire(await loadPythonSyntax(), folder, [{ file: 'm.py', function: 'plain' }], SENTINEL);
    const result = python('import sys; sys.stderr = None; m.swallowing()', join(folder, 'probe'));
    expect(result).toMatchObject({ status: 0, stderr: `reenact-tripwire-${SENTINEL} m.py:plain\n` });
    const files = await readdir(join(folder, 'probe'));
    expect(files).toEqual([expect.stringMatching(/^\d+-tripwire\.jsonl$/)]);
    const record: unknown = JSON.parse(await readFile(join(folder, 'probe', files[0] ?? ''), 'utf8'));
    expect(record).toEqual({
      kind: 'notice',
      code: 'tripwire',
      message: `${SENTINEL} m.py:plain`,
      t: expect.any(Number),
      pid: expect.any(Number),
    });
  });

  it('stops the import of a module', async () => {
    await buildTripwire(await loadPythonSyntax(), folder, [{ file: 'm.py', function: '<module>' }], SENTINEL);
    expect(python('pass').stderr).toContain(`RuntimeError: reenact-tripwire-${SENTINEL}`);
  });

  it('says which suspects it could not wire, and keeps away from what lies outside', async () => {
    const suspects = [
      { file: 'm.py', function: 'absent' },
      { file: '../m.py', function: 'plain' },
      { file: 'gone.py', function: 'f' },
    ];
    const result = await buildTripwire(await loadPythonSyntax(), folder, suspects, SENTINEL);
    expect(result.wired).toEqual([]);
    expect(result.unwired.map((entry) => entry.suspect)).toEqual(expect.arrayContaining(suspects));
    expect(await readFile(join(folder, 'm.py'), 'utf8')).toBe(MODULE);
    await expect(buildTripwire(await loadPythonSyntax(), folder, [], 'a"; b')).rejects.toMatchObject({ code: 'internal' });
  });
});
