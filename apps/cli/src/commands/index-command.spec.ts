import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.js';

let scratch = '';

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'index-command-'));
  process.env['REENACT_STATE'] = path.join(scratch, 'state');
  await mkdir(path.join(scratch, 'project', '.git'), { recursive: true });
  await writeFile(path.join(scratch, 'project', 'a.py'), 'def f():\n    pass\n\n\ndef g():\n    pass\n');
  await writeFile(path.join(scratch, 'project', '.git', 'HEAD'), 'ref');
  await mkdir(path.join(scratch, 'empty'));
});
afterAll(async () => {
  delete process.env['REENACT_STATE'];
  await rm(scratch, { recursive: true, force: true });
});

const run = (...argv: string[]) => runInProcess(scratch, argv);

describe('index', () => {
  it('says what it will do on standard error and what came of it on standard output', async () => {
    const first = await run('index', 'project');
    expect(first.status).toBe(0);
    expect(first.talk).toMatch(/^Indexed: 1 file, 38 B \(1 Python file\)\.\nSkipped: 1 file or folder \(1 hidden\)\.\n/);
    expect(first.talk).toMatch(/\.git +1 file +3 B +hidden\n$/);
    expect(first.data).toMatch(/holds +1 file, 2 chunks\nchecked +1 file: 1 read, 1 parsed, the rest as before\n/);
  });

  it('gives one JSON object', async () => {
    const { status, data } = await run('index', 'project', '--json', '--quiet');
    expect(status).toBe(0);
    expect(JSON.parse(data)).toMatchObject({
      schemaVersion: 1,
      files: 1,
      bytes: 38,
      chunks: 2,
      kinds: { python: { files: 1, bytes: 38 } },
      counts: { stated: 1, parsed: 0, tokenised: 0 },
      skipped: { hidden: 1 },
      skippedFolders: [{ path: '.git', reason: 'hidden', files: 1, bytes: 3, isWhole: true }],
    });
  });

  it.each([
    ['nowhere', /nowhere does not exist\. {2}\[subject-not-found\]/],
    ['project/a.py', /a\.py is not a folder\./],
    ['empty', /There is nothing to index in .*empty\./],
  ])('refuses %s', async (folder, message) => {
    const { status, talk } = await run('index', folder);
    expect(status).toBe(2);
    expect(talk).toMatch(message);
  });
});
