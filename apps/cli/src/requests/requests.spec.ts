import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Configuration } from '@reenact/domain';
import { MemoryArtifactStore, MemoryRunStore } from '@reenact/store/testing';
import { loadConfiguration } from '../config.js';
import type { Session } from '../runs/session.js';
import { statePaths } from '../state-paths.js';
import { buildJudgeDraft, buildReproduceDraft, modelUse } from './build-draft.js';
import { parseCaseSettings, readCaseDirectory } from './case-directory.js';
import { interpreterPath } from './experiment-source.js';
import type { ExperimentOptions } from './run-options.js';

let directory: string;
let session: Session;
const options: ExperimentOptions = { with: [], model: true };
const MODEL = { baseUrl: null, apiKey: null, name: 'm', api: 'chat', price: null, record: null, replay: null } as const;

function configuration(changes: Partial<Configuration> = {}): Configuration {
  return { ...loadConfiguration({}), stateDirectory: directory, searchPath: '', ...changes };
}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'reenact-cli-'));
  const paths = statePaths(directory);
  await mkdir(paths.scratch, { recursive: true });
  session = {
    configuration: configuration(),
    paths,
    runs: new MemoryRunStore(),
    artifacts: new MemoryArtifactStore(path.join(directory, 'memory')),
    close: () => undefined,
  };
  const at = path.join(directory, 'case');
  await mkdir(path.join(at, 'project'), { recursive: true });
  await writeFile(path.join(at, 'report.md'), '# Loss turns NaN\n\nAfter ten steps.\n');
  await writeFile(path.join(at, 'project', 'train.py'), 'print(1)\n');
  await writeFile(path.join(at, 'fix.patch'), '--- a/project/train.py\n+++ b/project/train.py\n@@ -1 +1 @@\n-print(1)\n+print(2)\n');
  await writeFile(
    path.join(at, 'reenact.json'),
    JSON.stringify({
      with: ['numpy==2.3.5'],
      goodWith: ['numpy==1.26.4'],
      python: '.venv/bin/python',
      attempts: 2,
      limits: { wallSeconds: 60 },
    }),
  );
});

afterAll(() => rm(directory, { recursive: true, force: true }));

describe('readCaseDirectory', () => {
  it('names every problem at once', async () => {
    const at = path.join(directory, 'broken');
    await mkdir(at);
    await writeFile(path.join(at, 'reenact.json'), JSON.stringify({ wiht: [], attempts: 99 }));
    await expect(readCaseDirectory(at)).rejects.toThrow(/3|4/);
    await expect(readCaseDirectory(at)).rejects.toThrow(/report\.md: not there[^]*project\/: not there[^]*attempts[^]*wiht/);
    await expect(readCaseDirectory(path.join(directory, 'nope'))).rejects.toMatchObject({ code: 'case-invalid' });
  });

  it('says where a settings file is no JSON', () => {
    expect(parseCaseSettings('{').problems[0]).toMatch(/^reenact\.json: not JSON/);
    expect(parseCaseSettings('{}')).toMatchObject({ problems: [], settings: { with: [], goodWith: [] } });
  });
});

describe('buildReproduceDraft', () => {
  it('takes a case with its settings, its snapshot and its patch', async () => {
    const draft = await buildReproduceDraft(session, { caseDirectory: 'case', options, workingDirectory: directory });
    expect(draft).toMatchObject({
      kind: 'reproduce',
      title: 'Loss turns NaN',
      requirements: ['numpy==2.3.5'],
      goodRequirements: ['numpy==1.26.4'],
      python: path.join(directory, 'case/.venv/bin/python'),
      limits: { wallSeconds: 60 },
      allowUnsandboxed: false,
      fixed: { type: 'patch' },
      model: { enabled: false, budget: { attemptsPerContext: 2 } },
    });
    expect(await session.artifacts.hasTree(draft.treeHash ?? '')).toBe(true);
    if (draft.fixed?.type !== 'patch') throw new Error('no patch');
    expect(Buffer.from(await session.artifacts.getBytes(draft.fixed.patch)).toString()).toContain('+print(2)');
  });

  it('lets an option win over the case, and later edits change nothing', async () => {
    const input = {
      caseDirectory: 'case',
      options: { ...options, with: ['numpy==2.0.0'], python: '3.11', attempts: 7 },
      workingDirectory: directory,
    };
    const draft = await buildReproduceDraft(session, input);
    expect(draft).toMatchObject({ requirements: ['numpy==2.0.0'], python: '3.11', model: { budget: { attemptsPerContext: 7 } } });
    await writeFile(path.join(directory, 'case/project/train.py'), 'print(3)\n');
    const copy = path.join(directory, 'copy');
    await session.artifacts.checkoutTree(draft.treeHash ?? '', copy);
    expect(await readFile(path.join(copy, 'train.py'), 'utf8')).toBe('print(1)\n');
    expect((await buildReproduceDraft(session, input)).treeHash).not.toBe(draft.treeHash);
  });

  it('freezes a fixed form that is a folder as well', async () => {
    await mkdir(path.join(directory, 'mended'));
    await writeFile(path.join(directory, 'mended/train.py'), 'print(2)\n');
    const input = { caseDirectory: 'case', options: { ...options, fixed: 'mended' }, workingDirectory: directory };
    const draft = await buildReproduceDraft(session, input);
    expect(draft.fixed?.type).toBe('folder');
    expect(await session.artifacts.hasTree(draft.fixedTreeHash ?? '')).toBe(true);
    await writeFile(path.join(directory, 'mended/train.py'), 'print(4)\n');
    expect((await buildReproduceDraft(session, input)).fixedTreeHash).not.toBe(draft.fixedTreeHash);
  });

  it('asks for what is missing', async () => {
    await expect(buildReproduceDraft(session, { options, workingDirectory: directory })).rejects.toMatchObject({ code: 'usage' });
    const input = { options: { ...options, report: 'nope.md', subject: 'pip:numpy' }, workingDirectory: directory };
    await expect(buildReproduceDraft(session, input)).rejects.toMatchObject({ code: 'report-unreadable' });
  });
});

describe('buildJudgeDraft', () => {
  it('stores the script under a plain name, and refuses a wrong oracle', async () => {
    await writeFile(path.join(directory, 'my repro.py'), 'print(1)\n');
    await writeFile(path.join(directory, 'oracle.json'), '{"kind": "wish"}');
    const input = { caseDirectory: 'case', options, workingDirectory: directory, script: 'my repro.py' };
    expect(await buildJudgeDraft(session, { ...input, oracle: undefined })).toMatchObject({
      kind: 'judge',
      script: { name: 'script.py' },
      oracles: null,
    });
    await expect(buildJudgeDraft(session, { ...input, oracle: 'oracle.json' })).rejects.toMatchObject({ code: 'oracle-invalid' });
  });
});

describe('modelUse', () => {
  const more = { attempts: null, workingDirectory: '/w' };

  it('asks a model only where one is configured or its answers are recorded', () => {
    expect(modelUse(configuration(), options, more).enabled).toBe(false);
    expect(modelUse(configuration({ model: MODEL }), options, more).enabled).toBe(true);
    expect(modelUse(configuration({ model: MODEL }), { ...options, model: false }, more).enabled).toBe(false);
    expect(modelUse(configuration(), { ...options, replay: 'calls' }, more)).toMatchObject({ enabled: true, replay: '/w/calls' });
  });

  it('does not record and replay at once', () => {
    expect(() => modelUse(configuration(), { ...options, record: 'a', replay: 'b' }, more)).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });
});

describe('interpreterPath', () => {
  it('makes a path absolute and leaves a version', () => {
    expect(interpreterPath('venv/bin/python', '/w')).toBe('/w/venv/bin/python');
    expect(interpreterPath('3.11', '/w')).toBe('3.11');
    expect(() => interpreterPath('-c', '/w')).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
