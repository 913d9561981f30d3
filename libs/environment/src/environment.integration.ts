import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEnvironmentBuilder } from './build-environment.js';
import { describeInterpreter, findInterpreter } from './interpreter.js';

const searchPath = process.env['PATH'] ?? '';
const quiet = { signal: new AbortController().signal, onProgress: () => undefined };

async function python(): Promise<string> {
  const found = await findInterpreter('python3', searchPath);
  if (found === null) throw new Error('these tests need python3 on PATH');
  return found;
}

describe('describeInterpreter', () => {
  it('tells version and distributions, and names an interpreter that does not start', async () => {
    const facts = await describeInterpreter(await python());
    expect(facts.version).toMatch(/^3\.\d+\.\d+/);
    await expect(describeInterpreter('/no/such/python')).rejects.toMatchObject({ code: 'interpreter-not-found' });
  });
});

describe('createEnvironmentBuilder', () => {
  it('takes a given interpreter as it is, with the distance from what was asked', async () => {
    const builder = createEnvironmentBuilder({ stateDirectory: '/nonexistent', searchPath, pip: await python() });
    const request = {
      interpreter: await python(),
      pythonVersion: null,
      anyPython: true,
      requirements: [],
      cutOffDate: null,
      asked: [{ name: 'no-such-thing', version: '1' }],
    };
    const environment = await builder.build(request, quiet);
    expect(environment).toMatchObject({ source: 'given', distance: [{ name: 'no-such-thing', asked: '1', got: null }] });
    expect((await builder.build(request, quiet)).id).toBe(environment.id);
  });

  it('counts a Python of the report as far when none of those named is the one that runs', async () => {
    const builder = createEnvironmentBuilder({ stateDirectory: '/nonexistent', searchPath, pip: await python() });
    const { version } = await describeInterpreter(await python());
    const ask = async (...versions: string[]) => {
      const asked = versions.map((one) => ({ name: 'python', version: one }));
      return (
        await builder.build({ interpreter: null, pythonVersion: null, anyPython: true, requirements: [], cutOffDate: null, asked }, quiet)
      ).distance;
    };
    const here = version.split('.').slice(0, 2).join('.');
    expect(await ask('2.7')).toEqual([{ name: 'python', asked: '2.7', got: version }]);
    expect(await ask('2.7', here)).toEqual([]);
  });

  it('takes another Python for one that the report names, and never for one that the user names', async () => {
    const builder = createEnvironmentBuilder({ stateDirectory: '/nonexistent', searchPath, pip: await python() });
    const request = { interpreter: null, pythonVersion: '3.99', anyPython: true, requirements: [], cutOffDate: null, asked: [] };
    expect((await builder.build(request, quiet)).pythonVersion).toMatch(/^3\./);
    await expect(builder.build({ ...request, anyPython: false }, quiet)).rejects.toMatchObject({ code: 'interpreter-not-found' });
  });

  it('locks with hashes, builds, and uses the built one again; says what cannot be solved', async () => {
    const stateDirectory = await mkdtemp(path.join(tmpdir(), 'reenact-env-'));
    const builder = createEnvironmentBuilder({ stateDirectory, searchPath, pip: await python() });
    const request = { interpreter: null, pythonVersion: null, anyPython: true, requirements: ['six==1.16.0'], cutOffDate: null, asked: [] };
    const first = await builder.build(request, quiet);
    expect(first.distributions).toContainEqual({ name: 'six', version: '1.16.0' });
    expect(first.lock).toContain('--hash=sha256:');
    const again = await builder.build(request, quiet);
    expect(again.interpreter).toBe(first.interpreter);
    expect(again.id).toBe(first.id);
    await expect(builder.build({ ...request, requirements: ['six==99.99'] }, quiet)).rejects.toMatchObject({
      code: 'environment-unsolvable',
    });
  });
});
