import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const BENCH = path.resolve(import.meta.dirname, '..', '..', '..', '..', '..', 'bench', 'retrieval');
const MODULE = `import os


class Store:
    def load(self, place):
        """Read what was stored
        at a place.

        More of it.
        """
        if not place:
            raise ValueError(f"no place was given for {place}, so that nothing can be read")
        return os.path.join(place, "x")

    def save(self, place):
        """Write it down."""
        return place
`;

describe('make_tree.py', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  async function layOut(digest: string): Promise<{ answers: Record<string, unknown>[]; text: string; prose: { errors: string[] } }> {
    const root = await mkdtemp(path.join(tmpdir(), 'reenact-tree-'));
    folders.push(root);
    const { packages } = JSON.parse(await readFile(path.join(BENCH, 'corpora.json'), 'utf8')) as {
      packages: { name: string; version: string; set: string }[];
    };
    const main = packages.find(({ set }) => set === 'main')!;
    const source = path.join(root, 'trees', `${main.name}-${main.version}`, 'pkg');
    await mkdir(source, { recursive: true });
    await writeFile(path.join(source, 'store.py'), MODULE);
    const key = `${main.name}/pkg/store.py`;
    await writeFile(path.join(root, 'queries.jsonl'), JSON.stringify({ file: key, name: 'Store.load', line: 5, digest }));
    const prose = path.join(root, 'prose.json');
    const { stdout } = await run('python3', [
      path.join(BENCH, 'make_tree.py'),
      ...[
        '--corpus',
        root,
        '--definitions',
        '3',
        '--into',
        path.join(root, 'out'),
        '--prose',
        prose,
        '--queries',
        path.join(root, 'queries.jsonl'),
      ],
    ]);
    return {
      answers: stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
      text: await readFile(path.join(root, 'out', key), 'utf8'),
      prose: JSON.parse(await readFile(prose, 'utf8')) as { errors: string[] },
    };
  }

  it('takes the docstring of a query out of its file and tells its first paragraph', async () => {
    const digest = createHash('sha256').update('Read what was stored at a place.').digest('hex').slice(0, 16);
    const { answers, text, prose } = await layOut(digest);
    expect(answers).toMatchObject([
      { name: 'Store.load', text: 'Read what was stored at a place.' },
      { files: 1, definitions: 3, queries: 1 },
    ]);
    expect(text).not.toContain('Read what was stored');
    expect(text).toContain('"""Write it down."""');
    expect(text.split('\n')).toHaveLength(MODULE.split('\n').length);
    expect(prose.errors[0]).toMatch(/^ValueError: no place was given/);
  });

  it('leaves a file alone whose docstring is not the one that was sampled', async () => {
    const { answers, text } = await layOut('0123456789abcdef');
    expect(answers).toMatchObject([{ queries: 0 }]);
    expect(text).toBe(MODULE);
  });
});

describe('fetch_corpora.py', () => {
  it('writes no path that leaves its folder', async () => {
    const names = ['a/b.py', '/a.py', '../a.py', 'a/../../b.py', 'a\\b.py'];
    const program = 'import json, sys; from fetch_corpora import is_safe; print(json.dumps([is_safe(n) for n in json.loads(sys.argv[1])]))';
    const { stdout } = await run('python3', ['-c', program, JSON.stringify(names)], {
      env: { ...process.env, PYTHONPATH: BENCH, PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(JSON.parse(stdout)).toEqual([true, false, false, false, false]);
  });

  it('pins every package by the hash of its archive', async () => {
    const { packages } = JSON.parse(await readFile(path.join(BENCH, 'corpora.json'), 'utf8')) as { packages: Record<string, string>[] };
    for (const item of packages)
      expect(item).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, version: expect.any(String) as string });
    expect(packages.length).toBeGreaterThan(20);
  });
});
