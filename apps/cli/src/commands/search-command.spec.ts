import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.js';

let directory: string;

const FILES: Record<string, string> = {
  'src/clip.py':
    'import torch\n\n\ndef clip_gradients(model, most):\n    """Clips gradients by their norm."""\n    return torch.nn.utils.clip_grad_norm_(model.parameters(), most)\n',
  'src/train.py': 'def fit(model, data):\n    for batch in data:\n        loss = model(batch)\n        loss.backward()\n',
  'tests/test_clip.py': 'def test_clip_gradients():\n    assert clip_gradients is not None\n',
  'config.yaml': 'gradients: clip\n',
};
const REPORT =
  '# Loss is nan\n\n```\nTraceback (most recent call last):\n  File "/home/me/src/train.py", line 4, in fit\n    loss.backward()\nRuntimeError: bad\n```\n';

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'search-command-'));
  process.env['REENACT_STATE'] = path.join(directory, 'state');
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(path.join(directory, 'project', path.dirname(file)), { recursive: true });
    await writeFile(path.join(directory, 'project', file), text);
  }
  await writeFile(path.join(directory, 'issue.md'), REPORT);
});

afterAll(async () => {
  delete process.env['REENACT_STATE'];
  await rm(directory, { recursive: true, force: true });
});

const search = (...argv: string[]) => runInProcess(directory, ['search', ...argv]);

async function filesFound(...argv: string[]): Promise<string[]> {
  const { data } = await search('project', 'clip gradients', '--json', ...argv);
  const { hits } = JSON.parse(data) as { hits: { file: string }[] };
  return [...new Set(hits.map(({ file }) => file))].sort();
}

describe('search', () => {
  it('prints place, name, score and first line, and says that it searches by words', async () => {
    const { status, data, talk } = await search('project', 'clip gradients');
    expect(status).toBe(0);
    expect(data).toMatch(/^1\. \S+:\d+-\d+ {2}\w+ \S+ {2}[01]\.\d{3}\n {3}\S/);
    expect(data).toContain('src/clip.py:4-6  function clip_gradients');
    expect(talk).toContain('lexical: no embedding model is configured');
  });

  it('explains scores by terms whose shares belong to the hit', async () => {
    const { data } = await search('project', 'clip gradients gradients', '--explain', '--limit', '1');
    expect(data).toMatch(/words [\d.]+ of at most [\d.]+ \(\d+ %\), no similarity, reranked by [\d.]+/);
    expect(data).toMatch(/gradients: [\d.]+ \(\d+ %\); rarity [\d.]+, counts \d+ here, asked 2 times/);
  });

  it('narrows by path, kind and tests', async () => {
    expect(await filesFound()).toEqual(['config.yaml', 'src/clip.py', 'tests/test_clip.py']);
    expect(await filesFound('--no-tests')).toEqual(['config.yaml', 'src/clip.py']);
    expect(await filesFound('--path', './src/')).toEqual(['src/clip.py']);
    expect(await filesFound('--kind', 'configuration', '--kind', 'class')).toEqual(['config.yaml']);
    expect((await search('project', 'clip', '--path', 'absent')).talk).toContain('No chunk passes the filter');
    expect((await search('project', 'zebra')).talk).toContain('None of');
  });

  it('makes the query of a report, its frames weighing more', async () => {
    const { data } = await search('project', '@issue.md', '--json');
    const [first] = (JSON.parse(data) as { hits: { file: string; name: string }[] }).hits;
    expect(first).toMatchObject({ file: 'src/train.py', name: 'fit' });
  });

  it('makes a damaged index anew, and says so', async () => {
    const folder = path.join(directory, 'state', 'search');
    for (const file of await readdir(folder)) await writeFile(path.join(folder, file), 'torn');
    const again = await search('project', 'clip gradients');
    expect(again).toMatchObject({ status: 0 });
    expect(again.talk).toContain('It is made anew.');
    expect(again.data).toContain('src/clip.py');
    expect((await search('project', 'clip gradients')).talk).not.toContain('anew');
  });

  it.each([
    ['no folder', ['absent', 'clip'], 'does not exist'],
    ['no word', ['project', '! ._'], 'The query holds no word'],
    ['no report', ['project', '@absent.md'], 'There is no report'],
    ['a path outside', ['project', 'clip', '--path', 'src/../../x'], 'lies outside the project'],
    ['an unknown kind', ['project', 'clip', '--kind', 'poem'], 'There is no kind poem'],
    ['a limit out of bounds', ['project', 'clip', '--limit', '0'], 'a whole number'],
  ])('ends with 2 for %s', async (_, argv, message) => {
    const answer = await search(...argv);
    expect(answer).toMatchObject({ status: 2, data: '' });
    expect(answer.talk).toContain(message);
  });
});
