import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { assertCanaryAnswers, isIsolationProven } from './canary.js';

const program = fileURLToPath(new URL('../../supervisor/canary.py', import.meta.url));
const TIMEOUT_MILLISECONDS = 10_000;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that does with each connection what a test asks. */
async function serve(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  return await listen(server);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** The canary as its pod starts it, when it answers. */
async function startCanary(): Promise<{ port: number; child: ChildProcess }> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  const child = spawn('python3', ['-I', '-S', '-B', program, String(port)], { stdio: 'inherit' });
  closing.push(() => child.kill('SIGKILL'));
  await expect
    .poll(
      () =>
        ask(port).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  return { port, child };
}

const ask = (port: number, host = '127.0.0.1') => assertCanaryAnswers({ host, port }, TIMEOUT_MILLISECONDS);

describe('the canary', () => {
  it('answers under the address that was asked, with one identity for as long as it lives', async () => {
    const { port } = await startCanary();
    const first = await ask(port);
    expect(first).toEqual({ instance: expect.stringMatching(/^[0-9a-f]{16}$/) as string, targets: [{ host: '127.0.0.1', port }] });
    expect(await ask(port)).toEqual(first);
    expect((await ask((await startCanary()).port)).instance).not.toBe(first.instance);
    expect((await ask(port, 'localhost')).targets[0]?.host).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  it('is asked behind a translation of addresses too, and both are what a pod has to try', async () => {
    const { port } = await startCanary();
    const service = await serve((socket) => socket.pipe(createConnection({ host: '127.0.0.1', port })).pipe(socket));
    expect((await ask(service)).targets).toEqual([
      { host: '127.0.0.1', port: service },
      { host: '127.0.0.1', port },
    ]);
  });

  it('ends when its pod is ended', async () => {
    const { child } = await startCanary();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['says nothing', () => undefined, 'no whole answer'],
    ['closes', (socket) => socket.end(), 'something else answers'],
    ['cuts the connection', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
    ['repeats the question', (socket) => socket.once('data', (chunk) => socket.end(chunk)), 'something else answers'],
    ['speaks another protocol', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'something else answers'],
    ['repeats an old answer', (socket) => socket.end(JSON.stringify({ canary: 1, proof: '00'.repeat(32) })), 'something else answers'],
    ['does not end', (socket) => socket.write(Buffer.alloc(4096, 'a')), 'does not end'],
  ])('is not taken for something that %s', async (_, onConnection, words) => {
    const port = await serve(onConnection);
    const timeoutMilliseconds = words === 'no whole answer' ? 300 : TIMEOUT_MILLISECONDS;
    await expect(assertCanaryAnswers({ host: '127.0.0.1', port }, timeoutMilliseconds)).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringContaining(words) as string,
    });
  });

  it('is missed where nobody listens, and no longer than one waits', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await expect(ask(port)).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
    const silent = await serve(() => undefined);
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(assertCanaryAnswers({ host: '127.0.0.1', port: silent }, TIMEOUT_MILLISECONDS, signal)).rejects.toThrow('cancelled');
  });

  it('proves isolation only where a pod missed the process that answers now', () => {
    const witness = { instance: 'ab'.repeat(8), targets: [] };
    expect(isIsolationProven(['uid=10001', 'network-denied', `canary=${witness.instance}`], witness)).toBe(true);
    expect(isIsolationProven(['network-denied', 'canary=other'], witness)).toBe(false);
    expect(isIsolationProven([`canary=${witness.instance}`], witness)).toBe(false);
    expect(isIsolationProven([], witness)).toBe(false);
  });
});
