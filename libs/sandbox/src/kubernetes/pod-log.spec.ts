import { afterEach, describe, expect, it } from 'vitest';
import { podLog } from './pod-log.js';
import type { PodLogOptions } from './pod-log.js';
import { cut, lines, silence, startFaultyServer, statusReply } from './testing/faulty-server.js';
import type { FaultyServer, Reply } from './testing/faulty-server.js';

let there: FaultyServer | undefined;
afterEach(async () => {
  await there?.close();
  there = undefined;
});

async function read(reply: Reply, options: Partial<PodLogOptions> = {}): Promise<{ bytes: Buffer; error: unknown }> {
  there = await startFaultyServer(reply);
  const chunks: Buffer[] = [];
  const whole: PodLogOptions = {
    ...{ namespace: 'n', pod: 'x1-0-abcde', follow: false, mostBytes: 1_000, silenceMilliseconds: 5_000 },
    ...{ signal: new AbortController().signal, ...options },
  };
  try {
    for await (const chunk of podLog(there.connect(), whole)) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), error: null };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
}

describe('the log of a pod', () => {
  it('comes as bytes, whatever they are', async () => {
    const raw = Buffer.from([0xff, 0x00, 0xc3, 0x0a, 0x80]);
    const { bytes, error } = await read((_, response) => void response.writeHead(200).end(raw), { follow: true });
    expect([bytes.equals(raw), error]).toEqual([true, null]);
    expect(there?.requests[0]).toMatchObject({
      path: '/api/v1/namespaces/n/pods/x1-0-abcde/log',
      query: { container: 'runner', follow: 'true', limitBytes: '1000' },
    });
  });

  it('ends at the number of bytes that was asked for, also where the server sends more', async () => {
    const { bytes, error } = await read((_, response) => void response.writeHead(200).write('x'.repeat(5_000)));
    expect([bytes.length, error]).toEqual([1_000, null]);
  });

  it('keeps the server’s words when it is refused', async () => {
    const { error } = await read(statusReply(400, 'BadRequest', 'container "runner" is waiting to start: ContainerCreating'));
    expect(error).toMatchObject({
      code: 'cluster-unreachable',
      message: 'the log of x1-0-abcde broke off: BadRequest: container "runner" is waiting to start: ContainerCreating',
    });
    const plain = await read((_, response) => void response.writeHead(502).end('dial tcp 10.0.0.7:10250: no route to host'));
    expect(plain.error).toMatchObject({ message: expect.stringContaining('no route to host') as string });
  });

  it('tells of a cut, a silence and a server that never answers where it is read, and gives what came before', async () => {
    const broken = await read(lines(['one'], 'cut'), { follow: true });
    expect([broken.bytes.toString(), broken.error]).toEqual(['one\n', expect.objectContaining({ code: 'cluster-unreachable' })]);
    const still = await read(lines(['one'], 'silence'), { follow: true, silenceMilliseconds: 1_500 });
    expect([still.bytes.toString(), still.error]).toEqual([
      'one\n',
      expect.objectContaining({ message: expect.stringContaining('silent') as string }),
    ]);
    for (const reply of [silence, cut])
      expect((await read(reply, { silenceMilliseconds: 1_500 })).error).toMatchObject({ code: 'cluster-unreachable' });
  });

  it('ends with the caller’s reason when it is aborted', async () => {
    const stop = new AbortController();
    const reading = read(lines(['one'], 'silence'), { follow: true, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    expect((await reading).error).toMatchObject({ message: 'enough' });
  });

  it('closes the connection when its reader stops, and harms nothing else', async () => {
    there = await startFaultyServer(lines(['one', 'two'], 'cut'));
    const options = {
      namespace: 'n',
      pod: 'p',
      follow: true,
      mostBytes: 99,
      silenceMilliseconds: 5_000,
      signal: new AbortController().signal,
    };
    for await (const chunk of podLog(there.connect(), options)) {
      expect(chunk.toString()).toContain('one');
      break;
    }
    // The cut comes after the reader has gone: an error that nobody catches would end this process.
    await new Promise((settle) => setTimeout(settle, 60));
  });

  it('is of no other object', async () => {
    expect((await read(silence, { pod: '../secrets' })).error).toMatchObject({ code: 'internal' });
  });
});
