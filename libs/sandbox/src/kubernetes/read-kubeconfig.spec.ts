import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readKubeconfig } from './read-kubeconfig.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reenact-kubeconfig-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const CLUSTER = { server: 'https://10.0.0.1:6443', 'certificate-authority-data': Buffer.from('CA').toString('base64') };

async function write(user: object, cluster: object = CLUSTER, rest: object = {}): Promise<string> {
  const file = path.join(folder, 'config');
  const config = {
    'current-context': 'one',
    contexts: [
      { name: 'one', context: { cluster: 'c', user: 'u', namespace: 'runs' } },
      { name: 'two', context: { cluster: 'c', user: 'v' } },
    ],
    clusters: [{ name: 'c', cluster }],
    users: [
      { name: 'u', user },
      { name: 'v', user: { token: 'second' } },
    ],
    ...rest,
  };
  await writeFile(file, stringify(config));
  return file;
}

describe('a kubeconfig', () => {
  it('gives the current context with a certificate from files beside it', async () => {
    await writeFile(path.join(folder, 'client.crt'), 'CERT');
    const file = await write({ 'client-certificate': 'client.crt', 'client-key-data': Buffer.from('KEY').toString('base64') });
    expect(await readKubeconfig(file)).toEqual({
      connection: { server: 'https://10.0.0.1:6443', authority: 'CA', token: null, client: { certificate: 'CERT', key: 'KEY' } },
      namespace: 'runs',
    });
  });

  it('gives another context, and a token that is read anew each time', async () => {
    await writeFile(path.join(folder, 'token'), 'first\n');
    const file = await write({ tokenFile: 'token' });
    const { connection } = await readKubeconfig(file);
    const before = await connection.token?.();
    await writeFile(path.join(folder, 'token'), 'renewed\n');
    const other = await readKubeconfig(file, 'two');
    expect([before, await connection.token?.(), await other.connection.token?.(), other.namespace]).toEqual([
      'first',
      'renewed',
      'second',
      null,
    ]);
  });

  it.each<[string, { user?: object; cluster?: object; rest?: object }, RegExp]>([
    ['a program that signs in', { user: { exec: { command: 'x' } } }, /asks for exec/],
    ['a server that is not checked', { cluster: { ...CLUSTER, 'insecure-skip-tls-verify': true } }, /asks for insecure-skip-tls-verify/],
    ['a cluster without a server', { cluster: {} }, /no server/],
    ['a context that is not there', { rest: { 'current-context': 'three' } }, /no context "three"/],
    ['a user that is not there', { rest: { users: [] } }, /no user "u"/],
    ['a key that cannot be read', { user: { 'client-key': 'nowhere' } }, /client-key cannot be read/],
    ['a key without certificate', { user: { 'client-key-data': 'c2VjcmV0' } }, /without/],
    ['another identity', { user: { token: 'secret', as: 'secret' } }, /asks for as/],
  ])('is refused for %s, without a value of it', async (_, { user, cluster, rest }, words) => {
    const failure = await readKubeconfig(await write(user ?? { token: 'secret' }, cluster, rest)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'config-invalid', message: expect.stringMatching(words) as unknown });
    expect(String(failure)).not.toContain('secret');
  });

  it('is refused where it is none', async () => {
    await writeFile(path.join(folder, 'config'), '[not, a, map]');
    await expect(readKubeconfig(path.join(folder, 'config'))).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(readKubeconfig(path.join(folder, 'nothing'))).rejects.toMatchObject({ code: 'config-invalid' });
  });
});
