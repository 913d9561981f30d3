import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { backoffMilliseconds } from './backoff.js';
import { linesOf } from './lines.js';
import { watchCollection } from './kube-watch.js';
import type { WatchListener, WatchOptions, WatchTimings } from './kube-watch.js';
import { cut, json, lines, silence, startFaultyServer, statusReply } from './testing/faulty-server.js';
import type { FaultyServer, Reply } from './testing/faulty-server.js';

const FAST: WatchTimings = { serverSeconds: [240, 360], silenceMilliseconds: 20_000, backoff: { first: 1, most: 5 } };
const thing = (name: string, resourceVersion: string) => ({ metadata: { name, uid: `u-${name}`, resourceVersion } });
const list = (version: string, items: unknown[] = [], next = ''): Reply =>
  json(200, { kind: 'PodList', metadata: { resourceVersion: version, continue: next }, items });
const change = (type: string, name: string, version: string) => ({ type, object: thing(name, version) });
const bookmark = (version: string) => ({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: version } } });
const expired = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };

let there: FaultyServer | undefined;
afterEach(async () => {
  await there?.close();
  there = undefined;
});

interface Told {
  log: string[];
  problems: string[];
  requests: FaultyServer['requests'];
  connections: number;
}

/** Watches until so many things were told, or the server got so many requests, and gives all of it. */
async function watch(
  until: { told?: number; requests?: number },
  replies: Reply[],
  options: { timings?: Partial<WatchTimings>; listener?: Partial<WatchListener>; linger?: number } = {},
): Promise<Told> {
  there = await startFaultyServer(...replies);
  const server = there;
  const stop = new AbortController();
  const told: Told = { log: [], problems: [], requests: server.requests, connections: 0 };
  const watchOptions: WatchOptions = {
    path: '/api/v1/namespaces/n/pods',
    labelSelector: 'reenact.dev/shard=03',
    timings: { ...FAST, ...options.timings },
    signal: stop.signal,
  };
  const over = watchCollection(server.connect(), watchOptions, {
    onList: (objects) => {
      told.log.push(`list ${objects.map(({ metadata }) => metadata.name).join(',')}`);
    },
    onChange: (type, { metadata }) => {
      told.log.push(`${type} ${metadata.name}`);
    },
    onProblem: (error) => {
      told.problems.push(error instanceof Error ? error.message : String(error));
    },
    ...options.listener,
  });
  await expect
    .poll(() => told.log.length >= (until.told ?? 0) && server.requests.length >= (until.requests ?? 0), { timeout: 20_000, interval: 5 })
    .toBe(true);
  await new Promise((settle) => setTimeout(settle, options.linger ?? 0));
  stop.abort();
  await over;
  told.connections = server.connections;
  return told;
}

const versions = ({ requests }: Told): (string | undefined)[] => requests.map(({ query }) => query['resourceVersion']);

describe('a watch', () => {
  it('lists page by page and follows from there, with bookmarks, a time and its labels', async () => {
    const told = await watch({ told: 3 }, [
      list('7', [thing('a', '1')], 'next page'),
      list('9', [thing('b', '2')]),
      lines([change('ADDED', 'c', '10'), change('DELETED', 'a', '11')], 'silence'),
    ]);
    expect(told.log).toEqual(['list a,b', 'ADDED c', 'DELETED a']);
    const [first, second, third] = told.requests.map(({ query }) => query);
    expect(first).toEqual({ labelSelector: 'reenact.dev/shard=03', limit: '500' });
    expect(second).toEqual({ labelSelector: 'reenact.dev/shard=03', limit: '500', continue: 'next page' });
    expect(third).toMatchObject({
      watch: 'true',
      labelSelector: 'reenact.dev/shard=03',
      resourceVersion: '9',
      allowWatchBookmarks: 'true',
    });
    expect(Number(third?.['timeoutSeconds'])).toBeGreaterThanOrEqual(240);
    expect(Number(third?.['timeoutSeconds'])).toBeLessThanOrEqual(360);
  });

  it('goes on from the last event or bookmark when the server ends it, and lists nothing again', async () => {
    const told = await watch({ told: 3 }, [
      list('1'),
      lines([change('ADDED', 'a', '2')], 'end'),
      lines([bookmark('8')], 'end'),
      lines([change('MODIFIED', 'a', '9')], 'silence'),
    ]);
    expect(told.log).toEqual(['list ', 'ADDED a', 'MODIFIED a']);
    expect(versions(told)).toEqual([undefined, '1', '2', '8']);
    expect(told.problems).toEqual([]);
  });

  it('goes on from there too when the connection is cut, refused or answers with an error', async () => {
    const told = await watch({ told: 3 }, [
      list('1'),
      lines([change('ADDED', 'a', '2')], 'cut'),
      cut,
      statusReply(500, 'InternalError', 'etcd is away'),
      statusReply(403, 'Forbidden', 'pods is forbidden'),
      lines([change('MODIFIED', 'a', '3')], 'silence'),
    ]);
    expect(told.log).toEqual(['list ', 'ADDED a', 'MODIFIED a']);
    expect(versions(told)).toEqual([undefined, '1', '2', '2', '2', '2']);
    expect(told.problems.slice(-2)).toEqual([
      expect.stringContaining('InternalError: etcd is away'),
      expect.stringContaining('Forbidden: pods is forbidden'),
    ]);
  });

  it('lists anew when its version has expired, before it began and in the middle', async () => {
    const told = await watch({ told: 3 }, [
      list('1', [thing('a', '1')]),
      statusReply(410, 'Expired', 'too old'),
      list('20', [thing('b', '20')]),
      lines([expired], 'silence'),
      list('40', [thing('c', '40')]),
      lines([], 'silence'),
    ]);
    expect(told.log).toEqual(['list a', 'list b', 'list c']);
    expect(versions(told).slice(0, 5)).toEqual([undefined, '1', undefined, '20', undefined]);
  });

  it('begins a list anew whose continuation has expired', async () => {
    const told = await watch({ told: 1 }, [
      list('1', [thing('a', '1')], 'page 2'),
      statusReply(410, 'Expired', 'the continue token is too old'),
      list('5', [thing('b', '5')]),
      lines([], 'silence'),
    ]);
    expect(told.log).toEqual(['list b']);
    expect(told.requests.map(({ query }) => query['continue']).slice(0, 3)).toEqual([undefined, 'page 2', undefined]);
  });

  it('takes a connection without a byte for dead, and one with bookmarks for alive', async () => {
    const told = await watch({ told: 2 }, [list('1'), lines([], 'silence'), silence, lines([change('ADDED', 'a', '2')], 'silence')], {
      timings: { silenceMilliseconds: 1_500 },
    });
    expect(told.log).toEqual(['list ', 'ADDED a']);
    expect(told.problems).toEqual([expect.stringContaining('silent for 1.5 s'), expect.stringContaining('no answer within 1.5 s')]);

    await there?.close();
    const alive: Reply = async (_, response) => {
      response.writeHead(200);
      for (let version = 2; version < 12; version++) {
        response.write(`${JSON.stringify(bookmark(String(version)))}\n`);
        await new Promise((settle) => setTimeout(settle, 330));
      }
      response.write(`${JSON.stringify(change('ADDED', 'late', '12'))}\n`);
    };
    const quiet = await watch({ told: 2 }, [list('1'), alive], { timings: { silenceMilliseconds: 3_000 } });
    expect([quiet.log, quiet.problems, quiet.requests.length]).toEqual([['list ', 'ADDED late'], [], 2]);
  });

  it('waits as long as the server asks for', async () => {
    const told = await watch({ told: 1 }, [
      statusReply(429, 'TooManyRequests', 'x', { 'retry-after': '1' }),
      list('1'),
      lines([], 'silence'),
    ]);
    expect(told.problems).toEqual([expect.stringContaining('TooManyRequests')]);
    expect(told.requests.length).toBeGreaterThanOrEqual(2);
  });

  it('pauses before a server that ends every watch at once', async () => {
    const waits = { first: 1e9, most: 1e9 };
    const told = await watch({ requests: 2 }, [list('1'), lines([], 'end')], { timings: { backoff: waits }, linger: 100 });
    expect(told.requests.length).toBe(2);
  });

  it('survives a listener that throws, tells it and lists anew', async () => {
    let count = 0;
    const told = await watch({ requests: 4 }, [list('1'), lines([change('ADDED', 'a', '2')], 'silence'), list('2'), lines([], 'silence')], {
      listener: {
        onChange: () => {
          count += 1;
          throw new Error('listener broke');
        },
      },
    });
    expect([count, told.problems, told.log]).toEqual([1, ['listener broke'], ['list ', 'list ']]);
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['no event', { type: 'WHATEVER', object: {} }],
    ['an object without a name', { type: 'ADDED', object: { metadata: { resourceVersion: '3' } } }],
    ['a bookmark without a version', { type: 'BOOKMARK', object: {} }],
    ['a line without end', `{"type":"ADDED","object":"${'x'.repeat(4 * 1024 ** 2)}`],
  ])('lists anew where what comes is %s', async (_, line) => {
    const told = await watch({ told: 2 }, [list('1'), lines([line], 'silence'), list('2'), lines([], 'silence')]);
    expect(told.log).toEqual(['list ', 'list ']);
    expect(told.problems.length).toBe(1);
  });

  it('tries again where what answers for the list is something else', async () => {
    const told = await watch({ told: 1 }, [
      json(200, { hello: 1 }),
      json(200, { metadata: { resourceVersion: '1' }, items: [{}] }),
      list('1'),
      silence,
    ]);
    expect([told.log, told.problems.length]).toEqual([['list '], 2]);
  });

  it('leaves times as the texts that they are on the wire, in list and event alike', async () => {
    const startTime = '2026-05-01T10:00:00Z';
    const times: unknown[] = [];
    await watch(
      { requests: 2 },
      [list('1', [{ ...thing('a', '1'), startTime }]), lines([{ type: 'MODIFIED', object: { ...thing('a', '2'), startTime } }], 'silence')],
      {
        listener: {
          onList: (objects) => void times.push(objects[0]?.['startTime']),
          onChange: (_, object) => void times.push(object['startTime']),
        },
      },
    ).catch(() => undefined);
    await expect.poll(() => times).toEqual([startTime, startTime]);
  });

  it('ends when it is told to, whatever it is at', async () => {
    for (const replies of [[silence], [list('1'), silence], [statusReply(429, 'x', 'x', { 'retry-after': '100' })]])
      await watch({ requests: replies.length }, replies);
    expect(there?.requests.length).toBe(1);
  });
});

describe('waits between tries', () => {
  it('lie between nothing and a bound that doubles', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, chance) => {
        const wait = backoffMilliseconds({ first: 1_000, most: 30_000 }, failures, () => chance);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(Math.min(30_000, 1_000 * 2 ** (failures - 1)));
      }),
    );
    expect([1, 2, 3, 9].map((failures) => backoffMilliseconds({ first: 1_000, most: 30_000 }, failures, () => 0.5))).toEqual([
      500, 1_000, 2_000, 15_000,
    ]);
  });
});

describe('lines', () => {
  it('are the same however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(20)), async (bytes, cuts) => {
        const line = Buffer.from(Array.from(bytes, (byte) => (byte % 7 === 0 ? 10 : byte)));
        const expected = line.toString('latin1').split('\n').slice(0, -1);
        const got: string[] = [];
        for await (const text of linesOf(pieces(line, cuts), 1_000)) got.push(text.toString('latin1'));
        expect(got).toEqual(expected);
      }),
    );
  });
});

async function* pieces(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const size of cuts) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
    start += size;
  }
  yield bytes.subarray(start);
}
