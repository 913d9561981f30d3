import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Agent as HttpsAgent } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectByKubeconfig } from './kubeconfig.js';
import { sendRequest } from './kube-request.js';
import { json, startFaultyServer } from './testing/faulty-server.js';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'reenact-kubeconfig-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function config(parts: { cluster?: object; user?: object; context?: string } = {}): string {
  return JSON.stringify({
    kind: 'Config',
    'current-context': parts.context ?? 'one',
    clusters: [
      { name: 'other', cluster: { server: 'https://other:1' } },
      { name: 'here', cluster: { server: 'https://host:6443', ...parts.cluster } },
    ],
    users: [{ name: 'me', user: parts.user ?? { token: 'secret' } }],
    contexts: [{ name: 'one', context: { cluster: 'here', user: 'me' } }],
  });
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('connection of a kubeconfig', () => {
  it('is the one of the current context', async () => {
    const connection = await connectByKubeconfig(config(), directory);
    expect([connection.server.href, await connection.token()]).toEqual(['https://host:6443/', 'secret']);
    connection.close();
  });

  it('takes certificates and keys from the text or from files beside it, and reads a token file anew', async () => {
    for (const [name, text] of [
      ['ca.pem', 'AUTHORITY'],
      ['key.pem', 'KEY'],
      ['token', 'first\n'],
    ] as const)
      await writeFile(path.join(directory, name), text);
    const connection = await connectByKubeconfig(
      config({
        cluster: { 'certificate-authority': 'ca.pem' },
        user: { 'client-certificate-data': base64('CERTIFICATE'), 'client-key': 'key.pem', tokenFile: 'token' },
      }),
      directory,
    );
    const { options } = connection.agent as HttpsAgent;
    expect(options).toMatchObject({ ca: 'AUTHORITY', cert: 'CERTIFICATE', key: 'KEY' });
    expect(await connection.token()).toBe('first');
    await writeFile(path.join(directory, 'token'), 'second\n');
    expect(await connection.token()).toBe('second');
    connection.close();
  });

  it('sends the token', async () => {
    const server = await startFaultyServer(json(200, {}));
    const connection = await connectByKubeconfig(config({ cluster: { server: server.url } }), directory);
    await sendRequest(connection, { method: 'GET', path: '/version', timeoutMilliseconds: 5_000 });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret']);
    connection.close();
    await server.close();
  });

  it.each<[string, string, string]>([
    ['YAML', 'kind: Config\n', 'is no JSON'],
    ['another object', '{"kind":"List"}', 'is no JSON'],
    ['a context that is not there', config({ context: 'two' }), 'has no context "two"'],
    ['no server', config({ cluster: { server: 7 } }), 'names no server'],
    ['a server in the clear', config({ cluster: { server: 'http://far:80' } }), 'https'],
    ['a certificate without key', config({ user: { 'client-certificate-data': base64('x') } }), 'without key'],
    ['a file that is not there', config({ cluster: { 'certificate-authority': 'none.pem' } }), 'cannot be read'],
    ['a program that gives credentials', config({ user: { exec: { command: 'x' } } }), 'asks for exec'],
    ['another’s name', config({ user: { token: 't', as: 'admin' } }), 'asks for as'],
    ['a password', config({ user: { username: 'a', password: 'b' } }), 'asks for username, password'],
    ['no check of the server', config({ cluster: { 'insecure-skip-tls-verify': true } }), 'insecure-skip-tls-verify'],
  ])('is refused for %s', async (_, text, words) => {
    await expect(connectByKubeconfig(text, directory)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(words) as string,
    });
  });
});
