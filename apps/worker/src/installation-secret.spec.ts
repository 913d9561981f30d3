import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installationSecret } from './installation-secret.js';

describe('installationSecret', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'reenact-secret-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));
  const given = async (name: string, text: string): Promise<string> => {
    await writeFile(path.join(directory, name), text);
    return installationSecret({ stateDirectory: path.join(directory, `${name}-state`), secretFile: path.join(directory, name) });
  };

  it('is made once for a state directory, also where several ask at once', async () => {
    const ask = (name: string) => installationSecret({ stateDirectory: path.join(directory, name), secretFile: null });
    const secrets = await Promise.all([ask('one'), ask('one')]);
    expect(new Set([...secrets, await ask('one')]).size).toBe(1);
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await ask('other')).not.toBe(secrets[0]);
  });

  it('is what a given file holds, without the end of its line', async () => {
    expect(await given('shared', `${'ab'.repeat(32)}\n`)).toBe('ab'.repeat(32));
  });

  it('is refused where it is too short to be one, or not there', async () => {
    await expect(given('short', 'secret\n')).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(installationSecret({ stateDirectory: directory, secretFile: path.join(directory, 'none') })).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });
});
