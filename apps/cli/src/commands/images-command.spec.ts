import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.js';

let scratch = '';

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'images-command-'));
  process.env['REENACT_STATE'] = path.join(scratch, 'state');
  for (const id of ['0f3a11', '0f3a22']) await mkdir(path.join(scratch, 'state', 'environments', id), { recursive: true });
  await mkdir(path.join(scratch, 'other'));
  await writeFile(path.join(scratch, 'other', 'index.json'), '{}');
});
afterAll(async () => {
  delete process.env['REENACT_STATE'];
  await rm(scratch, { recursive: true, force: true });
});

const run = (...argv: string[]) => runInProcess(scratch, ['images', ...argv]);

describe('images', () => {
  it('builds an image, prints its reference first, and lists it', async () => {
    const built = await run('build', '--kind', 'supervisor', '--out', 'layout', '--tag', 'registry.example:5000/a/b:1');
    expect(built.status).toBe(0);
    expect(built.data).toMatch(/^registry\.example:5000\/a\/b@sha256:[0-9a-f]{64}\n/);
    expect(built.data).toMatch(/\nwritten .* supervisor and probe\n/);
    const again = await run(
      'build',
      '--kind',
      'supervisor',
      '--out',
      'layout',
      '--tag',
      'registry.example:5000/a/b:1',
      '--json',
      '--quiet',
    );
    const result = JSON.parse(again.data) as { reference: string; layers: { wasReused: boolean }[]; billOfMaterials: string };
    expect(built.data.startsWith(`${result.reference}\n`)).toBe(true);
    expect(result.layers).toMatchObject([{ wasReused: true }]);
    expect(JSON.parse(await readFile(result.billOfMaterials, 'utf8'))).toMatchObject({ spdxVersion: 'SPDX-2.3' });
    const listed = await run('list', '--out', 'layout', '--json');
    expect(JSON.parse(listed.data)).toMatchObject({
      images: [{ name: 'registry.example:5000/a/b:1', reference: result.reference, platforms: [expect.stringMatching(/^linux\//)] }],
    });
  });

  it('says where there is none', async () => {
    const { status, talk, data } = await run('list');
    expect([status, data]).toEqual([0, '']);
    expect(talk).toMatch(/no image yet.*images build/);
  });

  it.each([
    [['build'], 2, /--python PATH, or with --environment ID/],
    [['build', '--python', 'a', '--environment', 'b'], 2, /one interpreter/],
    [['build', '--environment', '0f3a'], 3, /Several environments.*\n.*0f3a11, 0f3a22/],
    [['build', '--environment', '0f3'], 3, /No environment has the id/],
    [['build', '--environment', '../../etc'], 3, /No environment has the id/],
    [['build', '--python', '9.9'], 3, /No Python "9\.9"/],
    [['build', '--kind', 'supervisor', '--tag', 'Not A Name'], 2, /a name such as registry/],
    [['build', '--kind', 'supervisor', '--out', 'other'], 3, /no index of images/],
    [['build', '--kind', 'supervisor', '--out', 'other/index.json'], 3, /index\.json cannot be written/],
    [['list', '--out', 'other'], 3, /no index of images/],
    [['build', '--python', '/x/python', '--suite', '../x'], 3, /no name of a release/],
  ])('refuses %j', async (argv, status, words) => {
    const answer = await run(...argv);
    expect(answer.status).toBe(status);
    expect(answer.talk).toMatch(words);
  });
});
