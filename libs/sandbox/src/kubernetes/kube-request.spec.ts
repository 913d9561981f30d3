import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectFromPod, connectTo } from './kube-connection.js';
import { sendRequest } from './kube-request.js';
import type { KubeRequest } from './kube-request.js';
import { resourcePath } from './resource-path.js';
import { executionObjects } from './execution-objects.js';
import { cut, json, silence, startFaultyServer, statusReply } from './testing/faulty-server.js';
import type { FaultyServer, Reply } from './testing/faulty-server.js';
import { executionSpec } from './testing/specs.js';

const GET: KubeRequest = { method: 'GET', path: '/api/v1/namespaces/n/pods', timeoutMilliseconds: 20_000 };
const servers: FaultyServer[] = [];
async function server(...replies: Reply[]): Promise<FaultyServer> {
  const started = await startFaultyServer(...replies);
  servers.push(started);
  return started;
}
afterEach(async () => {
  for (const started of servers.splice(0)) await started.close();
});

describe('requests', () => {
  it('share connections instead of opening one each', async () => {
    const there = await server(json(200, {}));
    const connection = there.connect();
    for (let count = 0; count < 100; count++) await sendRequest(connection, GET);
    expect([there.requests.length, there.connections]).toEqual([100, 1]);
  });

  it('give up on a server that takes them and is silent', async () => {
    const there = await server(silence);
    await expect(sendRequest(there.connect(), { ...GET, timeoutMilliseconds: 50 })).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringMatching(/GET \/api\/v1\/namespaces\/n\/pods: no answer within 0.05 s/) as string,
    });
  });

  it('give up on an answer that stands still in the middle, and on one that is cut', async () => {
    const there = await server(
      (_, response) => void response.writeHead(200).write('{'),
      (_, response) => {
        response.writeHead(200).write('{');
        setTimeout(() => response.socket?.destroy(), 20);
      },
    );
    const connection = there.connect();
    for (const words of ['silent for 1.5 s', 'broke off'])
      await expect(sendRequest(connection, { ...GET, timeoutMilliseconds: words.startsWith('s') ? 1_500 : 20_000 })).rejects.toMatchObject({
        code: 'cluster-unreachable',
        message: expect.stringContaining(words) as string,
      });
  });

  it('end with the caller’s own reason when they are aborted', async () => {
    const there = await server(silence);
    const stop = new AbortController();
    const asked = sendRequest(there.connect(), { ...GET, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 30);
    await expect(asked).rejects.toThrow('enough');
    await expect(sendRequest(there.connect(), { ...GET, signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never');
  });

  it('keep a refusal’s reason, words and asked wait, also where the answer is no JSON', async () => {
    const there = await server(
      statusReply(409, 'AlreadyExists', 'jobs "x" already exists'),
      statusReply(429, 'TooManyRequests', 'later', { 'retry-after': '7' }),
      (_, response) => void response.writeHead(502, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }).end('<html>bad gateway'),
    );
    const connection = there.connect();
    expect(await sendRequest(connection, GET)).toMatchObject({
      status: 409,
      failure: { reason: 'AlreadyExists', message: 'jobs "x" already exists' },
    });
    expect(await sendRequest(connection, GET)).toMatchObject({ status: 429, retryAfterSeconds: 7 });
    expect(await sendRequest(connection, GET)).toEqual({
      status: 502,
      body: null,
      failure: { reason: 'HTTP 502', message: '<html>bad gateway' },
      retryAfterSeconds: null,
    });
  });

  it('read once more over a new connection when a kept one was closed, and leave a write to the caller', async () => {
    const there = await server(json(200, {}), cut, json(200, { second: true }), cut);
    const connection = there.connect();
    await sendRequest(connection, GET);
    expect((await sendRequest(connection, GET)).body).toEqual({ second: true });
    await expect(sendRequest(connection, { ...GET, method: 'POST', body: {} })).rejects.toMatchObject({ code: 'cluster-unreachable' });
    expect(there.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST']);
  });

  it('send objects as they are: no field is renamed, dropped or turned', async () => {
    const there = await server(json(201, {}));
    const { policy, job } = executionObjects(executionSpec({ ranks: 2 }), new Date(0));
    const newer = { ...job, spec: { ...job.spec, fieldOfTomorrow: { _from: 1, default: null } } };
    const connection = there.connect();
    for (const body of [policy, newer])
      await sendRequest(connection, {
        method: 'POST',
        path: '/apis/x',
        query: { fieldValidation: 'Strict' },
        body,
        timeoutMilliseconds: 20_000,
      });
    expect(there.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([policy, newer]);
    expect(JSON.parse(there.requests[0]?.body ?? '')).toMatchObject({ spec: { ingress: [{ from: [{ podSelector: {} }] }] } });
    expect(there.requests[0]).toMatchObject({ query: { fieldValidation: 'Strict' }, headers: { 'content-type': 'application/json' } });
  });

  it('patch by merging', async () => {
    const there = await server(json(200, {}));
    await sendRequest(there.connect(), { ...GET, method: 'PATCH', body: { spec: { suspend: true } } });
    expect(there.requests[0]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  it('ask for the token each time, since it is renewed, and keep those of two clusters apart', async () => {
    const there = await server(json(200, {}));
    let count = 0;
    const renewed = there.connect({ token: () => Promise.resolve(`a${count++}`) });
    const other = there.connect({ token: () => Promise.resolve('b') });
    for (const connection of [renewed, other, renewed]) await sendRequest(connection, GET);
    expect(there.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a0', 'Bearer b', 'Bearer a1']);
  });

  it('follow no redirect, so that a token goes to no other host', async () => {
    const there = await server(json(302, {}, { location: 'http://127.0.0.1:1/' }));
    expect((await sendRequest(there.connect({ token: () => Promise.resolve('t') }), GET)).status).toBe(302);
    expect(there.requests.length).toBe(1);
  });
});

describe('connections', () => {
  it.each(['http://api.example:6443', 'http://128.0.0.1', 'http://127.evil.example', 'ftp://127.0.0.1', 'nonsense'])(
    'are not made to %s',
    (url) => {
      expect(() => connectTo({ server: url, authority: null, token: null, client: null })).toThrow(
        expect.objectContaining({ code: 'config-invalid' }),
      );
    },
  );

  it('are made by the service account of a pod, whose token file is read anew', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'reenact-account-'));
    await writeFile(path.join(directory, 'ca.crt'), 'PEM');
    await writeFile(path.join(directory, 'token'), 'one\n');
    const connection = await connectFromPod({ host: 'fd00::1', port: 443 }, directory);
    const first = await connection.token();
    await writeFile(path.join(directory, 'token'), 'two');
    expect([connection.server.href, first, await connection.token()]).toEqual(['https://[fd00::1]/', 'one', 'two']);
  });

  it('are refused outside of a pod, and where the account cannot be read', async () => {
    await expect(connectFromPod({ host: null, port: null })).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(connectFromPod({ host: '10.0.0.1', port: 443 }, '/nowhere')).rejects.toMatchObject({ code: 'config-invalid' });
  });
});

describe('paths', () => {
  it('name collections and objects', () => {
    expect(resourcePath('pods', 'n')).toBe('/api/v1/namespaces/n/pods');
    expect(resourcePath('jobs', 'n', 'x1')).toBe('/apis/batch/v1/namespaces/n/jobs/x1');
    expect(resourcePath('pods', 'n', 'x1/log')).toBe('/api/v1/namespaces/n/pods/x1/log');
  });

  it.each(['..', 'a/..', 'a?b', 'a/b', 'A', '', 'a/log/log', '%2e'])('refuse %j', (name) => {
    expect(() => resourcePath('pods', 'n', name)).toThrow(expect.objectContaining({ code: 'internal' }));
    expect(() => resourcePath('pods', name)).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});
