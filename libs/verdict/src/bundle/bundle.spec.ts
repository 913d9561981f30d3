import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAppError, type Environment } from '@reenact/domain';
import { Launch } from '@reenact/domain/schemas';
import { bundleParts } from '../testing/bundle-parts.js';
import { bundleFiles, freezeBundle } from './freeze-bundle.js';
import { packBundle, unpackBundle } from './pack-bundle.js';
import { readBundle } from './read-bundle.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-spec-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});
async function invalid(action: () => Promise<unknown>): Promise<string> {
  const error: unknown = await action().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(isAppError(error) && error.code).toBe('bundle-invalid');
  return (error as Error).message;
}

describe('freezeBundle', () => {
  it('has the layout of a bundle, and readBundle gives the parts back', async () => {
    const parts = bundleParts();
    const manifest = await freezeBundle(folder, parts);
    expect((await readdir(folder)).sort()).toEqual([
      'bundle.json',
      'claim.json',
      'controls.json',
      'environment.json',
      'environment.lock',
      'launch.json',
      'oracles.json',
      'provenance.json',
      'run.sh',
      'script',
      'subject.json',
    ]);
    const bundle = await readBundle(folder);
    expect(bundle.manifest).toEqual(manifest);
    expect(bundle).toMatchObject({
      launch: parts.candidate.launch,
      claim: parts.claim,
      facets: parts.facets,
      controls: parts.controls,
      suspects: parts.suspects,
    });
    expect(bundle.candidate).toMatchObject({ origin: 'generated', files: parts.candidate.files, launch: parts.candidate.launch });
    expect(bundle.subject.address).toEqual({ type: 'snapshot' });
    expect(bundle.provenance).toMatchObject({ candidate: { origin: 'generated' } });
  });

  it('gives equal parts an equal id, whatever the machine and the provenance', async () => {
    const parts = bundleParts();
    const first = await freezeBundle(join(folder, 'a'), parts);
    const elsewhere: Environment = { ...parts.environment, interpreter: '/elsewhere/python' };
    const subject = { ...parts.subject, address: { type: 'folder' as const, path: '/elsewhere/project' } };
    const second = await freezeBundle(join(folder, 'b'), { ...parts, environment: elsewhere, subject, provenance: { costUsd: 3 } });
    expect(second.id).toBe(first.id);
    const script = { ...parts.candidate, files: [{ path: 'repro.py', text: 'print(2)\n' }] };
    expect((await freezeBundle(join(folder, 'c'), { ...parts, candidate: script })).id).not.toBe(first.id);
  });

  it('holds no path of the machine and no secret', () => {
    const parts = bundleParts();
    const env = { WANDB_API_KEY: 'hunter2', HF_TOKEN: 'hunter2', TOKENIZERS_PARALLELISM: 'false' };
    const lock = 'numpy==1.26.4\nmine @ file:///home/me/mine\n-e /home/me/other\n';
    const files = bundleFiles({
      ...parts,
      candidate: { ...parts.candidate, launch: Launch.parse({ ...parts.candidate.launch, env }) },
      environment: { ...parts.environment, interpreter: '/home/me/bin/python', lock },
      subject: { ...parts.subject, address: { type: 'folder', path: '/home/me/project' } },
    });
    const all = [...files.values()].join('\n');
    expect(all).not.toContain('/home/me');
    expect(all).not.toContain('hunter2');
    expect(all).toContain('TOKENIZERS_PARALLELISM=false');
    expect(files.get('environment.lock')).toContain('numpy==1.26.4');
  });
});

describe('readBundle', () => {
  it('names the file that is wrong', async () => {
    await freezeBundle(folder, bundleParts());
    const original = await readFile(join(folder, 'oracles.json'), 'utf8');
    await writeFile(join(folder, 'oracles.json'), original.replace('shown', 'SHOWN'));
    expect(await invalid(() => readBundle(folder))).toContain('oracles.json');
    await writeFile(join(folder, 'oracles.json'), original);
    await writeFile(join(folder, 'script/extra.py'), 'x');
    expect(await invalid(() => readBundle(folder))).toContain('script/extra.py');
    await rm(join(folder, 'script/extra.py'));
    await symlink('/etc/passwd', join(folder, 'script/link.py'));
    expect(await invalid(() => readBundle(folder))).toContain('script/link.py');
    await rm(join(folder, 'script/link.py'));
    await rm(join(folder, 'launch.json'));
    expect(await invalid(() => readBundle(folder))).toContain('launch.json');
    expect(await invalid(() => readBundle(join(folder, 'absent')))).toContain('bundle.json');
  });

  it('refuses a manifest that leads outside or does not fit its id', async () => {
    await freezeBundle(folder, bundleParts());
    const manifest = await readFile(join(folder, 'bundle.json'), 'utf8');
    await writeFile(join(folder, 'bundle.json'), manifest.replace('"launch.json"', '"../launch.json"'));
    await invalid(() => readBundle(folder));
    await writeFile(join(folder, 'bundle.json'), manifest.replace(/"id": "[0-9a-f]/, '"id": "_'));
    expect(await invalid(() => readBundle(folder))).toContain('the id');
    await writeFile(join(folder, 'bundle.json'), '{');
    await invalid(() => readBundle(folder));
  });
});

describe('packBundle', () => {
  it('carries the subject along, and comes back with equal bytes', async () => {
    const [bundle, subject, back] = [join(folder, 'bundle'), join(folder, 'subject'), join(folder, 'back')];
    await freezeBundle(bundle, bundleParts());
    await mkdir(join(subject, 'pkg'), { recursive: true });
    await writeFile(join(subject, 'pkg/m.py'), 'x = 1\n');
    expect(await packBundle(bundle, join(folder, 'a.tar'), { subjectDirectory: subject, measured: null })).toEqual({
      subjectLeftOut: null,
    });
    await unpackBundle(join(folder, 'a.tar'), back);
    expect(await readFile(join(back, 'subject/pkg/m.py'), 'utf8')).toBe('x = 1\n');
    const read = await readBundle(back);
    expect(read.subjectDirectory).toBe(join(back, 'subject'));
    await packBundle(back, join(folder, 'b.tar'), { subjectDirectory: subject, measured: null });
    expect((await readFile(join(folder, 'a.tar'))).equals(await readFile(join(folder, 'b.tar')))).toBe(true);
  });

  it('carries along what its series measured, beside the id', async () => {
    const [bundle, back] = [join(folder, 'bundle'), join(folder, 'back')];
    const { id } = await freezeBundle(bundle, bundleParts());
    expect((await readBundle(bundle)).expectedRate).toBe(1);
    const pack = (measured: { shown: number; total: number } | null) =>
      packBundle(back, join(folder, 'a.tar'), { subjectDirectory: null, measured });
    await packBundle(bundle, join(folder, 'a.tar'), { subjectDirectory: null, measured: { shown: 12, total: 20 } });
    await unpackBundle(join(folder, 'a.tar'), back);
    const read = await readBundle(back);
    expect(read.manifest.id).toBe(id);
    expect(read.expectedRate).toBeCloseTo(0.3605, 4);
    await pack(null);
    await unpackBundle(join(folder, 'a.tar'), join(folder, 'without'));
    expect((await readBundle(join(folder, 'without'))).expectedRate).toBe(1);
    await writeFile(join(back, 'measured.json'), '{"schemaVersion":1,"shown":21,"total":20}');
    expect(await invalid(() => readBundle(back))).toContain('measured.json');
  });

  it('says why a subject is left out', async () => {
    const [bundle, subject] = [join(folder, 'bundle'), join(folder, 'subject')];
    await freezeBundle(bundle, bundleParts());
    await mkdir(subject);
    await symlink('/etc', join(subject, 'link'));
    expect((await packBundle(bundle, join(folder, 'a.tar'), { subjectDirectory: subject, measured: null })).subjectLeftOut).toContain(
      'link',
    );
    expect((await packBundle(bundle, join(folder, 'a.tar'), { subjectDirectory: null, measured: null })).subjectLeftOut).not.toBeNull();
  });

  it('unpacks into nothing but a new folder', async () => {
    await freezeBundle(join(folder, 'bundle'), bundleParts());
    await packBundle(join(folder, 'bundle'), join(folder, 'a.tar'), { subjectDirectory: null, measured: null });
    await expect(unpackBundle(join(folder, 'a.tar'), join(folder, 'bundle'))).rejects.toMatchObject({ code: 'usage' });
  });
});
