import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '@reenact/domain';
import { sampleChunks } from '../testing/index.js';
import { createElasticsearchIndex } from './elasticsearch-index.js';
import { clusterSettings } from './settings.js';
import type { ElasticsearchSettings } from './settings.js';
import { startStub } from './testing/stub-server.js';
import type { SeenRequest, StubAnswer, StubServer } from './testing/stub-server.js';

const NAME = { repository: 'https://example.org/r.git', revision: 'main' };
const chunks = sampleChunks({ seed: 3, files: 1, chunksPerFile: 3, dimensions: 4, pendingShare: 0 });
const servers: StubServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server that says yes to everything a publication asks, but for what `special` answers. */
async function startServer(special: (request: SeenRequest) => StubAnswer | null | undefined, tls?: { key: string; cert: string }) {
  let sent = 0;
  const server = await startStub((request) => {
    const told = special(request);
    if (told !== undefined) return told;
    const { method, path: asked, body } = request;
    if (asked === '/') return { body: { version: { number: '9.5.3' } } };
    if (asked.includes('/_alias/')) return { status: 404, body: { error: 'none', status: 404 } };
    if (asked.includes('/_bulk')) {
      const items = body
        .trim()
        .split('\n')
        .filter((_, line) => line % 2 === 0);
      sent += items.length;
      return { body: { errors: false, items: items.map(() => ({ create: { status: 201 } })) } };
    }
    if (asked.includes('/_count')) return { body: { count: sent } };
    return { body: method === 'GET' ? {} : { acknowledged: true } };
  }, tls);
  servers.push(server);
  return server;
}

function indexAt(url: string, more: Partial<ElasticsearchSettings> = {}) {
  return createElasticsearchIndex({ url, retryWaitsMilliseconds: [1, 1], ...more });
}

async function publishTo(url: string, more: Partial<ElasticsearchSettings> = {}): Promise<AppError | null> {
  const index = indexAt(url, more);
  return index.publish(NAME, chunks, { embedding: 'sample' }).then(
    () => null,
    (error: unknown) => error as AppError,
  );
}

describe('a publication to a server', () => {
  it('names, loads, counts and points in this order, and keeps the name of the repository to itself', async () => {
    const server = await startServer(() => undefined);
    expect(await publishTo(server.url)).toBeNull();
    const index = /^\/(reenact-chunks-[^/]+)$/.exec(server.seen.find(({ method }) => method === 'PUT')?.path ?? '')?.[1] ?? '';
    expect(index).toMatch(/^reenact-chunks-[0-9a-f]{20}-[0-9a-f]{20}-[0-9a-z]{17}$/);
    const steps = server.seen.map(({ method, path: asked }) => `${method} ${asked.replaceAll(index, 'INDEX')}`);
    expect(steps).toEqual([
      'GET /',
      'GET /reenact-chunks-*',
      'PUT /INDEX',
      'PUT /INDEX/_mapping',
      'POST /INDEX-loading/_bulk',
      'GET /INDEX/_refresh',
      'GET /INDEX/_count',
      'PUT /INDEX/_mapping',
      expect.stringMatching(/^GET \/_alias\//),
      'POST /_aliases',
      // Once more: another publication may have come in between.
      expect.stringMatching(/^GET \/_alias\//),
    ]);
    expect(JSON.stringify(server.seen)).not.toContain('example.org');
  });

  it('sends again only the documents that a busy server turned away', async () => {
    const asked: string[][] = [];
    const server = await startServer(({ path: target, body }) => {
      if (!target.includes('/_bulk')) return target.includes('/_count') ? { body: { count: 3 } } : undefined;
      const lines = body.trim().split('\n');
      asked.push(lines.filter((_, line) => line % 2 === 0).map((line) => (JSON.parse(line) as { create: { _id: string } }).create._id));
      const busy = { create: { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'queue is full' } } };
      const items =
        asked.length === 1 ? [busy, { create: { status: 201 } }, busy] : [{ create: { status: 201 } }, { create: { status: 409 } }];
      return { body: { errors: true, items } };
    });
    expect(await publishTo(server.url)).toBeNull();
    const ids = chunks.map(({ id }) => id);
    expect(asked).toEqual([ids, [ids[0], ids[2]]]);
  });

  it('deletes the index of a failed load and leaves the alias as it is', async () => {
    const flood = {
      type: 'cluster_block_exception',
      reason: 'index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark]',
    };
    const server = await startServer(({ path: target }) =>
      target.includes('/_bulk')
        ? { body: { errors: true, items: chunks.map(() => ({ create: { status: 429, error: flood } })) } }
        : undefined,
    );
    const error = await publishTo(server.url);
    expect([error?.code, error?.message, error?.hint]).toEqual([
      'search-unreachable',
      expect.stringContaining('disk'),
      expect.stringContaining('room'),
    ]);
    expect(server.seen.filter(({ path: target }) => target.includes('/_bulk'))).toHaveLength(1);
    expect(server.seen.at(-1)?.method).toBe('DELETE');
    expect(server.seen.some(({ path: target }) => target.includes('/_aliases'))).toBe(false);
  });

  it('refuses a load of which a part is missing', async () => {
    const server = await startServer(({ path: target }) => (target.includes('/_count') ? { body: { count: 2 } } : undefined));
    expect(await publishTo(server.url)).toMatchObject({ code: 'internal', message: expect.stringContaining('2 of 3') });
  });
});

describe('a server that fails', () => {
  it.each([
    [{ status: 401 }, 'search-auth', 1],
    [{ status: 403, body: { error: { type: 'security_exception', reason: 'action is unauthorized' } } }, 'search-auth', 2],
    [{ status: 429, headers: { 'retry-after': '0' } }, 'search-unreachable', 3],
    [{ status: 503 }, 'search-unreachable', 3],
    [{ status: 500 }, 'search-unreachable', 1],
    [{ status: 400, body: { error: { type: 'media_type_header_exception', reason: 'compatible-with=9' } } }, 'search-unsupported', 1],
    [{ headers: { 'x-elastic-product': '' } }, 'search-unsupported', 1],
    [{ body: { version: { number: '8.19.1' } } }, 'search-unsupported', 1],
    [{ body: '<html>' }, 'search-unsupported', 1],
  ])('%j gives %s after %i request(s)', async (answer, code, requests) => {
    const server = await startServer(({ path: target }) => (target === '/' || target.includes('*') ? answer : undefined));
    const error = await publishTo(server.url);
    expect([error?.code, error?.hint === undefined, server.seen.length]).toEqual([code, false, requests]);
  });

  it('is asked again after a busy moment', async () => {
    let tries = 0;
    const server = await startServer(({ path: target }) => (target.includes('*') && ++tries < 3 ? { status: 429 } : undefined));
    expect(await publishTo(server.url)).toBeNull();
    expect(tries).toBe(3);
  });

  it('that does not listen, or does not answer, is unreachable', async () => {
    const server = await startServer(() => null);
    expect(await publishTo(server.url, { requestTimeoutSeconds: 0.2 })).toMatchObject({ code: 'search-unreachable' });
    await server.close();
    expect(await publishTo(server.url)).toMatchObject({ code: 'search-unreachable', message: expect.stringContaining('not reachable') });
  });

  it('ends with the reason of an abort', async () => {
    const server = await startServer(({ path: target }) => (target.includes('*') ? null : undefined));
    const controller = new AbortController();
    const publishing = indexAt(server.url).publish(NAME, chunks, { embedding: null, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(publishing).rejects.toThrow('enough');
  });

  it('that answers a search in another form is told so', async () => {
    const meta = { format: 1, at: new Date().toISOString(), embedding: null, dimensions: null, vectorSearch: null, chunks: 1, pending: 1 };
    const server = await startServer(({ path: target }) => {
      if (target.includes('/_msearch'))
        return { body: { responses: [{ status: 200, hits: { hits: [{ _id: 'a', _score: 1, _source: {} }] } }] } };
      const alias = target.slice(1);
      return { body: { [`${alias}-1`]: { mappings: { _meta: meta } } } };
    });
    const search = await indexAt(server.url).open(NAME);
    await expect(search?.search({ tokens: ['a'], vector: null, limit: 1 })).rejects.toMatchObject({ code: 'search-unsupported' });
  });
});

describe('credentials', () => {
  const SECRET = 'c2VjcmV0LWtleQ';
  it('come from the configuration', () => {
    const cluster = { type: 'elasticsearch', url: 'https://h:9200' } as const;
    expect(clusterSettings(cluster)).toEqual({ url: 'https://h:9200' });
    expect(clusterSettings({ ...cluster, apiKey: 'k', caFile: '/ca' })).toEqual({
      url: 'https://h:9200',
      credentials: { type: 'api-key', apiKey: 'k' },
      caFile: '/ca',
    });
    expect(clusterSettings({ ...cluster, username: 'u', password: 'p' }).credentials).toEqual({
      type: 'basic',
      username: 'u',
      password: 'p',
    });
  });

  it.each([
    [{ type: 'api-key', apiKey: SECRET }, `ApiKey ${SECRET}`],
    [{ type: 'basic', username: 'user', password: SECRET }, `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`],
  ] as const)('%j are sent, and never told', async (credentials, header) => {
    const server = await startServer(() => ({ status: 401, body: { error: { type: 'security_exception', reason: 'no' } } }));
    const error = await publishTo(server.url, { credentials });
    expect(server.seen[0]?.authorization).toBe(header);
    const told = inspect(error, { depth: 12, showHidden: true });
    expect(told).toContain('401');
    expect([told.includes(SECRET), told.includes(header)]).toEqual([false, false]);
  });

  it.each(['not a url', 'ftp://host', 'http://user:pass@host:9200'])('no address: %s', (url) => {
    expect(() => indexAt(url)).toThrow(expect.objectContaining({ code: 'config-invalid' }));
  });
});

describe('TLS', () => {
  it('trusts the named authority only', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reenact-tls-'));
    try {
      const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
      const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
      const subject = ['-subj', '/CN=stub', '-addext', 'subjectAltName=IP:127.0.0.1'];
      execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...subject], { stdio: 'ignore' });
      const server = await startServer(() => undefined, { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') });
      expect(await publishTo(server.url, { caFile: cert })).toBeNull();
      expect(await publishTo(server.url)).toMatchObject({ code: 'config-invalid', message: expect.stringContaining('TLS') });
      expect(await publishTo(server.url.replace('https', 'http'))).toMatchObject({ code: 'search-unreachable' });
      expect(() => indexAt(server.url, { caFile: path.join(folder, 'absent.pem') })).toThrow(
        expect.objectContaining({ code: 'config-invalid' }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
